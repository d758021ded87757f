// The player's own seeds. A seed is generated here, committed to when a game is requested, and
// stored until the game's result has been verified, so that a reloaded page can verify it, too.

import * as storage from "../state/storage.js";
import { isHash, sha256OfHex, toHex } from "../sha256.js";

/** Limit on stored seeds: requests that lead to no game leave their seeds behind. */
const MAX_STORED = 32;

/** Generates and stores a seed; returns its hash. */
export function draw() {
  const seed = toHex(crypto.getRandomValues(new Uint8Array(32)));
  storage.saveSeeds([...storage.seeds().filter(isHash), seed].slice(-MAX_STORED));
  return sha256OfHex(seed);
}

/**
 * Returns the stored seed with this hash, or `null`.
 *
 * @param {string | undefined} hash
 */
export function findByHash(hash) {
  return (
    storage
      .seeds()
      .filter(isHash)
      .find((seed) => sha256OfHex(seed) === hash) ?? null
  );
}

/**
 * Deletes a seed.
 *
 * @param {string | null} used
 */
export function forget(used) {
  storage.saveSeeds(storage.seeds().filter((seed) => seed !== used));
}
