// What cards are called.

import { say } from "./words.js";

/**
 * @import { Card } from "../protocol/messages.js"
 * @import { Word } from "../types.js"
 */

/** @type {Record<string, Word>} */
const RANKS = {
  2: "rank-2",
  3: "rank-3",
  4: "rank-4",
  5: "rank-5",
  6: "rank-6",
  7: "rank-7",
  8: "rank-8",
  9: "rank-9",
  T: "rank-10",
  J: "rank-jack",
  Q: "rank-queen",
  K: "rank-king",
  A: "rank-ace",
};

/** @type {Record<string, Word>} */
const SUITS = { c: "suit-clubs", d: "suit-diamonds", h: "suit-hearts", s: "suit-spades" };

/**
 * What a card such as `Jc` is called, or a rank such as `J` whose suit nobody knows.
 *
 * @param {Card} card
 */
export function name([rank, suit]) {
  if (!suit) return say(RANKS[rank]);
  return say("card", { rank: say(RANKS[rank]), suit: say(SUITS[suit]) });
}

/**
 * What a hand is called.
 *
 * @param {Card[]} cards
 */
export function names(cards) {
  const [first, ...others] = cards.map(name);
  return others.reduce((all, card) => say("and", { cards: all, card }), first ?? "");
}
