// Lets the page's scripts import what the server puts beside them from other folders.

import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

const FOLDERS = { "../sha256.js": "../../crates/viewer/src/view/verify/sha256.js" };

if (isMainThread) register(import.meta.url);

/** Finds a module, for node. */
export function resolve(name, context, next) {
  const other = FOLDERS[name];
  return next(other ? new URL(other, import.meta.url).href : name, context);
}
