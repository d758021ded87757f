// Stakes of the table's games, and their outcomes.

/**
 * @import { Card, Decision, Kind, Outcome } from "../protocol/messages.js"
 * @import { Game, MessageOf } from "../types.js"
 */

/** Hand size of each game, and the stakes if both players fold, one folds, or both play. */
export const GAMES = {
  "single-card-game": { cards: 1, bothFold: 1, oneFolds: 3, showdown: 10 },
  "double-card-game": { cards: 2, bothFold: 2, oneFolds: 5, showdown: 20 },
};

const RANKS = "23456789TJQKA";

/**
 * Compares two hands: the result is above 0 if `mine` wins, below 0 if `mine` loses, and 0 for a
 * tie.
 *
 * @param {Card[]} mine
 * @param {Card[]} theirs
 */
export function compareHands(mine, theirs) {
  const [own, other] = [mine, theirs].map(sortedRankValues);
  const at = own.findIndex((rank, place) => rank !== other[place]);
  return at < 0 ? 0 : own[at] - other[at];
}

/**
 * Returns the tokens that a player wins, negative if they lose, given both decisions and the
 * comparison of their hand with the opponent's. 0 is a tie of two players who play, which does not
 * end the game.
 *
 * @param {Kind} kind
 * @param {Decision} mine
 * @param {Decision} theirs
 * @param {number} comparison
 */
export function tokenChange(kind, mine, theirs, comparison) {
  const { bothFold, oneFolds, showdown } = GAMES[kind];
  if (mine === "fold") return theirs === "fold" ? -bothFold : -oneFolds;
  return theirs === "fold" ? oneFolds : showdown * Math.sign(comparison);
}

/**
 * Returns the outcome for a player who wins `delta` tokens.
 *
 * @param {Decision} mine
 * @param {Decision} theirs
 * @param {number} delta
 * @returns {Outcome}
 */
export function outcomeOf(mine, theirs, delta) {
  if (mine === "fold" && theirs === "fold") return "both_folded";
  return delta > 0 ? "won" : "lost";
}

/**
 * Returns the last action of both players: a decision, "late" for a player who ran out of time, or
 * nothing.
 *
 * @param {Game} game
 * @param {MessageOf<"result">} result
 */
export function actionsOf({ seat, decision, hasOpponentDecided }, { decisions, forfeited = [] }) {
  const byForfeit = (/** @type {number} */ seat) => (forfeited.includes(seat) ? "late" : "");
  if (!decisions) return { yours: byForfeit(seat), theirs: byForfeit(3 - seat) };
  // The table reports an opponent's decision before the result, unless they ran out of time.
  const isTheirsLate = decisions.theirs === "fold" && !hasOpponentDecided;
  return {
    yours: decision?.timed_out ? "late" : decisions.yours,
    theirs: isTheirsLate ? "late" : decisions.theirs,
  };
}

/**
 * Returns a hand with its highest card first.
 *
 * @param {Card[]} hand
 */
export function sortedHand(hand) {
  return [...hand].sort(([one], [other]) => RANKS.indexOf(other) - RANKS.indexOf(one));
}

/**
 * Returns the ranks of a hand, which are all that is known of a hand that ties with it.
 *
 * @param {Card[]} hand
 */
export function ranksOf(hand) {
  return hand.map(([rank]) => rank);
}

/** @param {Card[]} hand */
function sortedRankValues(hand) {
  return sortedHand(hand).map(([rank]) => RANKS.indexOf(rank));
}
