// The daily duel: loads it, stores the player's decisions, and verifies earlier duels.

import { dayLeaf } from "../fairness/log-format.js";
import { expect, raiseAlarm } from "../fairness/log-monitor.js";
import { isFairDuel, isSameDuel } from "../fairness/verification.js";
import * as storage from "../state/storage.js";
import { blockInput, isInputBlocked, store } from "../state/store.js";

/**
 * @import { Decision } from "../protocol/messages.js"
 * @import { ServedDuel } from "../types.js"
 */

/** Number of stored duels. */
const MAX_STORED = 7;
/** Interval of attempts to load a duel. */
const RETRY_MS = 10_000;

/**
 * Loads the duel of the day and the last earlier one, unless this has been done.
 *
 * @param {() => void} update
 */
export async function loadDuels(update) {
  const date = new Date(Date.now()).toISOString().slice(0, 10);
  if (store.duels.loadedOn === date || performance.now() < store.duels.nextAttempt) return;
  store.duels.nextAttempt = performance.now() + RETRY_MS;
  const response = await fetch("daily.json").catch(() => null);
  const today = await parse(response);
  const isTodayWrong = today !== null && !keep(today);
  const isMissing = response?.status === 404;
  // A duel that is on the screen stays there while the table can't be reached.
  const day = today?.day ?? (isMissing ? null : store.duels.today);
  const status = day ? "open" : isMissing ? "none" : "failed";
  const last = storage.duels().findLast((duel) => duel.day !== day && duel.decisions.length > 0);
  const opened = last ? await parse(await fetch(`daily/${last.day}.json`).catch(() => null)) : null;
  const isOpened = opened?.seed !== undefined;
  if (opened) expectLeaf(opened);
  const isLastWrong =
    last && opened && (!isSameDuel(last, opened) || (isOpened && !isFairDuel(last, opened)));
  const isWrong = store.duels.isWrong || isTodayWrong || isLastWrong === true;
  if (isWrong) raiseAlarm("alarm-duel");
  // The table opens a duel some seconds after midnight, and the clocks may differ.
  const isComplete = today?.day === date && (!last || isOpened);
  store.duels = {
    ...store.duels,
    status,
    today: day,
    last: last?.day ?? null,
    opened: isOpened ? opened : null,
    isWrong,
    loadedOn: isComplete ? date : null,
  };
  update();
}

/**
 * Returns the duel in a response, if there is one.
 *
 * @param {Response | null} response
 * @returns {Promise<ServedDuel | null>}
 */
async function parse(response) {
  return response?.ok ? response.json().catch(() => null) : null;
}

/**
 * Stores a new duel, and expects the table's commitment in the log. Returns false if the table has
 * committed to another duel or too late.
 *
 * @param {ServedDuel} served
 */
function keep(served) {
  const { day, commitment, hands } = served;
  const duels = storage.duels();
  const duel = duels.find((known) => known.day === day) ?? { day, commitment, hands, decisions: [] };
  if (!duels.includes(duel)) storage.saveDuels([...duels, duel].slice(-MAX_STORED));
  expectLeaf(served);
  return isSameDuel(duel, served);
}

/**
 * Expects the table's commitment to a duel in the log.
 *
 * @param {ServedDuel} served
 */
function expectLeaf(served) {
  expect(dayLeaf(served), Date.now(), served.leaf);
}

/**
 * Stores the decision on the next hand of the day, and shows the following one. Returns the duel
 * with the decision; `null` if there is nothing to decide.
 *
 * @param {Decision} decision
 * @param {() => void} update
 */
export function decideHand(decision, update) {
  const duels = storage.duels();
  const duel = duels.find(({ day }) => day === store.duels.today);
  if (!duel || duel.decisions.length === duel.hands.length || isInputBlocked()) return null;
  duel.decisions.push(decision);
  storage.saveDuels(duels);
  blockInput(update);
  update();
  return duel;
}
