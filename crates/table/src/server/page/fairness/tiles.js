// The tiles of the table's log, as C2SP tlog-tiles has them: 256 hashes each, of leaves at the
// level 0, of full tiles of the level below above it.

import { nodeHash } from "./merkle-tree.js";
import { hex } from "../sha256.js";

/** @import { ReadFile } from "../types.js" */

const WIDTH = 256;
const HASH = 32;

/**
 * The tiles of a log of this size; `get(path)` fetches a file of the log as bytes, or `null`
 * where it is not there.
 *
 * @param {number} size
 * @param {ReadFile} get
 */
export function tiles(size, get) {
  /** @type {Map<string, Promise<string[]>>} */
  const known = new Map();

  /**
   * A tile, fetched once.
   *
   * @param {number} level
   * @param {number} index
   */
  function tile(level, index) {
    const name = `${level} ${index}`;
    const found = known.get(name) ?? fetched(level, index);
    known.set(name, found);
    return found;
  }

  /**
   * A tile that has become full since may be there under that name only.
   *
   * @param {number} level
   * @param {number} index
   */
  async function fetched(level, index) {
    const width = Math.min(WIDTH, Math.floor(size / WIDTH ** level) - index * WIDTH);
    const path = `tile/${level}/${digits(index)}`;
    const partial = width < WIDTH ? await get(`${path}.p/${width}`) : null;
    const data = partial ?? (await get(path));
    if (!data || data.length < width * HASH) throw new Error("a tile is missing");
    return Array.from({ length: width }, (_, at) => hex(data.slice(at * HASH, (at + 1) * HASH)));
  }

  /**
   * The hash of the whole subtree of `2 ** level` leaves at this place.
   *
   * @param {number} level
   * @param {number} index
   */
  async function read(level, index) {
    const [height, above] = [Math.floor(level / 8), 2 ** (level % 8)];
    const first = index * above;
    const hashes = await tile(height, Math.floor(first / WIDTH));
    return root(hashes.slice(first % WIDTH, (first % WIDTH) + above));
  }

  /**
   * Where a leaf is, not before a place; the last ones are looked at first.
   *
   * @param {string} leaf
   * @param {number} from
   */
  async function find(leaf, from) {
    for (let at = Math.floor((size - 1) / WIDTH); at >= Math.floor(from / WIDTH); at -= 1) {
      const place = (await tile(0, at)).lastIndexOf(leaf);
      if (place >= 0) return at * WIDTH + place;
    }
    return null;
  }

  return { read, find };
}

/**
 * The root over as many hashes as a power of two.
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
 * A number in groups of three digits, as it stands in the path of a tile.
 *
 * @param {number} index
 */
function digits(index) {
  const last = String(index % 1000).padStart(3, "0");
  const before = Math.floor(index / 1000);
  return before === 0 ? last : `${grouped(before)}/${last}`;
}

/**
 * @param {number} index
 * @returns {string}
 */
function grouped(index) {
  const last = `x${String(index % 1000).padStart(3, "0")}`;
  const before = Math.floor(index / 1000);
  return before === 0 ? last : `${grouped(before)}/${last}`;
}
