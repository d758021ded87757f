// BLAKE3, which browsers don't provide.

const IV = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const ROUNDS = 7;
const BLOCK = 64;
const CHUNK = 1024;
const [CHUNK_START, CHUNK_END, PARENT, ROOT] = [1, 2, 4, 8];

/** Hexadecimal digits of every byte. */
const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Index of the message word for each step of all rounds. */
const ORDER = Array.from({ length: 16 }, (_, at) => at);
for (let at = 16; at < 16 * ROUNDS; at += 1) ORDER.push(ORDER[at - 16 - (at % 16) + PERMUTATION[at % 16]]);

const state = new Uint32Array(16);
const words = new Uint32Array(16);
const encoder = new TextEncoder();

/**
 * Computes the BLAKE3 hash of a text in UTF-8, as 64 hexadecimal digits.
 * @param {string} text
 */
export function blake3(text) {
  let digits = "";
  for (const word of hashTree(encoder.encode(text), 0, ROOT)) {
    digits +=
      DIGITS[word & 255] + DIGITS[(word >> 8) & 255] + DIGITS[(word >> 16) & 255] + DIGITS[word >>> 24];
  }
  return digits;
}

/** Computes the chaining value of bytes; `number` is the number of their first chunk. */
function hashTree(bytes, number, flags) {
  if (bytes.length <= CHUNK) return hashChunk(bytes, number, flags);
  const left = 2 ** (31 - Math.clz32((bytes.length - 1) / CHUNK));
  const both = [
    ...hashTree(bytes.subarray(0, left * CHUNK), number, 0),
    ...hashTree(bytes.subarray(left * CHUNK), number + left, 0),
  ];
  words.set(both);
  return compress(Uint32Array.from(IV), 0, BLOCK, PARENT | flags);
}

function hashChunk(bytes, number, flags) {
  const chain = Uint32Array.from(IV);
  const last = Math.max(0, Math.ceil(bytes.length / BLOCK) - 1) * BLOCK;
  for (let at = 0; at <= last; at += BLOCK) {
    const length = Math.min(BLOCK, bytes.length - at);
    readBlock(bytes, at, length);
    const ends = at === last ? CHUNK_END | flags : 0;
    compress(chain, number, length, (at === 0 ? CHUNK_START : 0) | ends);
  }
  return chain;
}

/** Reads the words of a block, padded with zeros. */
function readBlock(bytes, from, length) {
  words.fill(0);
  for (let at = 0; at < length; at += 1) words[at >> 2] |= bytes[from + at] << (8 * (at & 3));
}

/** Computes the next chaining value from this one and the block, in place. */
function compress(chain, number, length, flags) {
  state.set(chain);
  for (let at = 0; at < 4; at += 1) state[8 + at] = IV[at];
  state[12] = number;
  state[13] = number / 2 ** 32;
  state[14] = length;
  state[15] = flags;
  for (let at = 0; at < ORDER.length; at += 16) {
    mix(0, 4, 8, 12, at);
    mix(1, 5, 9, 13, at + 2);
    mix(2, 6, 10, 14, at + 4);
    mix(3, 7, 11, 15, at + 6);
    mix(0, 5, 10, 15, at + 8);
    mix(1, 6, 11, 12, at + 10);
    mix(2, 7, 8, 13, at + 12);
    mix(3, 4, 9, 14, at + 14);
  }
  for (let at = 0; at < 8; at += 1) chain[at] = state[at] ^ state[at + 8];
  return chain;
}

function mix(a, b, c, d, at) {
  state[a] += state[b] + words[ORDER[at]];
  state[d] = rotateRight(state[d] ^ state[a], 16);
  state[c] += state[d];
  state[b] = rotateRight(state[b] ^ state[c], 12);
  state[a] += state[b] + words[ORDER[at + 1]];
  state[d] = rotateRight(state[d] ^ state[a], 8);
  state[c] += state[d];
  state[b] = rotateRight(state[b] ^ state[c], 7);
}

function rotateRight(word, bits) {
  return (word >>> bits) | (word << (32 - bits));
}
