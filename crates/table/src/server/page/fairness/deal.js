// Dealing of a token game from its seeds, as the server does it.

import { GAMES } from "../state/rules.js";
import { fromHex, hmac, utf8 } from "../sha256.js";

/** @import { Card, Kind } from "../protocol/messages.js" */

/**
 * Returns the hands of a deal, by seat. `rules` is an identifier such as `single-card-game/2`; `seed`
 * is the table's, and `seeds` are the players', in hexadecimal digits.
 *
 * @param {string} rules
 * @param {number} game
 * @param {number} deal
 * @param {string} seed
 * @param {(string | null)[]} seeds
 * @returns {[Card[], Card[]]}
 */
export function dealHands(rules, game, deal, seed, seeds) {
  const message = `${rules}\n${game}\n${deal}\n${seeds[0]}\n${seeds[1]}\n`;
  const deck = shuffledDeck(chacha8Words(hmac(fromHex(seed), utf8(message))));
  const kind = rules === "daily/1" ? "double-card-game" : rules.split("/")[0];
  const { cards } = GAMES[/** @type {Kind} */ (kind)];
  return [deck.slice(0, cards), deck.slice(cards, 2 * cards)];
}

/**
 * Returns a shuffled deck: starts with the deck sorted from the two of clubs to the ace of spades,
 * and shuffles it by Fisher–Yates, from the last card to the first.
 *
 * @param {Iterator<number, never>} stream
 */
function shuffledDeck(stream) {
  const ranks = [..."23456789TJQKA"];
  const cards = [..."cdhs"].flatMap((suit) => ranks.map((rank) => rank + suit));
  for (let last = cards.length - 1; last > 0; last -= 1) {
    const other = uniformBelow(stream, last + 1);
    [cards[last], cards[other]] = [cards[other], cards[last]];
  }
  return cards;
}

/**
 * Returns a uniform number below the bound. Words that would bias the number are rejected.
 *
 * @param {Iterator<number, never>} stream
 * @param {number} bound
 */
function uniformBelow(stream, bound) {
  const limit = Math.floor(2 ** 32 / bound) * bound;
  for (;;) {
    const word = stream.next().value;
    if (word < limit) return word % bound;
  }
}

/**
 * Generates the key stream of ChaCha8, as words of 32 bits.
 *
 * @param {Uint8Array} key
 * @returns {Generator<number, never>}
 */
function* chacha8Words(key) {
  const view = new DataView(key.buffer);
  const keys = Array.from({ length: 8 }, (_, at) => view.getUint32(4 * at, true));
  for (let block = 0; ; block += 1) {
    const start = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, ...keys, block, 0, 0, 0];
    const state = Uint32Array.from(start);
    for (let round = 0; round < 8; round += 2) {
      for (let column = 0; column < 4; column += 1) quarterRound(state, column, 0);
      for (let column = 0; column < 4; column += 1) quarterRound(state, column, 1);
    }
    for (let at = 0; at < 16; at += 1) yield (state[at] + start[at]) >>> 0;
  }
}

/**
 * Applies a quarter round to a column, or with `slope` 1 to the diagonal that begins at the top of
 * this column.
 *
 * @param {Uint32Array} state
 * @param {number} column
 * @param {number} slope
 */
function quarterRound(state, column, slope) {
  const [a, b, c, d] = [0, 1, 2, 3].map((row) => 4 * row + ((column + row * slope) % 4));
  for (const [one, two, three, bits] of [
    [a, b, d, 16],
    [c, d, b, 12],
    [a, b, d, 8],
    [c, d, b, 7],
  ]) {
    state[one] += state[two];
    const mixed = state[three] ^ state[one];
    state[three] = (mixed << bits) | (mixed >>> (32 - bits));
  }
}
