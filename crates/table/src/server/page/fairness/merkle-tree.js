// Merkle tree of the table's transparency log, as defined by RFC 6962. Hashes are hexadecimal digits.

import { concatenate, fromHex, sha256, toHex, utf8 } from "../sha256.js";

/** @import { SubtreeReader, TreeHead } from "../types.js" */

/**
 * Returns the hash of a leaf with this text.
 *
 * @param {string} text
 */
export function leafHash(text) {
  return toHex(sha256(concatenate([0], utf8(text))));
}

/**
 * Returns the hash of a node with these children.
 *
 * @param {string} left
 * @param {string} right
 */
export function nodeHash(left, right) {
  return toHex(sha256(concatenate([1], fromHex(left), fromHex(right))));
}

/**
 * Computes the root of a tree of this size from a leaf and its inclusion path; returns `null` if the
 * path has the wrong length.
 *
 * @param {string} leaf
 * @param {number} index
 * @param {number} size
 * @param {string[]} path
 */
export function rootFromPath(leaf, index, size, path) {
  if (index >= size) return null;
  let [at, last] = [index, size - 1];
  let node = leaf;
  for (const other of path) {
    if (last === 0) return null;
    const left = at % 2 === 1 || at === last;
    node = left ? nodeHash(other, node) : nodeHash(node, other);
    [at, last] = left ? climb(at, last) : [half(at), half(last)];
  }
  return last === 0 ? node : null;
}

/**
 * Verifies a proof that a tree is a prefix of a later one.
 *
 * @param {TreeHead} old
 * @param {TreeHead} now
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
      [at, last] = climb(at, last);
    } else {
      after = nodeHash(after, other);
      [at, last] = [half(at), half(last)];
    }
  }
  return last === 0 && before === old.root && after === now.root;
}

/**
 * Returns the inclusion path of a leaf in a tree of this size; `start` is the index of the tree's
 * first leaf.
 *
 * @param {number} index
 * @param {number} size
 * @param {SubtreeReader} read
 * @param {number} start
 * @returns {Promise<string[]>}
 */
export async function inclusionPath(index, size, read, start = 0) {
  if (size === 1) return [];
  const left = largestPowerBelow(size);
  const [inner, outer] =
    index < left
      ? [inclusionPath(index, left, read, start), rangeHash(start + left, size - left, read)]
      : [inclusionPath(index - left, size - left, read, start + left), rangeHash(start, left, read)];
  return [...(await inner), await outer];
}

/**
 * Returns the proof that the tree of `oldSize` leaves is a prefix of the tree of `size` leaves.
 *
 * @param {number} oldSize
 * @param {number} size
 * @param {SubtreeReader} read
 */
export async function consistencyProof(oldSize, size, read) {
  return oldSize === 0 ? [] : subproof(oldSize, 0, size, true, read);
}

/**
 * Returns the part of a consistency proof about a subtree. `whole` is true if the first `old` leaves
 * of the subtree are the whole old tree, whose root the verifier knows.
 *
 * @param {number} old
 * @param {number} start
 * @param {number} size
 * @param {boolean} whole
 * @param {SubtreeReader} read
 * @returns {Promise<string[]>}
 */
async function subproof(old, start, size, whole, read) {
  if (old === size) return whole ? [] : [await rangeHash(start, size, read)];
  const left = largestPowerBelow(size);
  const [inner, outer] =
    old <= left
      ? [subproof(old, start, left, whole, read), rangeHash(start + left, size - left, read)]
      : [subproof(old - left, start + left, size - left, false, read), rangeHash(start, left, read)];
  return [...(await inner), await outer];
}

/**
 * Returns the root of the subtree over a range of leaves.
 *
 * @param {number} start
 * @param {number} size
 * @param {SubtreeReader} read
 * @returns {Promise<string>}
 */
async function rangeHash(start, size, read) {
  const level = Math.log2(size);
  if (Number.isInteger(level)) return read(level, start / size);
  const left = largestPowerBelow(size);
  const [one, other] = [rangeHash(start, left, read), rangeHash(start + left, size - left, read)];
  return nodeHash(await one, await other);
}

/**
 * Returns the largest power of two below a number above 1.
 *
 * @param {number} size
 */
function largestPowerBelow(size) {
  return 2 ** Math.floor(Math.log2(size - 1));
}

/**
 * Skips the levels at which the node has no sibling, and moves to its parent.
 *
 * @param {number} at
 * @param {number} last
 */
function climb(at, last) {
  while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
  return [half(at), half(last)];
}

/** @param {number} number */
function half(number) {
  return Math.floor(number / 2);
}
