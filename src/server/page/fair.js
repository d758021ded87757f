// Checks a finished game as `war replay` does: the commitment, the player's own seed, and
// every hand that the player saw.

import { GAMES } from "./state.js";

/**
 * What is right and wrong about the deals of a game, by the keys of the words; `null` where
 * the browser has no cryptography, as it is on a page without https.
 */
export async function check(game, result) {
  if (!globalThis.crypto?.subtle) return null;
  const { seed, client_seeds: seeds, deals } = result.reveal;
  const secret = bytes(seed);
  const committed = hex(await crypto.subtle.digest("SHA-256", secret));
  return [
    { key: "fair-commitment", right: committed === game.commitment },
    { key: "fair-seed", right: seeds[game.seat - 1] === (game.seed ?? "") },
    { key: "fair-cards", right: await sameCards(game, result, secret, seeds, deals) },
  ];
}

async function sameCards(game, result, secret, seeds, deals) {
  if (game.hands.length !== deals) return false;
  for (let deal = 1; deal <= deals; deal += 1) {
    const hands = await dealt(game, secret, seeds, deal);
    const mine = hands[game.seat - 1];
    const theirs = hands[2 - game.seat];
    if (!same(mine, game.hands[deal - 1])) return false;
    const shown = deal === deals ? result.cards : null;
    if (shown && !(same(mine, shown.yours) && same(theirs, shown.theirs))) return false;
  }
  return true;
}

/** The hands of a deal by seat, derived from the seeds. */
async function dealt(game, secret, seeds, deal) {
  const text = new TextEncoder();
  const [one, two] = seeds.map((seed) => hex(text.encode(seed)));
  const message = `${game.kind}/1\n${game.id}\n${deal}\n${one}\n${two}\n`;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const hmac = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  const key = await crypto.subtle.sign("HMAC", hmac, text.encode(message));
  const deck = shuffled(words(new Uint8Array(key)));
  const { cards } = GAMES[game.kind];
  return [deck.slice(0, cards), deck.slice(cards, 2 * cards)];
}

/** The deck from the two of clubs to the ace of spades, by Fisher–Yates from the end. */
function shuffled(stream) {
  const ranks = [..."23456789TJQKA"];
  const cards = [..."cdhs"].flatMap((suit) => ranks.map((rank) => rank + suit));
  for (let last = cards.length - 1; last > 0; last -= 1) {
    const other = below(stream, last + 1);
    [cards[last], cards[other]] = [cards[other], cards[last]];
  }
  return cards;
}

/** A number below the bound; what would favour some of them is drawn again. */
function below(stream, bound) {
  const fair = Math.floor(2 ** 32 / bound) * bound;
  for (;;) {
    const word = stream.next().value;
    if (word < fair) return word % bound;
  }
}

/** The key stream of ChaCha8, as words of 32 bits. */
function* words(key) {
  const view = new DataView(key.buffer);
  const keys = Array.from({ length: 8 }, (_, at) => view.getUint32(4 * at, true));
  for (let block = 0; ; block += 1) {
    const start = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, ...keys, block, 0, 0, 0];
    const state = Uint32Array.from(start);
    for (let round = 0; round < 8; round += 2) {
      for (let column = 0; column < 4; column += 1) quarter(state, column, 0);
      for (let column = 0; column < 4; column += 1) quarter(state, column, 1);
    }
    for (let at = 0; at < 16; at += 1) yield (state[at] + start[at]) >>> 0;
  }
}

/** A quarter round on a column, or on the diagonal that begins there. */
function quarter(state, column, slope) {
  const [a, b, c, d] = [0, 1, 2, 3].map((row) => 4 * row + ((column + row * slope) % 4));
  for (const [one, two, three, turn] of [[a, b, d, 16], [c, d, b, 12], [a, b, d, 8], [c, d, b, 7]]) {
    state[one] += state[two];
    const mixed = state[three] ^ state[one];
    state[three] = (mixed << turn) | (mixed >>> (32 - turn));
  }
}

function same(one, other) {
  return one.join() === other.join();
}

function bytes(digits) {
  return Uint8Array.from(digits.match(/../g), (pair) => parseInt(pair, 16));
}

/** Bytes as hexadecimal digits. */
export function hex(buffer) {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
