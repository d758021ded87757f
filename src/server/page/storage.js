// What the page knows after a reload: who the player is, the language, whether keys decide,
// and what the table is held to. A browser that keeps nothing forgets all of it.

import { isHash } from "./sha256.js";

const PERSON = "war-table";
const LANG = "war-lang";
const KEYS = "war-keys";
const GUIDED = "war-guided";
const SEEDS = "war-seeds";
const HELD = "war-held";
const BOOK = "war-log";

/** What a browser does not keep lasts as long as the page. */
const unkept = new Map();

/** `name`, `token`, `player`, `balance`, `settled` and `given`, or `null` for somebody new. */
export function person() {
  const known = parsed(PERSON);
  return isHash(known?.token) ? known : null;
}

export function keep({ name, token, player, balance, settled, given }) {
  write(PERSON, JSON.stringify({ name, token, player, balance, settled, given }));
}

export function lang() {
  return read(LANG);
}

export function keepLang(name) {
  write(LANG, name);
}

/** Whether the keys decide, as they do until they are switched off. */
export function keys() {
  return read(KEYS) !== "off";
}

export function keepKeys(on) {
  write(KEYS, on ? "on" : "off");
}

/** Whether the player has finished a game, and needs no guide. */
export function guided() {
  return read(GUIDED) === "yes";
}

export function keepGuided() {
  write(GUIDED, "yes");
}

/** The player's own seeds, the oldest first. */
export function seeds() {
  const kept = parsed(SEEDS);
  return Array.isArray(kept) ? kept : [];
}

export function keepSeeds(seeds) {
  write(SEEDS, JSON.stringify(seeds));
}

/** What the player holds of the last game, or `null`. */
export function held() {
  return parsed(HELD);
}

export function hold(game) {
  write(HELD, JSON.stringify(game));
}

/** What the player knows of the table's key and log, or `null`. */
export function book() {
  return parsed(BOOK);
}

export function keepBook(book) {
  write(BOOK, JSON.stringify(book));
}

function parsed(key) {
  try {
    return JSON.parse(read(key));
  } catch {
    return null;
  }
}

function read(key) {
  try {
    return localStorage.getItem(key) ?? unkept.get(key) ?? null;
  } catch {
    return unkept.get(key) ?? null;
  }
}

function write(key, value) {
  unkept.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // The page works on; only a reload makes a new player.
  }
}
