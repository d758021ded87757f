// Makes the types of the table's messages from its schema.
//
//     node crates/table/src/server/page/tools/messages.mjs [--check]
//
// With `--check` it writes nothing, and fails where `messages.d.ts` is not current.

import { readFile, writeFile } from "node:fs/promises";
import { load } from "./packages.mjs";

const SCHEMA = new URL("../../../protocol/schema.json", import.meta.url);
const TYPES = new URL("../protocol/messages.d.ts", import.meta.url);
const BANNER = "// The messages of `crates/table/src/protocol/schema.json` as types, made by `messages.mjs`.";

/** What stands beside a reference would make another type of it, without its name. */
function plain(part) {
  if (Array.isArray(part)) return part.map(plain);
  if (part === null || typeof part !== "object") return part;
  if ("$ref" in part) return { $ref: part.$ref };
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, plain(inner)]));
}

const { title, ...schema } = plain(JSON.parse(await readFile(SCHEMA, "utf8")));
const options = { additionalProperties: false, bannerComment: BANNER, style: { printWidth: 110 } };
const made = await load("json-schema-to-typescript").compile(schema, "Message", options);
if (!process.argv.includes("--check")) {
  await writeFile(TYPES, made);
} else if ((await readFile(TYPES, "utf8")) !== made) {
  console.error(
    `${title}: run \`node crates/table/src/server/page/tools/messages.mjs\` and read the difference`,
  );
  process.exitCode = 1;
}
