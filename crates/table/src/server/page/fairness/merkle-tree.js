// The table's log of what began and ended: its Merkle tree as RFC 6962 has it, and the signed
// notes about its size and root. A log that was changed does not go on from an older note.

import { bytes, hex, joined, sha256, utf8 } from "../sha256.js";

/** @import { Checkpoint, LeafOfStart, ReadHash, Tree } from "../types.js" */

/**
 * The text of the leaf about the start of a game; `players` and `seedHashes` go by seat.
 *
 * @param {LeafOfStart} start
 */
export function startLeaf({ game, rules, players, commitment, seedHashes, time }) {
  return lines("war-table start/1", game, rules, players.join(" "), commitment, ...seedHashes, time);
}

/**
 * The text of the leaf about the end of a game; `digest` is the final one of its journal.
 *
 * @param {{ game: number, digest: string, time: number }} end
 */
export function endLeaf({ game, digest, time }) {
  return lines("war-table end/1", game, digest, time);
}

/**
 * The text that the table signs when a game starts.
 *
 * @param {string | null} table
 * @param {LeafOfStart} start
 */
export function startText(table, start) {
  return lines("war-table started/1", table) + startLeaf(start);
}

/**
 * The hash of a leaf, in hexadecimal digits as all hashes here.
 *
 * @param {string} text
 */
export function leafHash(text) {
  return hex(sha256(joined([0], utf8(text))));
}

/**
 * The hash of a node of two others.
 *
 * @param {string} left
 * @param {string} right
 */
export function nodeHash(left, right) {
  return hex(sha256(joined([1], bytes(left), bytes(right))));
}

/**
 * The root of a tree of this size in which a path leads from the leaf, or `null`.
 *
 * @param {string} leaf
 * @param {number} index
 * @param {number} size
 * @param {string[]} path
 */
export function rootOfPath(leaf, index, size, path) {
  if (index >= size) return null;
  let [at, last] = [index, size - 1];
  let node = leaf;
  for (const other of path) {
    if (last === 0) return null;
    const left = at % 2 === 1 || at === last;
    node = left ? nodeHash(other, node) : nodeHash(node, other);
    [at, last] = left ? climbed(at, last) : [half(at), half(last)];
  }
  return last === 0 ? node : null;
}

/**
 * Whether the tree of a note goes on in that of a later one, as a proof has it.
 *
 * @param {Tree} old
 * @param {Tree} now
 * @param {string[]} proof
 */
export function isConsistent(old, now, proof) {
  if (old.size > now.size) return false;
  if (old.size === now.size) return old.root === now.root && proof.length === 0;
  if (old.size === 0) return proof.length === 0;
  const whole = Math.log2(old.size) % 1 === 0;
  const [first, ...path] = whole ? [old.root, ...proof] : proof;
  if (first === undefined) return false;
  let [at, last] = [old.size - 1, now.size - 1];
  while (at % 2 === 1) [at, last] = [half(at), half(last)];
  let [before, after] = [first, first];
  for (const other of path) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      [before, after] = [nodeHash(other, before), nodeHash(other, after)];
      [at, last] = climbed(at, last);
    } else {
      after = nodeHash(after, other);
      [at, last] = [half(at), half(last)];
    }
  }
  return last === 0 && before === old.root && after === now.root;
}

/**
 * The path from a leaf to the root of a tree of this size; `read(level, index)` gives the
 * hash of the whole subtree of `2 ** level` leaves at that place.
 *
 * @param {number} index
 * @param {number} size
 * @param {ReadHash} read
 * @param {number} start
 * @returns {Promise<string[]>}
 */
export async function pathOf(index, size, read, start = 0) {
  if (size === 1) return [];
  const left = split(size);
  const [inner, outer] =
    index < left
      ? [pathOf(index, left, read, start), rangeHash(start + left, size - left, read)]
      : [pathOf(index - left, size - left, read, start + left), rangeHash(start, left, read)];
  return [...(await inner), await outer];
}

/**
 * The proof that the tree of a size goes on in that of a later one.
 *
 * @param {number} oldSize
 * @param {number} size
 * @param {ReadHash} read
 */
export async function proofOf(oldSize, size, read) {
  return oldSize === 0 ? [] : subproof(oldSize, 0, size, true, read);
}

/**
 * A part of that proof: of a subtree, which the old tree has as a `whole` or not.
 *
 * @param {number} old
 * @param {number} start
 * @param {number} size
 * @param {boolean} whole
 * @param {ReadHash} read
 * @returns {Promise<string[]>}
 */
async function subproof(old, start, size, whole, read) {
  if (old === size) return whole ? [] : [await rangeHash(start, size, read)];
  const left = split(size);
  const [inner, outer] =
    old <= left
      ? [subproof(old, start, left, whole, read), rangeHash(start + left, size - left, read)]
      : [subproof(old - left, start + left, size - left, false, read), rangeHash(start, left, read)];
  return [...(await inner), await outer];
}

/**
 * The hash of some leaves in a row.
 *
 * @param {number} start
 * @param {number} size
 * @param {ReadHash} read
 * @returns {Promise<string>}
 */
async function rangeHash(start, size, read) {
  const level = Math.log2(size);
  if (Number.isInteger(level)) return read(level, start / size);
  const left = split(size);
  const [one, other] = [rangeHash(start, left, read), rangeHash(start + left, size - left, read)];
  return nodeHash(await one, await other);
}

/**
 * What a signed note says: `origin`, `size`, `root`, the `text` that is signed, and its
 * `signatures` of `name` and base64 `value`; `null` for anything else.
 *
 * @param {string} note
 * @returns {Checkpoint | null}
 */
export function checkpoint(note) {
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
  return { origin, size: Number(size), root: hex(fromBase64(root)), text, signatures };
}

/**
 * The bytes of a text in base 64.
 *
 * @param {string} text
 */
export function fromBase64(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/**
 * The largest power of two below a number above 1.
 *
 * @param {number} size
 */
function split(size) {
  return 2 ** Math.floor(Math.log2(size - 1));
}

/**
 * One level up, and on to the next one where the node has something on its left.
 *
 * @param {number} at
 * @param {number} last
 */
function climbed(at, last) {
  while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
  return [half(at), half(last)];
}

/** @param {number} number */
function half(number) {
  return Math.floor(number / 2);
}

/** @param {(string | number | null)[]} texts */
function lines(...texts) {
  return texts.map((text) => `${text}\n`).join("");
}
