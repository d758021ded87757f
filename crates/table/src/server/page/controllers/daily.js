// The daily duel: loads it, stores the player's decisions, and verifies earlier duels.

import { dayLeaf } from "../fairness/log-format.js";
import { expectAt, hasFound, raiseAlarm } from "../fairness/log-monitor.js";
import { isFairDuel, isOverdue, isSameDuel } from "../fairness/verification.js";
import * as storage from "../state/storage.js";
import { blockInput, isInputBlocked, store } from "../state/store.js";

/**
 * @import { Decision } from "../protocol/messages.js"
 * @import { DuelRecord, ServedDuel } from "../types.js"
 */

/** Number of stored duels. */
const MAX_STORED = 7;
/** Interval of attempts to load a duel. */
const RETRY_MS = 10_000;

/**
 * Loads the duel of the day, and those earlier ones that are to be verified or shown, unless this has
 * been done or is under way.
 *
 * @param {() => void} update
 */
export async function loadDuels(update) {
  if (saveVerified()) update();
  const date = new Date(Date.now()).toISOString().slice(0, 10);
  if (store.duels.loadedOn === date || performance.now() < store.duels.nextAttempt) return;
  store.duels.nextAttempt = Infinity;
  await load(date, update).finally(() => {
    store.duels.nextAttempt = performance.now() + RETRY_MS;
  });
}

/**
 * @param {string} date current day by this browser's clock
 * @param {() => void} update
 */
async function load(date, update) {
  const response = await fetch("daily.json").catch(() => null);
  const today = await parse(response);
  if (today) keep(today);
  const isMissing = response?.status === 404;
  // A duel that is on the screen stays there while the table can't be reached.
  const day = today?.day ?? (isMissing ? null : store.duels.today);
  // The table opens a duel some minutes after midnight, and the clocks may differ.
  let isComplete = today?.day === date;
  const opened = { ...store.duels.opened };
  const unopened = [];
  for (const duel of uncheckedDuels(day ?? date).filter((duel) => !opened[duel.day])) {
    const answer = await fetch(`daily/${duel.day}.json`).catch(() => null);
    const served = await parse(answer);
    if (served && !verify(duel, served)) continue;
    if (served?.seed) opened[duel.day] = served;
    else {
      const isAnswered = served !== null || answer?.status === 404;
      if (isAnswered) unopened.push(duel.day);
      isComplete &&= isAnswered && isOverdue(duel, day);
    }
  }
  const status = day ? "open" : isMissing ? "none" : "failed";
  const last = shownDuel(day ?? date)?.day ?? null;
  const loadedOn = isComplete ? date : null;
  // A tap that was meant for a hand of yesterday must not decide one of today.
  if (day !== store.duels.today) blockInput(update);
  store.duels = { ...store.duels, status, today: day, last, opened, unopened, loadedOn };
  update();
}

/**
 * Returns the stored duels of earlier days with a decision, the oldest first.
 *
 * @param {string} day
 */
function duelsBefore(day) {
  return storage.duels().filter((duel) => duel.day < day && duel.decisions.length > 0);
}

/**
 * Returns the earlier duel to show: the last one that was wrong, or else the last one.
 *
 * @param {string} day
 */
function shownDuel(day) {
  const earlier = duelsBefore(day);
  return earlier.findLast(({ verdict }) => verdict === "bad") ?? earlier.at(-1);
}

/**
 * Returns the earlier duels to load: those without a verdict, and one to show.
 *
 * @param {string} day
 */
function uncheckedDuels(day) {
  const shown = shownDuel(day)?.day;
  return duelsBefore(day).filter((duel) => !duel.verdict || (duel.day === shown && duel.verdict === "good"));
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
 * Stores a new duel, and verifies one that is known.
 *
 * @param {ServedDuel} served
 */
function keep(served) {
  const { day, commitment, hands } = served;
  const duels = storage.duels();
  const known = duels.find((duel) => duel.day === day);
  const duel = known ?? { day, commitment, hands, decisions: [] };
  if (!known) storage.saveDuels([...duels, duel].slice(-MAX_STORED));
  verify(duel, served);
}

/**
 * Verifies that a served duel is the stored one, and dealt from its seed once that is opened. Expects
 * the table's commitment in the log. Returns false if something is wrong.
 *
 * @param {DuelRecord} duel
 * @param {ServedDuel} served
 */
function verify(duel, served) {
  const isFair = isSameDuel(duel, served) && (served.seed === undefined || isFairDuel(duel, served));
  if (isFair) expectAt(dayLeaf(served), Date.now(), served.leaf);
  else if (saveVerdict(duel.day, "bad")) raiseAlarm("alarm-duel");
  return isFair;
}

/** Saves that opened duels are verified whose commitments have been found in the log since. */
function saveVerified() {
  const { opened } = store.duels;
  const open = storage.duels().filter(({ day, verdict }) => !verdict && opened[day]);
  const found = open.filter(({ day }) => hasFound([dayLeaf(opened[day])]));
  for (const { day } of found) saveVerdict(day, "good");
  return found.length > 0;
}

/**
 * Saves the verdict on a duel. Returns false if it is known.
 *
 * @param {string} day
 * @param {"good" | "bad"} verdict
 */
function saveVerdict(day, verdict) {
  const duels = storage.duels();
  const duel = duels.find((known) => known.day === day);
  if (!duel || duel.verdict === verdict) return false;
  duel.verdict = verdict;
  storage.saveDuels(duels);
  return true;
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
