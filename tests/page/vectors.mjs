// Test vectors of docs/reference/table-log.md, and files of logs with given leaves.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const page = readFileSync(new URL("../../docs/reference/table-log.md", import.meta.url), "utf8");
const [, vectors] = page.split("## Test vectors");
const blocks = [...vectors.matchAll(/```text\n(.*?)```/gs)].map(([, text]) => text);
const [key, , start, startHash, signature, end, endHash, root, note] = blocks;

export const TABLE = "00112233445566778899aabbccddeeff";
export const KEY = key.trim();
export const START = start;
export const START_HASH = startHash.trim();
export const SIGNATURE = signature.trim();
export const END = end;
export const END_HASH = endHash.trim();
export const ROOT = root.trim();
export const NOTE = note;

function sha256(...parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Returns the hash of a leaf. */
export function leafOf(text) {
  return sha256(Buffer.of(0), text);
}

/** Returns the root over these hashes, as defined by RFC 6962. */
export function rootOf(leaves) {
  if (leaves.length === 0) return sha256("");
  if (leaves.length === 1) return leaves[0];
  let left = 1;
  while (2 * left < leaves.length) left *= 2;
  return sha256(Buffer.of(1), rootOf(leaves.slice(0, left)), rootOf(leaves.slice(left)));
}

/** Returns the tiles of a log with these leaves by path, as defined by C2SP tlog-tiles. */
export function files(leaves) {
  const all = new Map();
  let row = leaves;
  for (let level = 0; row.length > 0; level += 1) {
    for (let at = 0; at < row.length; at += 256) {
      const tile = row.slice(at, at + 256);
      const partial = tile.length < 256 ? `.p/${tile.length}` : "";
      all.set(`tile/${level}/${String(at / 256).padStart(3, "0")}${partial}`, Buffer.concat(tile));
    }
    const full = row.length - (row.length % 256);
    row = Array.from({ length: full / 256 }, (_, at) => rootOf(row.slice(256 * at, 256 * (at + 1))));
  }
  return all;
}
