// Supervision of the server for the player: the server's reports about a game are recorded,
// verified when the game is over, and looked up in the table's log.

import { opponentLastHand, verifyGame } from "./verification.js";
import * as gameRecord from "./game-record.js";
import { endLeaf, isSigned, startLeaf, startText } from "./log-format.js";
import * as logMonitor from "./log-monitor.js";
import * as seeds from "./seeds.js";
import * as storage from "../state/storage.js";

/**
 * @import { Decision } from "../protocol/messages.js"
 * @import { FairnessVerdict, FoundProblems, GameRecord, LogFileReader, LogVerdict, MessageOf, NumberedMessage, Profile, Stage, StartLeaf } from "../types.js"
 */

/** Time between checks of the log while leaves are missing. */
const LOG_POLL_MS = 3_000;

/** @type {FairnessVerdict} */
const PENDING = { outcome: "pending", checks: [], opponentHand: null };

export class Referee {
  /** @type {GameRecord | null} */
  #record = null;
  /** Resolves once the signature of the start is checked. */
  #startChecked = Promise.resolve();
  /**
   * Expected leaves of the game; `null` for a leaf that can't be computed.
   *
   * @type {(string | null)[]}
   */
  #leaves = [];
  #isPolling = false;
  /** @type {LogVerdict} */
  #log = "pending";
  #verdict = PENDING;
  #onChange;

  /**
   * Creates a referee that calls `onChange` when there is something new to show.
   *
   * @param {() => void} onChange
   */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /**
   * Checks the table's identity, and the balance against that of the player's last visit.
   *
   * @param {MessageOf<"welcome">} welcome
   * @param {number | null} lastBalance
   */
  handleWelcome(welcome, lastBalance) {
    logMonitor.pin(welcome);
    if (lastBalance !== null && lastBalance !== welcome.balance) logMonitor.raiseAlarm("alarm-balance");
    this.pollLog();
  }

  /** Drops the game: a server that has lost the player may reuse the game's number. */
  reset() {
    storage.saveGameRecord(null);
    this.#record = null;
    this.#leaves = [];
  }

  /**
   * Records a message to the player with this profile.
   *
   * @param {NumberedMessage} message
   * @param {Profile} profile
   */
  handleMessage(message, { player, balance }) {
    if (message.type === "started" && typeof player === "number")
      this.#start(message, player, balance ?? null);
    const record = this.#record;
    if (record === null) return;
    if (message.type === "adjusted") this.#record = gameRecord.recordAdjustment(record, message);
    if ("game_id" in message && message.game_id === record.id) this.#record = recorded(record, message);
    if (message.type === "result" && message.game_id === record.id) this.#judge(record, message);
  }

