// What the page knows after a reload: who the player is, the language, whether keys decide,
// and what the table is held to. A browser that keeps nothing forgets all of it.

import { isHash } from "../sha256.js";
import { now } from "./store.js";

/** @import { Alert, Book, Held, Person, Wish } from "../types.js" */

const PERSON = "war-table";
const LANG = "war-lang";
const KEYS = "war-keys";
const CALM = "war-calm";
const ALERTS = "war-alerts";
const WATCHABLE = "war-watchable";
const GUIDED = "war-guided";
const SEEDS = "war-seeds";
const HELD = "war-held";
const BOOK = "war-log";
const WISH = "war-wish";

/**
 * Who the player is, or `null` for somebody new.
 *
 * @returns {Person | null}
 */
export function person() {
  const known = parsed(PERSON);
  return isHash(known?.token) ? known : null;
}

/** @param {Person} person */
export function keep({ name, token, player, balance, settled, given }) {
  write(PERSON, JSON.stringify({ name, token, player, balance, settled, given }));
}

/** Keeps what a page that is loaded again has to know of the player. */
export function remember() {
  if (now.me === null) return;
  now.me.settled = now.state.settled;
  keep(now.me);
}

export function lang() {
  return read(LANG);
}

/** @param {string} name */
export function keepLang(name) {
  write(LANG, name);
}

/** Whether the keys decide, as they do until they are switched off. */
export function keys() {
  return read(KEYS) !== "off";
}

/** @param {boolean} on */
export function keepKeys(on) {
  write(KEYS, on ? "on" : "off");
}

/** Whether things move as little as they can, as the player wants it. */
export function calm() {
  return read(CALM) === "on";
}

/** @param {boolean} on */
export function keepCalm(on) {
  write(CALM, on ? "on" : "off");
}

/**
 * What may call the player: nothing until they want it.
 *
 * @returns {Record<Alert, boolean>}
 */
export function alerts() {
  const kept = parsed(ALERTS) ?? {};
  return { sound: kept.sound === true, tremor: kept.tremor === true, notice: kept.notice === true };
}

/** @param {Record<Alert, boolean>} alerts */
export function keepAlerts(alerts) {
  write(ALERTS, JSON.stringify(alerts));
}

/** Whether others may watch the player's games, as they want it. */
export function watchable() {
  return read(WATCHABLE) === "on";
}

/** @param {boolean} on */
export function keepWatchable(on) {
  write(WATCHABLE, on ? "on" : "off");
}

/** Whether the player has finished a game, and needs no guide. */
export function guided() {
  return read(GUIDED) === "yes";
}

export function keepGuided() {
  write(GUIDED, "yes");
}

/**
 * The player's own seeds, the oldest first.
 *
 * @returns {string[]}
 */
export function seeds() {
  const kept = parsed(SEEDS);
  return Array.isArray(kept) ? kept : [];
}

/** @param {string[]} seeds */
export function keepSeeds(seeds) {
  write(SEEDS, JSON.stringify(seeds));
}

/**
 * What the player holds of the last game, or `null`.
 *
 * @returns {Held | null}
 */
export function held() {
  return parsed(HELD);
}

/** @param {Held | null} game */
export function hold(game) {
  write(HELD, JSON.stringify(game));
}

/**
 * What the player asked for last, or `null`.
 *
 * @returns {Wish | null}
 */
export function wish() {
  return parsed(WISH);
}

/** @param {Wish} wish */
export function keepWish(wish) {
  write(WISH, JSON.stringify(wish));
}

/**
 * What the player knows of the table's key and log, or `null`.
 *
 * @returns {Book | null}
 */
export function book() {
  return parsed(BOOK);
}

/** @param {Book | null} book */
export function keepBook(book) {
  write(BOOK, JSON.stringify(book));
}

/** Forgets all of it. */
export function clear() {
  now.unkept.clear();
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith("war-")) localStorage.removeItem(key);
  } catch {
    // There is nothing to forget.
  }
}

/** @param {string} key */
function parsed(key) {
  try {
    return JSON.parse(read(key) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} key */
function read(key) {
  try {
    return localStorage.getItem(key) ?? now.unkept.get(key) ?? null;
  } catch {
    return now.unkept.get(key) ?? null;
  }
}

/**
 * @param {string} key
 * @param {string} value
 */
function write(key, value) {
  now.unkept.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // The page works on; only a reload makes a new player.
  }
}
