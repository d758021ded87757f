// Decisions of finished games, compared with the values of their hands against the computer's
// strategy.

import { ranksOf, sortedHand } from "./rules.js";

/**
 * @import { Card, Decision, Kind } from "../protocol/messages.js"
 * @import { AssessedDecision, DuelRecord, Game, GameHistory, HandValues } from "../types.js"
 */

/**
 * Assesses the player's decisions in a game, given the decision in its last deal. In earlier deals,
 * the player played: only two players who play can tie.
 *
 * @param {HandValues | null} values
 * @param {Pick<Game, "kind" | "hands">} game
 * @param {Decision | undefined} last
 */
export function assessGame(values, { kind, hands }, last) {
  if (values === null || last === undefined) return [];
  return hands.map((hand, at) => assess(values, kind, hand, at < hands.length - 1 ? "play" : last));
}

/**
 * Assesses the decisions of a daily duel. Its score is the sum of their values.
 *
 * @param {HandValues} values
 * @param {DuelRecord} duel
 */
export function assessDuel(values, { hands, decisions }) {
  const assessed = decisions.map((decision, at) => assess(values, "double-card-game", hands[at], decision));
  const best = sum(assessed.map(({ play, fold }) => Math.max(play, fold)));
  return { assessed, best, score: best - sum(assessed.map(({ cost }) => cost)) };
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((all, number) => all + number, 0);
}

/**
 * Sums up the tokens that the player gave away in finished games: on average, and by hand.
 *
 * @param {HandValues} values
 * @param {GameHistory["games"]} games
 */
export function assessHistory(values, games) {
  /** @type {Map<string, { ranks: string, games: number, cost: number }>} */
  const mistakes = new Map();
  let [count, total] = [0, 0];
  for (const { game, cards, yours } of games) {
    if (!cards || (yours !== "play" && yours !== "fold")) continue;
    const { hand, cost } = assess(values, game, cards, yours);
    count += 1;
    total += cost;
    const ranks = ranksOf(hand).join("");
    const before = mistakes.get(ranks) ?? { ranks, games: 0, cost: 0 };
    if (cost > 0) mistakes.set(ranks, { ranks, games: before.games + 1, cost: before.cost + cost });
  }
  const hands = [...mistakes.values()].sort((one, other) => other.cost - one.cost);
  return { games: count, average: total / Math.max(1, count), hands };
}

/**
 * Returns how often a person folded in these games with the player.
 *
 * @param {GameHistory["games"]} games
 * @param {number} player
 */
export function foldRate(games, player) {
  const actions = games.filter(({ opponent }) => opponent.player === player).map(({ theirs }) => theirs);
  const decisions = actions.filter((action) => action === "play" || action === "fold");
  const folds = decisions.filter((action) => action === "fold").length;
  return { games: decisions.length, percent: Math.round((100 * folds) / Math.max(1, decisions.length)) };
}

/**
 * @param {HandValues} values
 * @param {Kind} kind
 * @param {Card[]} cards
 * @param {Decision} decision
 * @returns {AssessedDecision}
 */
function assess(values, kind, cards, decision) {
  const hand = sortedHand(cards);
  const [play, fold] = values[kind][ranksOf(hand).join("")];
  return { hand, play, fold, cost: Math.max(play, fold) - (decision === "play" ? play : fold) };
}
