// What players set, and the key of their account, which is all that tells the table who they are.

import { isHash } from "../sha256.js";
import * as storage from "../state/storage.js";
import { now } from "../state/store.js";

/** @import { Key } from "../types.js" */

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
 * The link that another device opens to have this account too. Browsers send nothing of what is behind
 * `#` to anyone.
 *
 * @param {string} origin
 */
export function keyLink(origin) {
  const bytes = new TextEncoder().encode(keyFile().trim());
  const letters = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
  return `${origin}/#key=${letters.replaceAll("=", "")}`;
}

/**
 * The key in the part of an address behind `#`; `null` where it is something else.
 *
 * @param {string} hash
 */
export function keyIn(hash) {
  const [, letters] = /^#key=([\w-]+)$/.exec(hash) ?? [];
  if (letters === undefined) return null;
  try {
    const bytes = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
    return keyOf(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))));
  } catch {
    return null;
  }
}

/**
 * The key of an account that a file is; `null` where it is none.
 *
 * @param {string} file
 * @returns {Key | null}
 */
export function keyOf(file) {
  const { name, token } = parsed(file) ?? {};
  return isHash(token) && typeof name === "string" && isName(name) ? { name, token } : null;
}

/**
 * Takes the key of an account: the page begins anew as that player.
 *
 * @param {Key} key
 */
export function takeKey(key) {
  storage.keep({ ...key, settled: 0 });
  storage.hold(null);
  storage.keepSeeds([]);
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
