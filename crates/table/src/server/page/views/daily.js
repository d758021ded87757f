// Rendering of the daily duel.

import { homeAddress } from "../controllers/router.js";
import { isOverdue } from "../fairness/verification.js";
import { assessDuel } from "../state/coach.js";
import { GAMES, ranksOf, sortedHand } from "../state/rules.js";
import { byId, createElement, hasChanged } from "../widgets/dom.js";
import { renderHand } from "../widgets/hands.js";
import { handName, ranksLabel } from "../widgets/labels.js";
import { formatNumber, language, say } from "../widgets/words.js";
import { headerCells, tableRow } from "./history.js";

/**
 * @import { Decision } from "../protocol/messages.js"
 * @import { AssessedDecision, DuelRecord, HandValues, ServedDuel, ViewModel, Word } from "../types.js"
 */

const DAY_MS = 86_400_000;
/** @type {Record<Decision, Word>} */
const DECISIONS = { play: "deed-play", fold: "deed-fold" };
/**
 * Verdicts on duels: those of games, and their texts.
 *
 * @typedef {"good" | "bad" | "pending" | "unrecorded"} Verdict
 *
 * @type {Record<Verdict, Word>}
 */
const VERDICTS = {
  good: "fair-good",
  bad: "fair-bad",
  pending: "fair-pending",
  unrecorded: "fair-unrecorded",
};
/** @type {Word[]} */
const COLUMNS = ["past-hand", "past-you", "deed-play", "deed-fold"];

/** @param {ViewModel} model */
export function renderDaily({ duels, handValues, isInputBlocked }) {
  const { today, last, opened, status } = duels;
  const hand = today?.hands[today.decisions.length];
  byId("daily-lead").textContent =
    today && hand ? handTitle(today) : say(leadKey(duels), { time: midnight() });
  byId("daily-game").hidden = !hand;
  if (hand) renderHand("daily-hand", hand);
  const { bothFold, oneFolds, showdown } = GAMES["double-card-game"];
  byId("daily-play-bet").textContent = say("play-bet", { showdown, won: oneFolds });
  byId("daily-fold-bet").textContent = say("fold-bet", { lost: oneFolds, both: bothFold });
  for (const id of ["daily-play", "daily-fold"])
    byId(id).setAttribute("aria-disabled", String(isInputBlocked || status !== "open"));
  renderDuel("today", hand ? null : today, handValues, null, today && verdictToday(today));
  const served = (last && opened[last.day]) ?? null;
  renderDuel("last", last, handValues, served, last && verdictOnLast(last, served, duels));
}

/**
 * Returns the next hand of a duel in words, or its score.
 *
 * @param {DuelRecord} duel
 */
export function duelSummary(duel) {
  const hand = duel.hands[duel.decisions.length];
  return hand ? `${handTitle(duel)}: ${handName(sortedHand(hand))}` : byId("daily-today-score").textContent;
}

/** @param {DuelRecord} duel */
function handTitle({ hands, decisions }) {
  return say("daily-hand", { hand: decisions.length + 1, hands: hands.length });
}

/**
 * Returns the key of the text below the heading when no hand is to be decided.
 *
 * @param {ViewModel["duels"]} duels
 * @returns {Word}
 */
function leadKey({ today, status }) {
  if (today) return "daily-next";
  return status === "none" ? "daily-none" : status === "failed" ? "daily-failed" : "link-trying";
}

/** Returns the local time at which the next day begins in UTC. */
function midnight() {
  const next = new Date(Math.ceil((Date.now() + 1) / DAY_MS) * DAY_MS);
  return next.toLocaleTimeString(language(), { hour: "2-digit", minute: "2-digit" });
}

/**
 * Renders the decisions of a duel and their values, and the table's seed once it is opened.
 *
 * @param {"today" | "last"} part
 * @param {DuelRecord | null} duel
 * @param {HandValues | null} values
 * @param {ServedDuel | null} opened
 * @param {[Verdict, Word] | null} verdict with the text about it
 */
