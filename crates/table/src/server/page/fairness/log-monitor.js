// Monitor of the table's transparency log. It pins the table's identifier and key, stores the last
// verified checkpoint, and expects the leaves of the player's games. Alarms last until the player
// has acknowledged them.

import { fromBase64, isSigned, parseCheckpoint } from "./log-format.js";
import { consistencyProof, inclusionPath, isConsistent, leafHash, rootFromPath } from "./merkle-tree.js";
import { concatenate, fromHex, isHash, sha256, toHex, utf8 } from "../sha256.js";
import * as storage from "../state/storage.js";
import { openTiles } from "./tiles.js";

/** @import { Checkpoint, LogFileReader, LogMonitorState, LogVerdict, TreeHead, Word } from "../types.js" */

/**
 * Time after which a missing leaf raises an alarm. The table has 10 s to sign the leaf; the rest
 * allows for clock differences and network delays.
 */
const GRACE_MS = 60_000;
const MAX_FOUND = 32;

/** Algorithm number of Ed25519 in the key id of a signed note. */
const ED25519 = 1;

/** @type {LogMonitorState} */
const EMPTY = { table: null, key: null, note: null, awaited: [], found: [], alarms: [] };

/**
 * Returns the stored state.
 *
 * @returns {LogMonitorState}
 */
export function read() {
  return { ...EMPTY, ...storage.logMonitor() };
}

/**
 * Pins the first identifier and key that a table ever reports; different ones raise an alarm.
 *
 * @param {{ table?: string | null, key?: string | null }} welcome
 */
export function pin({ table = null, key = null }) {
  const state = read();
  if (state.key === null) {
    if (key !== null) save({ ...state, table, key });
    return;
  }
  if (state.table !== table) raiseAlarm("alarm-table");
  else if (state.key !== key) raiseAlarm("alarm-key");
}

/**
 * Raises an alarm about the table itself.
 *
 * @param {Word} key
 */
export function raiseAlarm(key) {
  const state = read();
  if (!state.alarms.includes(key)) save({ ...state, alarms: [...state.alarms, key] });
}

/** Acknowledges all alarms. The table's current identifier and key are pinned next. */
export function acknowledge() {
  storage.saveLogMonitor(null);
}

/** Returns the size of the last verified log. */
export function verifiedSize() {
  return lastCheckpoint(read())?.size ?? 0;
}

/**
 * Expects a leaf with this text, after the first `size` leaves. Repeated calls do not extend the
 * leaf's time limit.
 *
 * @param {string} text
 * @param {number} now
 * @param {number} [size]
 */
export function expect(text, now, size = Infinity) {
  awaitLeaf(text, { from: Math.min(size, verifiedSize()), since: now });
}

/**
 * Expects a leaf with this text at an index, so that an old leaf is found in a single tile.
 *
 * @param {string} text
 * @param {number} now
 * @param {number} index
 */
export function expectAt(text, now, index) {
  awaitLeaf(text, { from: index, to: index, since: now });
}

/**
 * @param {string} text
 * @param {Omit<LogMonitorState["awaited"][number], "leaf">} search
 */
function awaitLeaf(text, search) {
  const state = read();
  const leaf = leafHash(text);
  if (state.found.includes(leaf) || state.awaited.some((other) => other.leaf === leaf)) return;
  save({ ...state, awaited: [...state.awaited, { leaf, ...search }] });
}

/**
 * Returns true if the leaves with these texts were all found in the log.
 *
 * @param {(string | null)[]} texts
 */
export function hasFound(texts) {
  const { found } = read();
  return texts.every((text) => text !== null && found.includes(leafHash(text)));
}

/**
 * Checks the current log, whose files `readFile` fetches. The verdict is "waiting" while expected
 * leaves are missing and not overdue. Throws if the log can't be read.
 *
 * @param {number} now
 * @param {LogFileReader} readFile
 * @returns {Promise<LogVerdict>}
 */