  /** Returns the seed to reveal; `null` if the game did not start correctly. */
  async seedToReveal() {
    await this.#startChecked;
    if (this.#record === null) return null;
    const doubts = gameRecord.findDoubts(this.#record).filter((key) => key !== "doubt-unopened");
    return doubts.length > 0 ? null : this.#record.seed;
  }

  /**
   * Records that the player reveals their seed.
   *
   * @param {number} timeLeft
   */
  recordReveal(timeLeft) {
    if (this.#record === null) return;
    const inTime = gameRecord.latest(this.#record).inTime || timeLeft > 0;
    this.#record = gameRecord.update(this.#record, { opened: true, inTime });
  }

  /**
   * Records a decision that the player requests.
   *
   * @param {number} deal
   * @param {Decision} decision
   */
  recordDecision(deal, decision) {
    if (this.#record === null) return;
    this.#record = gameRecord.recordRequestedDecision(this.#record, deal, decision);
  }

  /**
   * Returns the problems to report in a stage.
   *
   * @param {Stage} stage
   * @returns {FoundProblems}
   */
  problems(stage) {
    const failed = this.#verdict.checks.filter(({ right }) => right === false);
    const isPlaying = ["starting", "deciding", "decided"].includes(stage);
    return {
      game: isPlaying && this.#record ? gameRecord.findDoubts(gameRecord.latest(this.#record)) : [],
      result: stage === "result" ? failed.map(({ key }) => key) : [],
      table: logMonitor.read().alarms,
    };
  }

  /** Verdict on the last game, with its record and the verdict on the log. */
  get verdict() {
    return { ...this.#verdict, game: this.#record, log: this.#logVerdict() };
  }

  /**
   * Returns the verdict on the log. A good log counts as "waiting" until the leaves of the last
   * game are found.
   *
   * @returns {LogVerdict}
   */
  #logVerdict() {
    if (!["good", "waiting"].includes(this.#log)) return this.#log;
    if (this.#leaves.includes(null)) return "log-unread";
    return logMonitor.hasFound(this.#leaves) ? "good" : "waiting";
  }

  /** Checks the log until it contains every expected leaf. */
  async pollLog() {
    if (this.#isPolling) return;
    this.#isPolling = true;
    do {
      this.#log = await logMonitor.check(Date.now(), fetchLogFile).catch(() => "log-unread");
      this.#onChange();
      if (this.#log === "waiting") await new Promise((resume) => setTimeout(resume, LOG_POLL_MS));
    } while (this.#log === "waiting");
    this.#isPolling = false;
  }

  /**
   * @param {MessageOf<"started">} message
   * @param {number} player
   * @param {number | null} balance
   */
  #start(message, player, balance) {
    this.#verdict = PENDING;
    const record = gameRecord.recordStart(message, player, balance);
    this.#record = record;
    // The signature of a malformed start is invalid too.
    this.#startChecked = this.#checkSignature(record).catch(() => this.#setSigned(record, false));
    this.#leaves = [expectLeaf(record, startLeaf)];
  }

  /**
   * Checks the signature of the start; it is invalid for a table without a key.
   *
   * @param {GameRecord} record
   */
  async #checkSignature(record) {
    const { key, table } = logMonitor.read();
    const text = startText(table, startFields(record));
    const signed = record.table === table && (await isSigned(key ?? "", text, record.signature ?? ""));
    this.#setSigned(record, signed);
  }

  /**
   * @param {GameRecord} record
   * @param {boolean | null} signed
   */
  #setSigned(record, signed) {
    if (this.#record?.id !== record.id) return;
    this.#record = gameRecord.update(record, { signed });
    this.#onChange();
  }

  /**
   * @param {GameRecord} record
   * @param {MessageOf<"result">} result
   */
  async #judge({ id }, result) {
    await this.#startChecked;
    if (this.#record?.id !== id) return;
    this.#record = gameRecord.latest(this.#record);
    const checks = verifyGame(this.#record, result);
    const hasFailed = checks.some(({ right }) => right === false);
    this.#verdict = {
      outcome: hasFailed ? "bad" : "good",
      checks,
      // Unverified seeds prove nothing about the opponent's cards.
      opponentHand: hasFailed ? null : opponentLastHand(this.#record, result),
    };
    seeds.forget(this.#record.seed);
    this.#onChange();
    this.#leaves.push(expectEndLeaf(this.#record, result));
    this.pollLog();
  }
}

/**
 * Returns the record after a message about its game.
 *
 * @param {GameRecord} record
 * @param {NumberedMessage} message
 */
function recorded(record, message) {
  switch (message.type) {
    case "seeded":
      return gameRecord.update(record, { inTime: gameRecord.latest(record).opened, seeded: true });
    case "dealt":
    case "redealt":
      return gameRecord.recordDeal(record, message);
    case "decided":
      return gameRecord.recordDecision(record, message);
    default:
      return record;
  }
}

/**
 * Expects the end leaf with the digest that the player received. The digest of the served journal
 * would not be enough: a dishonest server could change the journal along with the log.
 *
 * @param {GameRecord} record
 * @param {MessageOf<"result">} result
 */
function expectEndLeaf(record, { game_id, digest, time_ms }) {
  if (!digest || !time_ms) return null;
  return expectLeaf(record, () => endLeaf({ game: game_id, digest, time: time_ms }));
}

/**
 * Expects a leaf in the log, and returns its text; `null` if the server did not report all of its
 * fields.
 *
 * @param {GameRecord} record
 * @param {(start: StartLeaf) => string} leafText
 */
function expectLeaf(record, leafText) {
  if (record.time === null || logMonitor.read().key === null) return null;
  try {
    const text = leafText(startFields(record));
    logMonitor.expect(text, Date.now());
    return text;
  } catch {
    return null;
  }
}

/**
 * @param {GameRecord} record
 * @returns {StartLeaf}
 */
function startFields({ id, kind, players, commitment, seedHashes, time }) {
  return { game: id, rules: `${kind}/2`, players, commitment, seedHashes, time };
}

/** @type {LogFileReader} */
async function fetchLogFile(path) {
  const response = await fetch(`log/${path}`, { cache: "no-cache" });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error("the log can't be read");
  return new Uint8Array(await response.arrayBuffer());
}
