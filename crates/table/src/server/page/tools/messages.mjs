// Generates the types of the table's messages from its schema.
//
//     node crates/table/src/server/page/tools/messages.mjs [--check]
//
// With `--check` it writes nothing, and fails if `messages.d.ts` is out of date.

import { readFile, writeFile } from "node:fs/promises";
import { load } from "./packages.mjs";

const SCHEMA = new URL("../../../protocol/schema.json", import.meta.url);
const TYPES = new URL("../protocol/messages.d.ts", import.meta.url);
const BANNER = "// The messages of `crates/table/src/protocol/schema.json` as types, made by `messages.mjs`.";

/**
 * Removes the keywords next to references, which would turn each reference into a type without a
 * name.
 */
function withPlainReferences(part) {
  if (Array.isArray(part)) return part.map(withPlainReferences);
  if (part === null || typeof part !== "object") return part;
  if ("$ref" in part) return { $ref: part.$ref };
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, withPlainReferences(inner)]));
}

const { title, ...schema } = withPlainReferences(JSON.parse(await readFile(SCHEMA, "utf8")));
const options = { additionalProperties: false, bannerComment: BANNER, style: { printWidth: 110 } };
const types = await load("json-schema-to-typescript").compile(schema, "Message", options);
if (!process.argv.includes("--check")) {
  await writeFile(TYPES, types);
} else if ((await readFile(TYPES, "utf8")) !== types) {
  console.error(
    `${title}: run \`node crates/table/src/server/page/tools/messages.mjs\` and read the difference`,
  );
  process.exitCode = 1;
}