function renderDuel(part, duel, values, opened, verdict) {
  byId(`daily-${part}`).hidden = !duel || !values;
  if (!duel || !values || !verdict) return;
  const { day, commitment, decisions } = duel;
  const assessment = assessDuel(values, duel);
  const sums = {
    day,
    score: formatNumber(assessment.score, true),
    best: formatNumber(assessment.best, true),
    marks: assessment.assessed.map(markOf).join(""),
    address: `${homeAddress()}daily`,
  };
  byId(`daily-${part}-score`).textContent = say(part === "today" ? "daily-score" : "daily-last", sums);
  const table = byId(`daily-${part}-hands`);
  if (hasChanged(table, language(), day, decisions, opened))
    renderHands(table, decisions, assessment.assessed, opened);
  const [name, about] = verdict;
  byId(`daily-${part}-verdict`).textContent = say(VERDICTS[name]);
  byId(`daily-${part}-verdict`).dataset.is = name;
  byId(`daily-${part}-about`).textContent = say(about, { time: midnight() });
  byId(`daily-${part}-commitment`).textContent = commitment;
  if (part === "today") byId("daily-line").textContent = say("daily-line", sums);
  else byId("daily-last-command").textContent = `war replay journal.json --expect-commitment ${commitment}`;
}

/** @param {AssessedDecision} hand */
function markOf({ cost }) {
  return cost > 0 ? "✗" : "✓";
}

/**
 * Renders a row for each hand, with the house's cards and the journal once the duel is opened.
 *
 * @param {HTMLElement} table
 * @param {Decision[]} decisions
 * @param {AssessedDecision[]} assessed
 * @param {ServedDuel | null} opened
 */
function renderHands(table, decisions, assessed, opened) {
  const rows = assessed.map((hand, at) => {
    const decided = `${say(DECISIONS[decisions[at]])} ${markOf(hand)}`;
    const numbers = [hand.play, hand.fold].map((tokens) => formatNumber(tokens));
    const row = tableRow(ranksLabel(ranksOf(hand.hand).join("")), [decided, ...numbers]);
    if (opened?.house) row.append(houseCell(opened, at, decisions[at]));
    return row;
  });
  const columns = opened ? [...COLUMNS, /** @type {Word} */ ("ladder-house")] : COLUMNS;
  table.replaceChildren(headerCells(columns), ...rows);
}

/**
 * Returns the verdict on the duel of the day, and the text about it.
 *
 * @param {DuelRecord} duel
 * @returns {[Verdict, Word]}
 */
function verdictToday({ verdict }) {
  return verdict === "bad" ? ["bad", "daily-bad"] : ["pending", "daily-pending"];
}

/**
 * Returns the verdict on an earlier duel, and the text about it.
 *
 * @param {DuelRecord} duel
 * @param {ServedDuel | null} opened
 * @param {ViewModel["duels"]} duels
 * @returns {[Verdict, Word]}
 */
function verdictOnLast(duel, opened, { today, unopened }) {
  if (duel.verdict) return [duel.verdict, duel.verdict === "bad" ? "daily-bad" : "daily-good"];
  if (opened) return ["unrecorded", "daily-unlogged"];
  if (!unopened.includes(duel.day)) return ["pending", "daily-failed"];
  return [isOverdue(duel, today?.day ?? null) ? "unrecorded" : "pending", "daily-unopened"];
}

/**
 * @param {ServedDuel} opened
 * @param {number} at
 * @param {Decision} decision
 */
function houseCell({ day, house = [] }, at, decision) {
  const { cards, decision: theirs } = house[at];
  const text = `${ranksLabel(ranksOf(sortedHand(cards)).join(""))}, ${say(DECISIONS[theirs])}`;
  const cell = document.createElement("td");
  const href = `daily/${day}/${at + 1}/${decision}/journal.json`;
  cell.append(Object.assign(createElement("a", text), { href, download: "journal.json" }));
  return cell;
}
