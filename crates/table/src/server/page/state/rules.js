// The games of the table: their stakes, and who wins.

/** @import { Card, Decision, Kind, Outcome } from "../protocol/messages.js" */

/** The games with their stakes: what both lose folding, what a fold costs, a showdown. */
export const GAMES = {
  "single-card-game": { cards: 1, bothFold: 1, oneFolds: 3, showdown: 10 },
  "double-card-game": { cards: 2, bothFold: 2, oneFolds: 5, showdown: 20 },
};

const RANKS = "23456789TJQKA";

/**
 * Whether a hand beats another: above 0 where it does, below 0 where it loses, 0 in a tie.
 *
 * @param {Card[]} mine
 * @param {Card[]} theirs
 */
export function compared(mine, theirs) {
  const [one, other] = [mine, theirs].map(ranks);
  const at = one.findIndex((rank, place) => rank !== other[place]);
  return at < 0 ? 0 : one[at] - other[at];
}

/**
 * What a player wins by both decisions, or loses where it is negative; `comparison` is that of
 * their hand with the other's. 0 is a tie of two who play, which ends no game.
 *
 * @param {Kind} kind
 * @param {Decision} mine
 * @param {Decision} theirs
 * @param {number} comparison
 */
export function change(kind, mine, theirs, comparison) {
  const { bothFold, oneFolds, showdown } = GAMES[kind];
  if (mine === "fold") return theirs === "fold" ? -bothFold : -oneFolds;
  return theirs === "fold" ? oneFolds : showdown * Math.sign(comparison);
}

/**
 * What a result is called by what both decided, and by what it brings a player.
 *
 * @param {Decision} mine
 * @param {Decision} theirs
 * @param {number} delta
 * @returns {Outcome}
 */
export function outcome(mine, theirs, delta) {
  if (mine === "fold" && theirs === "fold") return "both_folded";
  return delta > 0 ? "won" : "lost";
}

/**
 * The cards of a hand, the highest first.
 *
 * @param {Card[]} hand
 */
export function highestFirst(hand) {
  return [...hand].sort(([one], [other]) => RANKS.indexOf(other) - RANKS.indexOf(one));
}

/**
 * What a hand that is equal to this one shows of itself: its ranks.
 *
 * @param {Card[]} hand
 */
export function equals(hand) {
  return hand.map(([rank]) => rank);
}

/**
 * The ranks of a hand, the highest first.
 *
 * @param {Card[]} hand
 */
function ranks(hand) {
  return highestFirst(hand).map(([rank]) => RANKS.indexOf(rank));
}
