// Settings and records in the browser's storage, for a page that is loaded again and for all tabs:
// the last one to change something decides. In a browser that stores nothing they last as long as
// the page.

import { isHash } from "../sha256.js";
import { store } from "./store.js";

/**
 * @import { Kind } from "../protocol/messages.js"
 * @import { Alert, DuelRecord, Friend, GameRecord, LogMonitorState, MatchRequest, OwnLink, StoredProfile } from "../types.js"
 */

const PROFILE = "war-table";
const LANGUAGE = "war-lang";
const SHORTCUTS = "war-keys";
const REDUCED_MOTION = "war-calm";
const ALERTS = "war-alerts";
const WATCHABLE = "war-watchable";
const SEEN_GAME = "war-guided";
const SEEDS = "war-seeds";
const GAME_RECORD = "war-held";
const LOG_MONITOR = "war-log";
const MATCH_REQUEST = "war-wish";
const UNCHECKED_GAMES = "war-unchecked";
const OWN_LINKS = "war-links";
const FRIEND = "war-friend";
const DUELS = "war-duels";

/** Time for which a player's agreement to a game survives loading the page again. */
const AGREEMENT_MS = 600_000;

/**
 * Returns the stored player; `null` for a new one.
 *
 * @returns {StoredProfile | null}
 */
export function profile() {
  const stored = readJson(PROFILE);
  return isHash(stored?.token) ? stored : null;
}

/** @param {StoredProfile} profile */
export function saveProfile({ name, token, player, balance, balanceSeq, settled, given }) {
  write(PROFILE, JSON.stringify({ name, token, player, balance, balanceSeq, settled, given }));
}

/**
 * Saves the current progress of the player, unless another tab has forgotten the player or taken
 * another account. The stored name stays.
 */
export function saveProgress() {
  if (store.profile === null) return;
  store.profile.settled = store.state.settled;
  const stored = profile();
  if (stored?.token === store.profile.token) saveProfile({ ...store.profile, name: stored.name });
}

/**
 * Saves the name that the table knows the player by.
 *
 * @param {string} name
 */
export function saveName(name) {
  const stored = profile();
  if (stored !== null && stored.token === store.profile?.token) saveProfile({ ...stored, name });
}

/** Returns true if the player is stored, so that a reload brings them back. */
export function isProfileStored() {
  return !store.fallbackStorage.has(PROFILE);
}

/** Reads all settings but the language into the store. */
export function readSettings() {
  store.hasShortcuts = hasShortcuts();
  store.isMotionReduced = isMotionReduced();
  store.isWatchable = isWatchable();
  store.alerts = alerts();
}

export function language() {
  return read(LANGUAGE);
}

/** @param {string} name */
export function saveLanguage(name) {
  write(LANGUAGE, name);
}

/** Returns true if decisions can be made with keys, which is the default. */
export function hasShortcuts() {
  return read(SHORTCUTS) !== "off";
}

/** @param {boolean} on */
export function saveShortcuts(on) {
  write(SHORTCUTS, on ? "on" : "off");
}

export function isMotionReduced() {
  return read(REDUCED_MOTION) === "on";
}

/** @param {boolean} on */
export function saveReducedMotion(on) {
  write(REDUCED_MOTION, on ? "on" : "off");
}

/**
 * Returns the alerts that are switched on: none by default.
 *
 * @returns {Record<Alert, boolean>}
 */
export function alerts() {
  const stored = readJson(ALERTS) ?? {};
  return { sound: stored.sound === true, tremor: stored.tremor === true, notice: stored.notice === true };
}

/** @param {Record<Alert, boolean>} alerts */
export function saveAlerts(alerts) {
  write(ALERTS, JSON.stringify(alerts));
}

/**
 * Returns the player's own friend links, by game.
 *
 * @returns {Record<string, OwnLink>}
 */
export function ownLinks() {
  return readJson(OWN_LINKS) ?? {};
}

/**
 * @param {Kind} game
 * @param {OwnLink | null} link
 */
