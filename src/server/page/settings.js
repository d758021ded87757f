// What players set, and the key of their account, which is all that tells the table who they are.

import { isHash } from "./sha256.js";
import * as storage from "./storage.js";
import { now } from "./store.js";

/** The most characters of a name, counted as the server does: as Unicode's, not as UTF-16. */
const LONGEST_NAME = 32;

/**
 * Whether a name is neither empty nor too long; the table looks at more.
 *
 * @param {string} name
 */
export function isName(name) {
  return name !== "" && [...name].length <= LONGEST_NAME;
}

/**
 * Calls the player otherwise, as soon as the table agrees.
 *
 * @param {string} name
 */
export function rename(name) {
  if (now.me === null || name === now.me.name) return;
  if (!isName(name)) {
    now.error = { key: "join-refused" };
    return;
  }
  now.error = null;
  now.former = now.me.name;
  now.connection?.rename(name);
}

/** The key of the account as it is saved in a file. */
export function keyFile() {
  const { name, token } = now.me ?? {};
  return `${JSON.stringify({ name, token })}\n`;
}

/**
 * Takes the key of an account from a file: the page begins anew as that player. The result is
 * whether there was one.
 *
 * @param {string} file
 */
export function takeKey(file) {
  const { name, token } = parsed(file) ?? {};
  if (!isHash(token) || typeof name !== "string" || !isName(name)) return false;
  storage.keep({ name, token, settled: 0 });
  storage.hold(null);
  storage.keepSeeds([]);
  return true;
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
