// Text as a QR code (ISO/IEC 18004), which another device reads from the screen: bytes, error correction
// level M, and versions 1 to 15.

/**
 * The modules by rows, from the upper left; `null` where nothing is yet.
 *
 * @typedef {(boolean | null)[][]} Grid
 */

/** The check bytes of each block and the number of blocks, by version from 1. */
const BLOCKS = [
  [10, 1],
  [16, 1],
  [26, 1],
  [18, 2],
  [24, 2],
  [16, 4],
  [18, 4],
  [22, 4],
  [22, 5],
  [26, 5],
  [30, 5],
  [22, 8],
  [22, 9],
  [24, 9],
  [24, 10],
];
/** Level M with mask 0, with the bits that check it. */
const FORMAT = 0x5412;
/** What the bits that check a version are the remainder of. */
const VERSION_DIVISOR = 0x1f25;
/** The field of 256 elements that the check bytes are computed in. */
const FIELD = 0x11d;
/** What fills the room that a text leaves. */
const PADDING = [0xec, 0x11];

/**
 * The modules of the code by rows, `true` for the dark ones; `null` where the text is too long.
 *
 * @param {string} text
 * @returns {boolean[][] | null}
 */
export function code(text) {
  const bytes = new TextEncoder().encode(text);
  const version = BLOCKS.findIndex((_, at) => room(at + 1) >= bytes.length + head(at + 1)) + 1;
  if (version === 0) return null;
  const grid = frame(version);
  fill(grid, woven(packed(bytes, version), version));
  return grid.map((row) => row.map(Boolean));
}

/**
 * How many bytes say what follows, with the half byte that ends it.
 *
 * @param {number} version
 */
function head(version) {
  return version < 10 ? 2 : 3;
}

/**
 * How many bytes a version has room for, besides those that check them.
 *
 * @param {number} version
 */
function room(version) {
  const [check, blocks] = BLOCKS[version - 1];
  return whole(version) - check * blocks;
}

/**
 * How many bytes there are in all.
 *
 * @param {number} version
 */
function whole(version) {
  const free = frame(version)
    .flat()
    .filter((module) => module === null);
  return Math.floor(free.length / 8);
}

/**
 * The bytes of a text as they stand in a code: how they are written, how many, they themselves, the end,
 * and padding.
 *
 * @param {Uint8Array} bytes
 * @param {number} version
 */
function packed(bytes, version) {
  const length = bytes.length.toString(2).padStart(version < 10 ? 8 : 16, "0");
  const text = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  const bits = `0100${length}${text}0000`;
  const data = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  for (let at = 0; data.length < room(version); at += 1) data.push(PADDING[at % 2]);
  return data;
}

/**
 * The bytes and those that check them, a byte of each block in turn.
 *
 * @param {number[]} data
 * @param {number} version
 */
function woven(data, version) {
  const [check, count] = BLOCKS[version - 1];
  const short = Math.floor(data.length / count);
  const long = data.length % count;
  const blocks = Array.from({ length: count }, (_, at) => {
    // The last ones are longer by a byte.
    const more = Math.max(0, at - (count - long));
    return data.slice(at * short + more, (at + 1) * short + Math.max(0, at + 1 - (count - long)));
  });
  const checks = blocks.map((block) => remainder(block, check));
  return [...turns(blocks), ...turns(checks)];
}

/** @param {number[][]} blocks */
function turns(blocks) {
  const longest = Math.max(...blocks.map((block) => block.length));
  const places = Array.from({ length: longest }, (_, at) => at);
  return places.flatMap((at) => blocks.filter((block) => at < block.length).map((block) => block[at]));
}

/**
 * The Reed–Solomon check bytes of a block.
 *
 * @param {number[]} block
 * @param {number} degree
 */
function remainder(block, degree) {
  const divisor = generator(degree);
  const rest = Array(degree).fill(0);
  for (const byte of block) {
    const factor = byte ^ rest[0];
    rest.shift();
    rest.push(0);
    for (const [at, by] of divisor.entries()) rest[at] ^= times(by, factor);
  }
  return rest;
}

/**
 * The product of `x - 2^i` for each `i` below the degree, without the highest coefficient.
 *
 * @param {number} degree
 */
