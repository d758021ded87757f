// SHA-256 and HMAC. Browsers provide them only for pages served over HTTPS or from localhost, but
// players at tables served in other ways commit to their seeds too.

// prettier-ignore
const ROUNDS = Uint32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);

// prettier-ignore
const IV = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

const BLOCK = 64;

/**
 * Computes the SHA-256 hash of bytes.
 *
 * @param {Uint8Array} data
 */
export function sha256(data) {
  const state = Uint32Array.from(IV);
  const padded = pad(data);
  for (let at = 0; at < padded.byteLength; at += BLOCK)
    compress(state, new DataView(padded.buffer, at, BLOCK));
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, at) => digest.setUint32(4 * at, word));
  return new Uint8Array(digest.buffer);
}

/**
 * Computes the HMAC-SHA256 of bytes with a key.
 *
 * @param {Uint8Array} key
 * @param {Uint8Array} data
 */
export function hmac(key, data) {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const masked = (/** @type {number} */ mask) => block.map((byte) => byte ^ mask);
  return sha256(concatenate(masked(0x5c), sha256(concatenate(masked(0x36), data))));
}

/**
 * Computes the SHA-256 hash of bytes, both in hexadecimal digits.
 *
 * @param {string} digits
 */
export function sha256OfHex(digits) {
  return toHex(sha256(fromHex(digits)));
}

/**
 * Concatenates bytes.
 *
 * @param {ArrayLike<number>[]} parts
 */
export function concatenate(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Encodes a text in UTF-8.
 *
 * @param {string} text
 */
export function utf8(text) {
  return new TextEncoder().encode(text);
}

/**
 * Decodes hexadecimal digits.
 *
 * @param {string} digits
 */
export function fromHex(digits) {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/**
 * Encodes bytes as hexadecimal digits.
 *
 * @param {Uint8Array} data
 */
export function toHex(data) {
  return Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Returns true for 32 bytes in hexadecimal digits, the form of hashes and seeds.
 *
 * @param {unknown} value
 * @returns {value is string}
 */
export function isHash(value) {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

/**
 * Pads data to whole blocks: a one bit, zeros, and its length in bits.
 *
 * @param {Uint8Array} data
 */
function pad(data) {
  const blocks = Math.ceil((data.length + 9) / BLOCK);
  const padded = new Uint8Array(blocks * BLOCK);
  padded.set(data);
  padded[data.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, 8n * BigInt(data.length));
  return padded;
}

/**
 * Mixes a block into the state.
 *
 * @param {Uint32Array} state
 * @param {DataView} block
 */
function compress(state, block) {
  const words = schedule(block);
  let [a, b, c, d, e, f, g, h] = state;
  for (let round = 0; round < 64; round += 1) {
    const chosen = (e & f) ^ (~e & g);
    const most = (a & b) ^ (a & c) ^ (b & c);
    const one =
      h +
      (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) +
      chosen +
      ROUNDS[round] +
      words[round];
    const two = (rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + most;
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => {
    state[at] += word;
  });
}

/**
 * Expands a block into the message schedule.
 *
 * @param {DataView} block
 */
function schedule(block) {
  const words = new Uint32Array(64);
  for (let at = 0; at < 16; at += 1) words[at] = block.getUint32(4 * at);
  for (let at = 16; at < 64; at += 1) {
    const [early, late] = [words[at - 15], words[at - 2]];
    const one = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early >>> 3);
    const two = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10);
    words[at] = words[at - 16] + one + words[at - 7] + two;
  }
  return words;
}

/**
 * @param {number} word
 * @param {number} bits
 */
function rotateRight(word, bits) {
  return (word >>> bits) | (word << (32 - bits));
}
