// Rendering of the coach: after a game, and for the player's finished games.

import { assessGame, assessHistory, foldRate } from "../state/coach.js";
import { byId, createElement } from "../widgets/dom.js";
import { playerName, ranksLabel } from "../widgets/labels.js";
import { formatNumber, say } from "../widgets/words.js";
import { headerCells, tableRow } from "./history.js";

/**
 * @import { Opponent } from "../protocol/messages.js"
 * @import { GameHistory, ResultState, ViewModel } from "../types.js"
 */

/**
 * Renders the coach's assessment of the finished game, a line for each deal.
 *
 * @param {ViewModel<ResultState>} model
 */
export function renderCoach({ state: { game, result }, handValues }) {
  const decisions = assessGame(handValues, game, result.decisions?.yours);
  const items = decisions.map(({ play, fold, cost }, at) => {
    const deal = decisions.length > 1 ? `${say("coach-deal", { deal: at + 1 })} ` : "";
    const values = { play: rounded(play), fold: rounded(fold) };
    const verdict = say(cost > 0 ? "coach-wrong" : "coach-right", values);
    const item = createElement("li", `${deal}${verdict} `);
    item.append(createElement("span", say("coach-about")));
    return item;
  });
  byId("coach").replaceChildren(...items);
}

/**
 * Renders the tokens that the player gave away in the loaded games, and the fold rates of the
 * people in them.
 *
 * @param {ViewModel} model
 */
export function renderMistakes({ handValues, gameHistory: { games } }) {
  renderPeople(games);
  const summary = handValues && assessHistory(handValues, games);
  byId("past-coach").hidden = !summary?.games;
  if (!summary) return;
  const tokens = say("tokens", { n: rounded(summary.average) });
  byId("past-given").textContent = say("past-given", { n: summary.games, tokens });
  const rows = summary.hands.map(({ ranks, games: n, cost }) =>
    tableRow(ranksLabel(ranks), [formatNumber(n), formatNumber(rounded(cost))]),
  );
  const head = headerCells(["past-hand", "past-games", "past-mistakes"]);
  byId("past-mistakes").replaceChildren(...(rows.length > 0 ? [head, ...rows] : []));
}

/** @param {GameHistory["games"]} games */
function renderPeople(games) {
  /** @type {Map<number, Opponent>} */
  const people = new Map();
  for (const { opponent } of games) {
    if (!opponent.house && !people.has(opponent.player)) people.set(opponent.player, opponent);
  }
  const rows = [...people.values()].map((person) => {
    const { games: n, percent } = foldRate(games, person.player);
    return tableRow(playerName(person), [formatNumber(n), `${percent}%`]);
  });
  byId("past-people").hidden = rows.length === 0;
  const head = headerCells(["ladder-player", "past-games", "past-folded"]);
  byId("past-rates").replaceChildren(head, ...rows);
}

/**
 * Rounds tokens to hundredths. Adding zero turns a negative zero into a positive one.
 *
 * @param {number} tokens
 */
function rounded(tokens) {
  return Math.round(100 * tokens) / 100 + 0;
}
