// Runs the viewer's verifier, written in JavaScript, on the conformance suite.
//
//     node tests/verifier/suite.mjs [FOLDER]
//
// Verdict, line and code of each journal must match `expected.tsv`. Journals that need the screens
// are skipped: this verifier doesn't print them.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { verify } from "../../crates/viewer/src/view/verify/journal.js";

const folder = process.argv[2] ?? fileURLToPath(new URL("../conformance", import.meta.url));
const rows = readFileSync(`${folder}/expected.tsv`, "utf8").trimEnd().split("\n").slice(1);
const cases = rows.map((row) => row.split("\t"));
const judged = cases.filter(([, , , , needs]) => needs !== "screens");
let failures = 0;
for (const [file, ...expected] of judged) {
  const { verdict, code, line } = await verify(readFileSync(`${folder}/${file}`));
  const found = [verdict, code ?? "-", String(line ?? "-")];
  if (found.some((value, at) => value !== expected[at])) {
    failures += 1;
    console.log(`${file}: ${found.join(" ")}, expected ${expected.join(" ")}`);
  }
}
const skipped = cases.length - judged.length;
console.log(`${cases.length} journals in JavaScript, ${failures} failed, ${skipped} skipped: they need the screens`);
process.exitCode = failures > 0 || judged.length < 1000 ? 1 : 0;
