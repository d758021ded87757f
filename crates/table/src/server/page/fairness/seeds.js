// The player's own seeds: drawn here, committed to with the request for a game, and kept until
// the result has been checked with them, also by a page that is loaded again.

import * as storage from "../state/storage.js";
import { hex, isHash, sha256OfHex } from "../sha256.js";

/** Requests that came to nothing leave seeds behind: older ones make room. */
const MOST_KEPT = 32;

/** Draws a seed that nobody else can know, and keeps it; the result is its hash. */
export function draw() {
  const seed = hex(crypto.getRandomValues(new Uint8Array(32)));
  storage.keepSeeds([...storage.seeds().filter(isHash), seed].slice(-MOST_KEPT));
  return sha256OfHex(seed);
}

/**
 * The seed of a hash, or `null` where it is not kept here.
 *
 * @param {string | undefined} hash
 */
export function ofHash(hash) {
  return (
    storage
      .seeds()
      .filter(isHash)
      .find((seed) => sha256OfHex(seed) === hash) ?? null
  );
}

/**
 * Forgets a seed that was checked.
 *
 * @param {string | null} used
 */
export function forget(used) {
  storage.keepSeeds(storage.seeds().filter((seed) => seed !== used));
}
