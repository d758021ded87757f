// Encoder of QR codes (ISO/IEC 18004): byte mode, error correction level M, versions 1 to 15.

/**
 * Modules by rows, from the upper left; `null` for those that are still free.
 *
 * @typedef {(boolean | null)[][]} Grid
 */

/** Error correction bytes per block, and the number of blocks, by version from 1. */
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
/** Format information of level M and mask 0. */
const FORMAT_BITS = 0x5412;
/** Generator of the error correction bits of the version information. */
const VERSION_GENERATOR = 0x1f25;
/** Polynomial of the field with 256 elements. */
const FIELD_POLYNOMIAL = 0x11d;
/** Bytes that fill the remaining capacity, in turn. */
const PAD_BYTES = [0xec, 0x11];

/**
 * Encodes a text; returns the modules by rows, `true` for dark ones, or `null` if the text is too
 * long.
 *
 * @param {string} text
 * @returns {boolean[][] | null}
 */
export function encodeQrCode(text) {
  const bytes = new TextEncoder().encode(text);
  const version = BLOCKS.findIndex((_, at) => capacity(at + 1) >= bytes.length + headerBytes(at + 1)) + 1;
  if (version === 0) return null;
  const grid = functionPatterns(version);
  placeBytes(grid, withErrorCorrection(encodeData(bytes, version), version));
  return grid.map((row) => row.map(Boolean));
}

/**
 * Returns the number of bytes taken by the mode, the length and the terminator.
 *
 * @param {number} version
 */
function headerBytes(version) {
  return version < 10 ? 2 : 3;
}

/**
 * Returns the number of data bytes of a version.
 *
 * @param {number} version
 */
function capacity(version) {
  const [correction, blocks] = BLOCKS[version - 1];
  return totalBytes(version) - correction * blocks;
}

/**
 * Returns the number of all bytes of a version.
 *
 * @param {number} version
 */
function totalBytes(version) {
  const free = functionPatterns(version)
    .flat()
    .filter((module) => module === null);
  return Math.floor(free.length / 8);
}

/**
 * Encodes the data bytes: mode, length, text, terminator and padding.
 *
 * @param {Uint8Array} bytes
 * @param {number} version
 */
function encodeData(bytes, version) {
  const length = bytes.length.toString(2).padStart(version < 10 ? 8 : 16, "0");
  const text = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  const bits = `0100${length}${text}0000`;
  const data = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  for (let at = 0; data.length < capacity(version); at += 1) data.push(PAD_BYTES[at % 2]);
  return data;
}

/**
 * Adds the error correction bytes, and interleaves the blocks.
 *
 * @param {number[]} data
 * @param {number} version
 */
function withErrorCorrection(data, version) {
  const [correction, count] = BLOCKS[version - 1];
  const short = Math.floor(data.length / count);
  const long = data.length % count;
  const blocks = Array.from({ length: count }, (_, at) => {
    // The last blocks are one byte longer than the others.
    const more = Math.max(0, at - (count - long));
    return data.slice(at * short + more, (at + 1) * short + Math.max(0, at + 1 - (count - long)));
  });
  const corrections = blocks.map((block) => errorCorrection(block, correction));
  return [...interleave(blocks), ...interleave(corrections)];
}

/**
 * Interleaves the blocks, taking one byte of each block in turn.
 *
 * @param {number[][]} blocks
 */
function interleave(blocks) {
  const longest = Math.max(...blocks.map((block) => block.length));
  const places = Array.from({ length: longest }, (_, at) => at);
  return places.flatMap((at) => blocks.filter((block) => at < block.length).map((block) => block[at]));
}

/**
 * Returns the Reed–Solomon bytes of a block.
 *
 * @param {number[]} block
 * @param {number} degree
 */
function errorCorrection(block, degree) {
  const divisor = generatorPolynomial(degree);
  const rest = Array(degree).fill(0);
  for (const byte of block) {
    const factor = byte ^ rest[0];
    rest.shift();
    rest.push(0);
    for (const [at, by] of divisor.entries()) rest[at] ^= multiply(by, factor);
  }
  return rest;
}

