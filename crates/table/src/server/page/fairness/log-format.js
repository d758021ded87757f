// Texts of the table's transparency log: its leaves, the signed start of a game, and checkpoints.

import { fromHex, toHex, utf8 } from "../sha256.js";

/** @import { Checkpoint, ServedDuel, StartLeaf } from "../types.js" */

/**
 * Returns the text of the leaf about a game's start.
 *
 * @param {StartLeaf} start
 */
export function startLeaf({ game, rules, players, commitment, seedHashes, time }) {
  return lines("war-table start/1", game, rules, players.join(" "), commitment, ...seedHashes, time);
}

/**
 * Returns the text of the leaf about a game's end; `digest` is its journal's final digest.
 *
 * @param {{ game: number, digest: string, time: number }} end
 */
export function endLeaf({ game, digest, time }) {
  return lines("war-table end/1", game, digest, time);
}

/**
 * Returns the text of the leaf that commits to the seed of a daily duel.
 *
 * @param {Pick<ServedDuel, "day" | "commitment" | "time_ms">} duel
 */
export function dayLeaf({ day, commitment, time_ms }) {
  return lines("war-table day/1", day, "daily/1", commitment, time_ms);
}

/**
 * Returns the text that the table signs when a game starts.
 *
 * @param {string | null} table
 * @param {StartLeaf} start
 */
export function startText(table, start) {
  return lines("war-table started/1", table) + startLeaf(start);
}

/**
 * Parses a checkpoint, a signed note about the log; returns `null` for anything else.
 *
 * @param {string} note
 * @returns {Checkpoint | null}
 */
export function parseCheckpoint(note) {
  const form = /^((.+)\n(0|[1-9]\d{0,14})\n([A-Za-z0-9+/]{43}=)\n(?:.+\n)*)\n((?:\u2014 \S+ \S+\n)+)$/;
  const found = form.exec(note);
  if (!found) return null;
  const [, text, origin, size, root, signed] = found;
  const signatures = signed
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [, name, value] = line.split(" ");
      return { name, value };
    });
  return { origin, size: Number(size), root: toHex(fromBase64(root)), text, signatures };
}

/**
 * Verifies the Ed25519 signature of a text; key and signature are hexadecimal digits. Returns `null`
 * if the browser can't verify it: it needs https or localhost, and support for such keys.
 *
 * @param {string} key
 * @param {string} text
 * @param {string} signature
 * @returns {Promise<boolean | null>}
 */
export async function isSigned(key, text, signature) {
  if (!/^[0-9a-f]{64}$/.test(key) || !/^[0-9a-f]{128}$/.test(signature)) return false;
  const { subtle } = globalThis.crypto;
  if (!subtle) return null;
  try {
    const imported = await subtle.importKey("raw", fromHex(key), "Ed25519", false, ["verify"]);
    return await subtle.verify("Ed25519", imported, fromHex(signature), utf8(text));
  } catch (error) {
    // Only an old browser fails with an error of this name; any other error means that the key is
    // invalid.
    return error instanceof Error && error.name === "NotSupportedError" ? null : false;
  }
}

/**
 * Decodes base64.
 *
 * @param {string} text
 */
export function fromBase64(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** @param {(string | number | null)[]} texts */
function lines(...texts) {
  return texts.map((text) => `${text}\n`).join("");
}
