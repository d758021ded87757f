// Random number generators: they draw numbers below a bound, shuffle, and toss coins.

import { CHACHA, JAVA } from "./fields.js";
import { ensure } from "./fault.js";

const [M48, M64] = [2n ** 48n - 1n, 2n ** 64n - 1n];
const [I64, U64] = [2n ** 63n, 2n ** 64n];

class Chance {
  /** Tosses a coin for one of two orders. */
  chooseOrder(heads, tails) {
    return this.below(2) ? tails : heads;
  }

  shuffle(cards) {
    for (let last = cards.length - 1; last > 0; last -= 1) swap(cards, last, this.below(last + 1));
  }

  /** Skips the order recorded for a hand that isn't shuffled; only `RecordedChance` has orders. */
  skipHand() {}
}

function swap(cards, one, other) {
  [cards[one], cards[other]] = [cards[other], cards[one]];
}

/** ChaCha with 8 rounds, as a stream of words. */
export class ChaCha8 extends Chance {
  /** @param {Uint8Array} key  32 bytes */
  constructor(key) {
    super();
    const words = new DataView(key.buffer, key.byteOffset);
    this.start = Uint32Array.of(
      0x61707865,
      0x3320646e,
      0x79622d32,
      0x6b206574,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
    );
    for (let at = 0; at < 8; at += 1) this.start[4 + at] = words.getUint32(4 * at, true);
    this.blocks = 0;
    this.words = [];
  }

  nextWord() {
    if (this.words.length === 0) this.words = [...this.nextBlock()].reverse();
    return this.words.pop();
  }

  nextBlock() {
    this.start[12] = this.blocks;
    this.start[13] = this.blocks / 2 ** 32;
    this.blocks += 1;
    const x = Uint32Array.from(this.start);
    for (let twice = 0; twice < 4; twice += 1) {
      for (const turn of [0, 1]) {
        for (let at = 0; at < 4; at += 1) {
          quarterRound(x, at, 4 + ((at + turn) & 3), 8 + ((at + 2 * turn) & 3), 12 + ((at + 3 * turn) & 3));
        }
      }
    }
    return x.map((word, at) => word + this.start[at]);
  }

  below(bound) {
    const end = Math.floor(2 ** 32 / bound) * bound;
    for (;;) {
      const word = this.nextWord();
      if (word < end) return word % bound;
    }
  }
}

function quarterRound(x, a, b, c, d) {
  for (const [i, j, k, bits] of [
    [a, b, d, 16],
    [c, d, b, 12],
    [a, b, d, 8],
    [c, d, b, 7],
  ]) {
    x[i] += x[j];
    const word = x[k] ^ x[i];
    x[k] = (word << bits) | (word >>> (32 - bits));
  }
}

/** The generator of `java.util.Random`. */
export class JavaRandom extends Chance {
  /** @param {bigint} seed */
  constructor(seed) {
    super();
    this.state = (seed ^ 0x5deece66dn) & M48;
  }

  nextWord() {
    this.state = (this.state * 0x5deece66dn + 0xbn) & M48;
    return Number(this.state >> 17n);
  }

  below(bound) {
    if ((bound & (bound - 1)) === 0) return Math.floor((bound * this.nextWord()) / 2 ** 31);
    for (;;) {
      const word = this.nextWord();
      if (word - (word % bound) + bound - 1 < 2 ** 31) return word % bound;
    }
  }
}

/** xoshiro256++, with a separate state for each game of a seed. */
export class Xoshiro extends Chance {
  /**
   * @param {bigint} seed
   * @param {bigint} game
   */
  constructor(seed, game) {
    super();
    const start = splitMix(seed, 0n);
    this.state = [0n, 1n, 2n, 3n].map((at) => splitMix(start, 4n * game + at));
  }

  nextWord() {
    let [s0, s1, s2, s3] = this.state;
    const word = (rotateLeft((s0 + s3) & M64, 23n) + s0) & M64;
    const t = (s1 << 17n) & M64;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    this.state = [s0, s1, s2, rotateLeft(s3, 45n)];
    return word;
  }

  /** Draws a word from which every number below the bound follows with the same probability. */
  nextUnbiasedWord(bound) {
    for (;;) {
      const word = this.nextWord();
      if (((word * bound) & M64) >= U64 % bound) return word;
    }
  }

  below(bound) {
    return Number((this.nextUnbiasedWord(BigInt(bound)) * BigInt(bound)) >> 64n);
  }

  shuffle(cards) {
    for (let bound = cards.length; bound > 1;) {
      // The bounds from `bound` down to `last` share a word.
      let [last, product] = [bound, bound];
      while (last > 2 && product * (last - 1) < 2 ** 56) product *= --last;
      let word = this.nextUnbiasedWord(BigInt(product));
      while (bound >= last) {
        word *= BigInt(bound);
        bound -= 1;
        swap(cards, bound, Number(word >> 64n));
        word &= M64;
      }
    }
  }
}

function rotateLeft(word, bits) {
  return ((word << bits) | (word >> (64n - bits))) & M64;
}

/** Returns an output of SplitMix64, counted from 0. */
function splitMix(seed, number) {
  let z = (seed + (number + 1n) * 0x9e3779b97f4a7c15n) & M64;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & M64;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & M64;
  return z ^ (z >> 31n);
}

/** Repeats the results of chance recorded in an event, as far as they are possible. */
export class RecordedChance extends Chance {
  /** @param {object} content  the content of the event */
  constructor({ hands, takes, cards, plays = [] }) {
    super();
    const taken = takes ? takes.map((take) => take.cards) : [cards].filter(Boolean);
    this.orders = [...(hands ?? taken)];
    this.indices = plays.map(({ index = 0 }) => index);
  }

  below(bound) {
    const index = this.indices.shift() ?? 0;
    return index < bound ? index : 0;
  }

  shuffle(cards) {
    const [order] = this.orders;
    if (!order || String(sortCards(cards)) !== String(sortCards(order))) return;
    cards.splice(0, cards.length, ...order);
    this.skipHand();
  }

  chooseOrder(heads, tails) {
    return String(this.orders[0]) === String(tails) ? tails : heads;
  }

  skipHand() {
    this.orders.shift();
  }
}

/** Sorts cards from the lowest to the highest. */
export function sortCards(cards) {
  return [...cards].sort((one, other) => one - other);
}

/**
 * Creates the generator with this name and seed.
 * @throws {Fault} if the seed is not valid for the generator
 */
export function createGenerator(name, seed) {
  const numbers = seed.split(":");
  const isSigned = name === JAVA;
  const fits = numbers.every(
    (number) =>
      /^(?:0|-?[1-9][0-9]{0,19})$/.test(number) &&
      BigInt(number) >= (isSigned ? -I64 : 0n) &&
      BigInt(number) < (isSigned ? I64 : U64),
  );
  ensure(fits && numbers.length === (name === CHACHA || isSigned ? 1 : 2), "WJ103");
  const values = numbers.map(BigInt);
  if (name === JAVA) return new JavaRandom(...values);
  if (name !== CHACHA) return new Xoshiro(...values);
  const key = new DataView(new ArrayBuffer(32));
  key.setBigUint64(0, values[0], true);
  return new ChaCha8(new Uint8Array(key.buffer));
}