/**
 * Returns the product of `x - 2^i` for each `i` below the degree, without its leading coefficient.
 *
 * @param {number} degree
 */
function generatorPolynomial(degree) {
  let product = [1];
  let root = 1;
  for (let at = 0; at < degree; at += 1) {
    const raised = [...product, 0];
    const scaled = [0, ...product.map((coefficient) => multiply(coefficient, root))];
    product = raised.map((coefficient, place) => coefficient ^ scaled[place]);
    root = multiply(root, 2);
  }
  return product.slice(1);
}

/**
 * Multiplies two elements of the field.
 *
 * @param {number} one
 * @param {number} other
 */
function multiply(one, other) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * FIELD_POLYNOMIAL);
    product ^= ((other >> bit) & 1) * one;
  }
  return product;
}

/**
 * Creates a grid with the function patterns, and free modules for the data.
 *
 * @param {number} version
 * @returns {Grid}
 */
function functionPatterns(version) {
  const size = 17 + 4 * version;
  /** @type {Grid} */
  const grid = Array.from({ length: size }, () => Array(size).fill(null));
  const last = size - 7;
  for (const [row, column] of [
    [0, 0],
    [0, last],
    [last, 0],
  ]) {
    drawSquares(grid, row + 3, column + 3, 4, (ring) => ring !== 2 && ring !== 4);
  }
  for (const [row, column] of alignmentCenters(version))
    drawSquares(grid, row, column, 2, (ring) => ring !== 1);
  for (let at = 8; at < size - 8; at += 1) {
    grid[6][at] = at % 2 === 0;
    grid[at][6] = at % 2 === 0;
  }
  drawFormat(grid, version);
  return grid;
}

/**
 * Draws concentric squares around a module, as far as they are in the grid.
 *
 * @param {Grid} grid
 * @param {number} row
 * @param {number} column
 * @param {number} radius
 * @param {(ring: number) => boolean} isDark
 */
function drawSquares(grid, row, column, radius, isDark) {
  for (let down = -radius; down <= radius; down += 1) {
    for (let across = -radius; across <= radius; across += 1) {
      const [y, x] = [row + down, column + across];
      const ring = Math.max(Math.abs(down), Math.abs(across));
      if (grid[y]?.[x] !== undefined) grid[y][x] = isDark(ring);
    }
  }
}

/**
 * Returns the centers of the alignment patterns; corners with finder patterns have none.
 *
 * @param {number} version
 */
function alignmentCenters(version) {
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
 * Draws the format information, and from version 7 the version information, each twice.
 *
 * @param {Grid} grid
 * @param {number} version
 */
function drawFormat(grid, version) {
  const size = grid.length;
  for (let at = 0; at < 15; at += 1) {
    const bit = ((FORMAT_BITS >> at) & 1) === 1;
    grid[at < 6 ? at : at < 8 ? at + 1 : size - 15 + at][8] = bit;
    grid[8][at < 8 ? size - 1 - at : at === 8 ? 7 : 14 - at] = bit;
  }
  grid[size - 8][8] = true;
  if (version < 7) return;
  let rest = version;
  for (let at = 0; at < 12; at += 1) rest = (rest << 1) ^ ((rest >> 11) * VERSION_GENERATOR);
  const bits = (version << 12) | rest;
  for (let at = 0; at < 18; at += 1) {
    const [near, far] = [Math.floor(at / 3), size - 11 + (at % 3)];
    grid[near][far] = ((bits >> at) & 1) === 1;
    grid[far][near] = grid[near][far];
  }
}

/**
 * Places bytes in the free modules, from the lower right in columns of two, up and down in turn. Mask
 * 0, which inverts every other module, breaks up even areas.
 *
 * @param {Grid} grid
 * @param {number[]} bytes
 */
function placeBytes(grid, bytes) {
  const size = grid.length;
  let bit = 0;
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    // The vertical timing pattern takes a whole column, which holds no data.
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
