// Names of players, and the key of an account: the only proof of who a player is.

import { isHash } from "../sha256.js";
import * as storage from "../state/storage.js";
import { store } from "../state/store.js";

/** @import { AccountKey } from "../types.js" */

/** Longest name in Unicode characters, as the server counts them. */
const MAX_NAME_LENGTH = 32;

/**
 * Returns true if a name is neither empty nor too long. The server makes further checks.
 *
 * @param {string} name
 */
export function isValidName(name) {
  return name !== "" && [...name].length <= MAX_NAME_LENGTH;
}

/**
 * Requests another name for the player.
 *
 * @param {string} name
 */
export function rename(name) {
  if (store.profile === null || name === store.profile.name) return;
  if (!isValidName(name)) {
    store.error = { key: "join-refused" };
    return;
  }
  store.error = null;
  store.connection?.request("settings", { name });
}

/** Returns the account key as it is saved in a file. */
export function keyFile() {
  const { name, token } = store.profile ?? {};
  return `${JSON.stringify({ name, token })}\n`;
}

/**
 * Returns the link that opens this account on another device. Browsers never send the fragment to a
 * server.
 *
 * @param {string} home address of the home page
 */
export function keyLink(home) {
  const bytes = new TextEncoder().encode(keyFile().trim());
  const letters = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
  return `${home}#key=${letters.replaceAll("=", "")}`;
}

/**
 * Parses the account key in a URL's fragment; returns `null` for any other fragment.
 *
 * @param {string} hash
 */
export function parseKeyLink(hash) {
  const [, letters] = /^#key=([\w-]+)$/.exec(hash) ?? [];
  if (letters === undefined) return null;
  try {
    const bytes = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
    return parseKeyFile(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))));
  } catch {
    return null;
  }
}

/**
 * Parses a file with an account key; returns `null` for any other file.
 *
 * @param {string} file
 * @returns {AccountKey | null}
 */
export function parseKeyFile(file) {
  const { name, token } = parseJson(file) ?? {};
  return isHash(token) && typeof name === "string" && isValidName(name) ? { name, token } : null;
}

/**
 * Switches to another account, and deletes the current account's game record, seeds and friends.
 *
 * @param {AccountKey} key
 */
export function switchAccount(key) {
  storage.saveProfile({ ...key, settled: 0 });
  storage.saveGameRecord(null);
  storage.saveSeeds([]);
  storage.clearFriends();
}

/** @param {string} text */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
