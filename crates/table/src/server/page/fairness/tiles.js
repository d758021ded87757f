// Tiles of the table's log, as defined by C2SP tlog-tiles: 256 hashes each. A tile at level 0 has
// the hashes of leaves, a tile at a higher level those of the full tiles one level below.

import { nodeHash } from "./merkle-tree.js";
import { toHex } from "../sha256.js";

/** @import { LogFileReader } from "../types.js" */

const TILE_WIDTH = 256;
const HASH_BYTES = 32;

/**
 * Opens a log of this size, whose files `readFile` fetches.
 *
 * @param {number} size
 * @param {LogFileReader} readFile
 */
export function openTiles(size, readFile) {
  /** @type {Map<string, Promise<string[]>>} */
  const cache = new Map();

  /**
   * Returns the hashes of a tile. Each tile is fetched only once.
   *
   * @param {number} level
   * @param {number} index
   */
  function tile(level, index) {
    const name = `${level} ${index}`;
    const hashes = cache.get(name) ?? fetchTile(level, index);
    cache.set(name, hashes);
    return hashes;
  }

  /**
   * Fetches a tile. A partial tile that has become full since may exist only under the name of the
   * full tile.
   *
   * @param {number} level
   * @param {number} index
   */
  async function fetchTile(level, index) {
    const width = Math.min(TILE_WIDTH, Math.floor(size / TILE_WIDTH ** level) - index * TILE_WIDTH);
    const path = `tile/${level}/${tilePath(index)}`;
    const partial = width < TILE_WIDTH ? await readFile(`${path}.p/${width}`) : null;
    const data = partial ?? (await readFile(path));
    if (!data || data.length < width * HASH_BYTES) throw new Error("a tile is missing");
    return Array.from({ length: width }, (_, at) =>
      toHex(data.slice(at * HASH_BYTES, (at + 1) * HASH_BYTES)),
    );
  }

  /**
   * Returns the hash of the complete subtree of `2 ** level` leaves with this index.
   *
   * @param {number} level
   * @param {number} index
   */
  async function read(level, index) {
    const [tileLevel, count] = [Math.floor(level / 8), 2 ** (level % 8)];
    const first = index * count;
    const hashes = await tile(tileLevel, Math.floor(first / TILE_WIDTH));
    return root(hashes.slice(first % TILE_WIDTH, (first % TILE_WIDTH) + count));
  }

  /**
   * Finds the index of a leaf, searching backward from the tile of the leaf with index `to` to that of
   * the leaf with index `from`.
   *
   * @param {string} leaf
   * @param {number} from
   * @param {number} to
   */
  async function find(leaf, from, to) {
    for (let at = Math.floor(to / TILE_WIDTH); at >= Math.floor(from / TILE_WIDTH); at -= 1) {
      const place = (await tile(0, at)).lastIndexOf(leaf);
      if (place >= 0) return at * TILE_WIDTH + place;
    }
    return null;
  }

  return { read, find };
}

/**
 * Returns the root over hashes, whose number is a power of two.
 *
 * @param {string[]} hashes
 * @returns {string}
 */
function root(hashes) {
  if (hashes.length === 1) return hashes[0];
  const half = hashes.length / 2;
  return nodeHash(root(hashes.slice(0, half)), root(hashes.slice(half)));
}

/**
 * Returns the path of a tile: its index in groups of three digits.
 *
 * @param {number} index
 */
function tilePath(index) {
  const last = String(index % 1000).padStart(3, "0");
  const before = Math.floor(index / 1000);
  return before === 0 ? last : `${parentPath(before)}/${last}`;
}

/**
 * @param {number} index
 * @returns {string}
 */
function parentPath(index) {
  const last = `x${String(index % 1000).padStart(3, "0")}`;
  const before = Math.floor(index / 1000);
  return before === 0 ? last : `${parentPath(before)}/${last}`;
}
