// The page's own book about the table: its number, its key, the last note about its log, and
// the leaves of the player's games that have to be in it. What was once found wrong stays so
// until the player has seen it.

import {
  checkpoint,
  fromBase64,
  isConsistent,
  leafHash,
  pathOf,
  proofOf,
  rootOfPath,
} from "./merkle-tree.js";
import { bytes, hex, isHash, joined, sha256, utf8 } from "../sha256.js";
import { isSigned } from "./log-format.js";
import * as storage from "../state/storage.js";
import { tiles } from "./tiles.js";

/** @import { Book, Checkpoint, LogVerdict, ReadFile, Word } from "../types.js" */

/** The table has 10 s to sign a leaf; clocks and networks get some more. */
const GRACE_MS = 60_000;
const MOST_FOUND = 32;

const ED25519 = 1;

/** @type {Book} */
const EMPTY = { table: null, key: null, note: null, awaited: [], found: [], alarms: [] };

/**
 * What is in the book.
 *
 * @returns {Book}
 */
export function read() {
  return { ...EMPTY, ...storage.book() };
}

/**
 * Opens the book for the table that has this number and key. The first ones that were ever
 * told are kept: others are an alarm.
 *
 * @param {{ table?: string | null, key?: string | null }} welcome
 */
export function open({ table = null, key = null }) {
  const book = read();
  if (book.key === null) {
    if (key !== null) write({ ...book, table, key });
    return;
  }
  if (book.table !== table) alarm("alarm-table");
  else if (book.key !== key) alarm("alarm-key");
}

/**
 * Notes that something is wrong with the table itself.
 *
 * @param {Word} key
 */
export function alarm(key) {
  const book = read();
  if (!book.alarms.includes(key)) write({ ...book, alarms: [...book.alarms, key] });
}

/** The player has seen the alarms: what the table is now is what it is held to from now on. */
export function accept() {
  storage.keepBook(null);
}

/**
 * Awaits a leaf in the log, by its text; nothing but the time of the first call counts.
 *
 * @param {string} text
 * @param {number} now
 */
export function expect(text, now) {
  const book = read();
  const leaf = leafHash(text);
  if (book.found.includes(leaf) || book.awaited.some((other) => other.leaf === leaf)) return;
  const from = noted(book)?.size ?? 0;
  write({ ...book, awaited: [...book.awaited, { leaf, from, since: now }] });
}

/**
 * Whether all these leaves, by their texts, were found in the log.
 *
 * @param {(string | null)[]} texts
 */
export function has(texts) {
  const { found } = read();
  return texts.every((text) => text !== null && found.includes(leafHash(text)));
}

/**
 * Checks the log as it is now: `get(path)` fetches one of its files as bytes, or `null`. The
 * result is `good`, `waiting` for leaves, `bad`, or why nothing could be checked, by the key
 * of the words.
 *
 * @param {number} now
 * @param {ReadFile} get
 * @returns {Promise<LogVerdict>}
 */
export async function check(now, get) {
  if (read().alarms.length > 0) return "bad";
  if (read().key === null) return "log-none";
  const file = await get("checkpoint");
  if (file === null) return "log-absent";
  const wrong = await examine(new TextDecoder().decode(file), now, get);
  if (wrong === "log-browser") return wrong;
  if (wrong) alarm(wrong);
  if (wrong) return "bad";
  return read().awaited.length > 0 ? "waiting" : "good";
}

/**
 * What is wrong with a note and the log that it is about, or `null`.
 *
 * @param {string} note
 * @param {number} now
 * @param {ReadFile} get
 * @returns {Promise<Word | null>}
 */
async function examine(note, now, get) {
  const book = read();
  const log = checkpoint(note);
  if (log === null) throw new Error("not a note about a log");
  const signed = log.origin === `war-table/${book.table}` && (await isNoteSigned(log, book.key));
  if (signed === null) return "log-browser";
  if (!signed) return "alarm-note";
  const { read: hash, find } = tiles(log.size, get);
  const old = noted(book) ?? { size: 0, root: hex(sha256(utf8(""))) };
  const proof = old.size <= log.size ? await proofOf(old.size, log.size, hash) : [];
  if (!isConsistent(old, log, proof)) return "alarm-rewritten";
  const found = [];
  for (const { leaf, from } of book.awaited) {
    const index = log.size > from ? await find(leaf, from) : null;
    if (index === null) continue;
    const path = await pathOf(index, log.size, hash);
    if (rootOfPath(leaf, index, log.size, path) === log.root) found.push(leaf);
  }
  keepFound(note, found);
  return read().awaited.some(({ since }) => now - since > GRACE_MS) ? "alarm-missing" : null;
}

/**
 * The last note that was kept, read.
 *
 * @param {Book} book
 */
function noted({ note }) {
  return note === null ? null : checkpoint(note);
}

/**
 * More may be awaited by now than there was when the check began.
 *
 * @param {string} note
 * @param {string[]} found
 */
function keepFound(note, found) {
  const book = read();
  const awaited = book.awaited.filter(({ leaf }) => !found.includes(leaf));
  write({ ...book, note, awaited, found: [...book.found, ...found].slice(-MOST_FOUND) });
}

/**
 * Whether the key signed a note under the name of the log; `null` where nobody can tell.
 *
 * @param {Checkpoint} note
 * @param {string | null} key
 */
async function isNoteSigned({ origin, text, signatures }, key) {
  if (key === null) return false;
  const id = sha256(joined(utf8(`${origin}\n`), [ED25519], bytes(key))).slice(0, 4);
  const made = signatures.map(({ name, value }) => ({ name, data: fromBase64(value) }));
  const mine = made.find(({ name, data }) => name === origin && hex(data.slice(0, 4)) === hex(id));
  return mine ? isSigned(key, text, hex(mine.data.slice(4))) : false;
}

/**
 * The fingerprint of a key, as `war log verify` prints it, or `null`.
 *
 * @param {string | null} key
 */
export function fingerprint(key) {
  return key !== null && isHash(key) ? hex(sha256(bytes(key))) : null;
}

/**
 * The number of a key by the file of its public part, where that is of this key.
 *
 * @param {string} file
 * @param {string} key
 */
export function keyNumber(file, key) {
  try {
    const [, line] = file.split("\n");
    const data = fromBase64(line.trim());
    if (hex(data.slice(10)) !== key) return null;
    return hex(data.slice(2, 10).reverse()).toUpperCase();
  } catch {
    return null;
  }
}

/** @param {Book} book */
function write(book) {
  storage.keepBook(book);
}