function generator(degree) {
  let product = [1];
  let root = 1;
  for (let at = 0; at < degree; at += 1) {
    const raised = [...product, 0];
    const scaled = [0, ...product.map((coefficient) => times(coefficient, root))];
    product = raised.map((coefficient, place) => coefficient ^ scaled[place]);
    root = times(root, 2);
  }
  return product.slice(1);
}

/**
 * @param {number} one
 * @param {number} other
 */
function times(one, other) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * FIELD);
    product ^= ((other >> bit) & 1) * one;
  }
  return product;
}

/**
 * Everything but the text, for which `null` is left: what a camera finds the code by, and what it is.
 *
 * @param {number} version
 * @returns {Grid}
 */
function frame(version) {
  const size = 17 + 4 * version;
  /** @type {Grid} */
  const grid = Array.from({ length: size }, () => Array(size).fill(null));
  const last = size - 7;
  for (const [row, column] of [
    [0, 0],
    [0, last],
    [last, 0],
  ]) {
    square(grid, row + 3, column + 3, 4, (ring) => ring !== 2 && ring !== 4);
  }
  for (const [row, column] of alignments(version)) square(grid, row, column, 2, (ring) => ring !== 1);
  for (let at = 8; at < size - 8; at += 1) {
    grid[6][at] = at % 2 === 0;
    grid[at][6] = at % 2 === 0;
  }
  describe(grid, version);
  return grid;
}

/**
 * Squares in one another around a module, as far as they are in the grid.
 *
 * @param {Grid} grid
 * @param {number} row
 * @param {number} column
 * @param {number} radius
 * @param {(ring: number) => boolean} isDark
 */
function square(grid, row, column, radius, isDark) {
  for (let down = -radius; down <= radius; down += 1) {
    for (let across = -radius; across <= radius; across += 1) {
      const [y, x] = [row + down, column + across];
      const ring = Math.max(Math.abs(down), Math.abs(across));
      if (grid[y]?.[x] !== undefined) grid[y][x] = isDark(ring);
    }
  }
}

/**
 * Where the small squares are, but for the corners that have large ones.
 *
 * @param {number} version
 */
function alignments(version) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const last = 10 + 4 * version;
  const step = 2 * Math.ceil((last - 6) / (2 * (count - 1)));
  const places = Array.from({ length: count }, (_, at) => (at === 0 ? 6 : last - step * (count - 1 - at)));
  const corners = [`6 6`, `6 ${last}`, `${last} 6`];
  const all = places.flatMap((row) => places.map((column) => [row, column]));
  return all.filter(([row, column]) => !corners.includes(`${row} ${column}`));
}

/**
 * Writes level and mask, and the version of those that have seven or more, each twice.
 *
 * @param {Grid} grid
 * @param {number} version
 */
function describe(grid, version) {
  const size = grid.length;
  for (let at = 0; at < 15; at += 1) {
    const bit = ((FORMAT >> at) & 1) === 1;
    grid[at < 6 ? at : at < 8 ? at + 1 : size - 15 + at][8] = bit;
    grid[8][at < 8 ? size - 1 - at : at === 8 ? 7 : 14 - at] = bit;
  }
  grid[size - 8][8] = true;
  if (version < 7) return;
  let rest = version;
  for (let at = 0; at < 12; at += 1) rest = (rest << 1) ^ ((rest >> 11) * VERSION_DIVISOR);
  const bits = (version << 12) | rest;
  for (let at = 0; at < 18; at += 1) {
    const [near, far] = [Math.floor(at / 3), size - 11 + (at % 3)];
    grid[near][far] = ((bits >> at) & 1) === 1;
    grid[far][near] = grid[near][far];
  }
}

/**
 * Writes bytes where nothing is, from the lower right in columns of two, up and down in turn. Mask 0,
 * which turns every other module round, breaks up what would look like an even field.
 *
 * @param {Grid} grid
 * @param {number[]} bytes
 */
function fill(grid, bytes) {
  const size = grid.length;
  let bit = 0;
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    // The column of the dotted line is none of them.
    if (right === 6) right = 5;
    for (let at = 0; at < 2 * size; at += 1) {
      const row = up ? size - 1 - (at >> 1) : at >> 1;
      const column = right - (at % 2);
      if (grid[row][column] !== null) continue;
      const dark = ((bytes[bit >> 3] >> (7 - (bit & 7))) & 1) === 1;
      grid[row][column] = dark !== ((row + column) % 2 === 0);
      bit += 1;
    }
  }
}