export async function check(now, readFile) {
  if (read().alarms.length > 0) return "bad";
  if (read().key === null) return "log-none";
  const old = lastCheckpoint(read()) ?? { size: 0, root: toHex(sha256(utf8(""))) };
  const file = await readFile("checkpoint");
  if (file === null) return "log-absent";
  const problem = await findProblem(new TextDecoder().decode(file), old, now, readFile);
  if (problem === "log-browser") return problem;
  if (problem) raiseAlarm(problem);
  if (problem) return "bad";
  return read().awaited.length > 0 ? "waiting" : "good";
}

/**
 * Verifies a checkpoint and its log; returns the problem, or `null`. The log must extend the one that
 * was verified before this checkpoint was fetched: another window may have verified a longer one
 * since.
 *
 * @param {string} note
 * @param {TreeHead} old
 * @param {number} now
 * @param {LogFileReader} readFile
 * @returns {Promise<Word | null>}
 */
async function findProblem(note, old, now, readFile) {
  const state = read();
  const log = parseCheckpoint(note);
  if (log === null) throw new Error("not a note about a log");
  const signed = log.origin === `war-table/${state.table}` && (await isCheckpointSigned(log, state.key));
  if (signed === null) return "log-browser";
  if (!signed) return "alarm-note";
  const { read: readSubtree, find } = openTiles(log.size, readFile);
  const proof = old.size <= log.size ? await consistencyProof(old.size, log.size, readSubtree) : [];
  if (!isConsistent(old, log, proof)) return "alarm-rewritten";
  const found = [];
  for (const { leaf, from, to = log.size - 1 } of state.awaited) {
    const index = log.size > from ? await find(leaf, from, to) : null;
    if (index === null) continue;
    const path = await inclusionPath(index, log.size, readSubtree);
    if (rootFromPath(leaf, index, log.size, path) === log.root) found.push(leaf);
  }
  saveFound(note, found);
  return read().awaited.some(({ since }) => now - since > GRACE_MS) ? "alarm-missing" : null;
}

/** @param {LogMonitorState} state */
function lastCheckpoint({ note }) {
  return note === null ? null : parseCheckpoint(note);
}

/**
 * Saves the checkpoint and the leaves found in its log.
 *
 * @param {string} note
 * @param {string[]} found
 */
function saveFound(note, found) {
  // More leaves may have been expected since the check began.
  const state = read();
  const awaited = state.awaited.filter(({ leaf }) => !found.includes(leaf));
  const isLonger = (parseCheckpoint(note)?.size ?? 0) >= verifiedSize();
  const last = isLonger ? note : state.note;
  save({ ...state, note: last, awaited, found: [...state.found, ...found].slice(-MAX_FOUND) });
}

/**
 * Returns true if a checkpoint is signed by this key in the name of its log; `null` if the browser
 * can't check it.
 *
 * @param {Checkpoint} checkpoint
 * @param {string | null} key
 */
async function isCheckpointSigned({ origin, text, signatures }, key) {
  if (key === null) return false;
  const id = sha256(concatenate(utf8(`${origin}\n`), [ED25519], fromHex(key))).slice(0, 4);
  const decoded = signatures.map(({ name, value }) => ({ name, data: fromBase64(value) }));
  const own = decoded.find(({ name, data }) => name === origin && toHex(data.slice(0, 4)) === toHex(id));
  return own ? isSigned(key, text, toHex(own.data.slice(4))) : false;
}

/**
 * Returns the fingerprint of a key, as `war log verify` prints it; `null` if the key is missing or
 * malformed.
 *
 * @param {string | null} key
 */
export function keyFingerprint(key) {
  return key !== null && isHash(key) ? toHex(sha256(fromHex(key))) : null;
}

/**
 * Returns the key id in a minisign public key file; `null` if the file is not about this key.
 *
 * @param {string} file
 * @param {string} key
 */
export function minisignKeyId(file, key) {
  try {
    const [, line] = file.split("\n");
    const data = fromBase64(line.trim());
    if (toHex(data.slice(10)) !== key) return null;
    return toHex(data.slice(2, 10).reverse()).toUpperCase();
  } catch {
    return null;
  }
}

/** @param {LogMonitorState} state */
function save(state) {
  storage.saveLogMonitor(state);
}
