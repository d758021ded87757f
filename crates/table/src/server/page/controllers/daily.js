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
 * been done.
 *
 * @param {() => void} update
 */
export async function loadDuels(update) {
  if (saveVerified()) update();
  const date = new Date(Date.now()).toISOString().slice(0, 10);
  if (store.duels.loadedOn === date || performance.now() < store.duels.nextAttempt) return;
  store.duels.nextAttempt = performance.now() + RETRY_MS;
  const response = await fetch("daily.json").catch(() => null);
  const today = await parse(response);
  if (today) keep(today);
  const isMissing = response?.status === 404;
  // A duel that is on the screen stays there while the table can't be reached.
  const day = today?.day ?? (isMissing ? null : store.duels.today);
  // A tap that was meant for a hand of yesterday must not decide one of today.
  if (day !== store.duels.today) blockInput(update);
  const opened = { ...store.duels.opened };
  // The table opens a duel some minutes after midnight, and the clocks may differ.
  let isComplete = today?.day === date;
  const earlier = storage.duels().filter((duel) => duel.day !== day && duel.decisions.length > 0);
  const last = earlier.findLast(({ verdict }) => verdict === "bad") ?? earlier.at(-1);
  for (const duel of earlier.filter((duel) => duel === last || !duel.verdict)) {
    const served = await parse(await fetch(`daily/${duel.day}.json`).catch(() => null));
    if (served) verify(duel, served);
    if (served?.seed) opened[duel.day] = served;
    else isComplete &&= isOverdue(duel, day);
  }
  const status = day ? "open" : isMissing ? "none" : "failed";
  const loadedOn = isComplete ? date : null;
  store.duels = { ...store.duels, status, today: day, last: last?.day ?? null, opened, loadedOn };
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
 * the table's commitment in the log.
 *
 * @param {DuelRecord} duel
 * @param {ServedDuel} served
 */
function verify(duel, served) {
  const isFair = isSameDuel(duel, served) && (served.seed === undefined || isFairDuel(duel, served));
  if (isFair) expectAt(dayLeaf(served), Date.now(), served.leaf);
  else if (saveVerdict(duel.day, "bad")) raiseAlarm("alarm-duel");
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
 * Saves the verdict on a duel. Returns false if there is one already that is as bad.
 *
 * @param {string} day
 * @param {"good" | "bad"} verdict
 */
function saveVerdict(day, verdict) {
  const duels = storage.duels();
  const duel = duels.find((known) => known.day === day);
  if (!duel || duel.verdict === verdict || duel.verdict === "bad") return false;
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