export function saveOwnLink(game, link) {
  const links = ownLinks();
  if (link) links[game] = link;
  else delete links[game];
  write(OWN_LINKS, JSON.stringify(links));
}

/**
 * Returns the friend whom the player chose last, and has not left. A player who agreed to play a
 * while ago, and loads the page again, may want something else now.
 *
 * @returns {Friend | null}
 */
export function friend() {
  const stored = readJson(FRIEND);
  if (!stored) return null;
  const isRecent = Math.abs(Date.now() - stored.at) < AGREEMENT_MS;
  return { ...stored, presence: "away", isAgreed: stored.isAgreed && isRecent };
}

/** @param {Friend | null} friend */
export function saveFriend(friend) {
  write(FRIEND, JSON.stringify(friend && { ...friend, at: Date.now() }));
}

/** Deletes the player's own links and their friend. */
export function clearFriends() {
  write(OWN_LINKS, "{}");
  saveFriend(null);
}

/** Returns true if others may watch the player's games. */
export function isWatchable() {
  return read(WATCHABLE) === "on";
}

/** @param {boolean} on */
export function saveWatchable(on) {
  write(WATCHABLE, on ? "on" : "off");
}

/** Returns true if the player has finished a game, and needs no guide. */
export function hasFinishedGame() {
  return seenGame() !== null;
}

/** Returns the number of the last game whose result the player has seen. */
export function seenGame() {
  return read(SEEN_GAME);
}

/** @param {number} game */
export function saveSeenGame(game) {
  write(SEEN_GAME, String(game));
}

/**
 * Returns the player's own seeds, the oldest first.
 *
 * @returns {string[]}
 */
export function seeds() {
  const stored = readJson(SEEDS);
  return Array.isArray(stored) ? stored : [];
}

/** @param {string[]} seeds */
export function saveSeeds(seeds) {
  write(SEEDS, JSON.stringify(seeds));
}

/**
 * Returns the record of the last game.
 *
 * @returns {GameRecord | null}
 */
export function gameRecord() {
  return readJson(GAME_RECORD);
}

/** @param {GameRecord | null} record */
export function saveGameRecord(record) {
  write(GAME_RECORD, JSON.stringify(record));
}

/**
 * Returns the last request for a game.
 *
 * @returns {MatchRequest | null}
 */
export function matchRequest() {
  return readJson(MATCH_REQUEST);
}

/** @param {MatchRequest} request */
export function saveMatchRequest(request) {
  write(MATCH_REQUEST, JSON.stringify(request));
}

/**
 * Returns the numbers of the games that were not checked in this browser.
 *
 * @returns {number[]}
 */
export function uncheckedGames() {
  return readJson(UNCHECKED_GAMES) ?? [];
}

/** @param {number[]} games */
export function saveUncheckedGames(games) {
  write(UNCHECKED_GAMES, JSON.stringify(games));
}

/**
 * Returns the player's daily duels, the oldest first.
 *
 * @returns {DuelRecord[]}
 */
export function duels() {
  const stored = readJson(DUELS);
  return Array.isArray(stored) ? stored : [];
}

/** @param {DuelRecord[]} duels */
export function saveDuels(duels) {
  write(DUELS, JSON.stringify(duels));
}

/** @returns {LogMonitorState | null} */
export function logMonitor() {
  return readJson(LOG_MONITOR);
}

/** @param {LogMonitorState | null} state */
export function saveLogMonitor(state) {
  write(LOG_MONITOR, JSON.stringify(state));
}

/** Deletes everything that the page has stored. */
export function clear() {
  store.fallbackStorage.clear();
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith("war-")) localStorage.removeItem(key);
  } catch {
    // A browser without storage has nothing to delete.
  }
}

/** @param {string} key */
function readJson(key) {
  try {
    return JSON.parse(read(key) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} key */
function read(key) {
  const unstored = store.fallbackStorage.get(key);
  if (unstored !== undefined) return unstored;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {string} value
 */
function write(key, value) {
  try {
    localStorage.setItem(key, value);
    store.fallbackStorage.delete(key);
  } catch {
    store.fallbackStorage.set(key, value);
  }
}
