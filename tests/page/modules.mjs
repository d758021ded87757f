// Module hooks for node, which redirect imports of files that the server serves from other folders.

import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

const REDIRECTS = {
  "../sha256.js": "../../crates/viewer/src/view/verify/sha256.js",
  "../cards.js": "../../crates/viewer/src/drawings/cards.js",
};

if (isMainThread) register(import.meta.url);

/** Resolves an import, after a redirect if there is one. */
export function resolve(name, context, next) {
  const other = REDIRECTS[name];
  return next(other ? new URL(other, import.meta.url).href : name, context);
}
