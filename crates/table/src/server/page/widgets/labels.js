// Names of cards, games and players in the current language.

import { ranksOf, sortedHand } from "../state/rules.js";
import { say } from "./words.js";

/**
 * @import { Card, Kind, Opponent } from "../protocol/messages.js"
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

/** @type {Record<Kind, Word>} */
export const GAME_NAMES = { "single-card-game": "game-single", "double-card-game": "game-double" };

/**
 * Returns the name of a card such as `Jc`, or of a rank such as `J`.
 *
 * @param {Card} card
 */
export function cardName([rank, suit]) {
  if (!suit) return say(RANKS[rank]);
  return say("card", { rank: say(RANKS[rank]), suit: say(SUITS[suit]) });
}

/**
 * Lists the names of a hand's cards.
 *
 * @param {Card[]} cards
 */
export function handName(cards) {
  const [first, ...others] = cards.map(cardName);
  return others.reduce((all, card) => say("and", { cards: all, card }), first ?? "");
}

/**
 * Lists the ranks of a tied hand, which both players have held.
 *
 * @param {Card[]} hand
 */
export function tiedName(hand) {
  return handName(sortedHand(ranksOf(hand)));
}

/**
 * Returns a player's name with their number. Names are not unique, numbers are.
 *
 * @param {Opponent} player
 */
export function playerName({ name, player }) {
  return say("player-named", { name: name ?? say("nameless"), player: String(player) });
}

/**
 * Returns the label of a hand in a table, given its ranks.
 *
 * @param {string} ranks
 */
export function ranksLabel(ranks) {
  return [...ranks].map((rank) => (rank === "T" ? "10" : rank)).join(" ");
}
