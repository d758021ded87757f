// Supervision of the server for the player: the server's reports about a game are recorded,
// verified when the game is over, and looked up in the table's log.

import { isBegunHere, judge } from "./verification.js";
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
  /**
   * Id of the request by which the player waits for an opponent, on whatever device.
   *
   * @type {string | null}
   */
  #waitingRequest = null;
  /**
   * Resolves to the validity of the start's signature.
   *
   * @type {Promise<boolean | null>}
   */
  #startChecked = Promise.resolve(null);
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
   * Checks the table's identity. An unconfirmed seed may have been lost with the last connection.
   *
   * @param {MessageOf<"welcome">} welcome
   */
  handleWelcome(welcome) {
    logMonitor.pin(welcome);
    const record = storage.gameRecord();
    if (record?.inTime && !record.seeded && !record.judged) gameRecord.update(record, { inTime: false });
  }

  /**
   * Checks the balance against that of the player's last visit, once all missed messages have
   * arrived.
   *
   * @param {MessageOf<"welcome">} welcome
   * @param {number | null} lastBalance
   */
  handleReady(welcome, lastBalance) {
    if (lastBalance !== null && lastBalance !== welcome.balance) logMonitor.raiseAlarm("alarm-balance");
    this.pollLog();
  }

  /**
   * Drops the game: a server that has lost the player may reuse the game's number. A game without a
   * verdict stays unchecked, and a seed that the server knows must not be used again.
   */
  reset() {
    const record = storage.gameRecord();
    if (record !== null && record.judged === false) countUnchecked(record.id);
    if (record?.opened) seeds.forget(record.seed);
    storage.saveGameRecord(null);
    this.#record = null;
    this.#verdict = PENDING;
    this.#waitingRequest = null;
    this.#leaves = [];
  }

  /**
   * Records a message to the player with this profile.
   *
   * @param {NumberedMessage} message
   * @param {Profile} profile
   */
  handleMessage(message, { player, balance, balanceSeq = Infinity }) {
    if (message.type === "waiting") this.#waitingRequest = message.in_reply_to ?? null;
    if (message.type === "cancelled" || message.type === "draining") this.#waitingRequest = null;
    if (message.type === "started" && typeof player === "number") {
      // A page that is loaded again sees the last game again, and knows the balance after it.
      const before = balanceSeq < message.seq ? balance : undefined;
      this.#start(message, player, before ?? null);
    }
    const record = this.#record;
    if (record !== null && message.type === "adjusted")
      this.#record = gameRecord.recordAdjustment(record, message);
    if (record !== null && "game_id" in message && message.game_id === record.id)
      this.#record = recorded(record, message);
    if (message.type === "result") this.#judge(message);
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
   * Records a decision that the player requests, with the id of the request.
   *
   * @param {number} deal
   * @param {Decision} decision
   * @param {string} id
   */
  recordDecision(deal, decision, id) {
    if (this.#record === null) return;
    this.#record = gameRecord.recordRequestedDecision(this.#record, deal, decision, id);
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
    const record = this.#record && gameRecord.latest(this.#record);
    const { outcome } = this.#verdict;
    return {
      game: isPlaying && record ? gameRecord.findDoubts(record) : [],
      result: stage === "result" ? failed.map(({ key }) => key) : [],
      table: logMonitor.read().alarms,
      isUnchecked:
        (isPlaying && (record === null || !isBegunHere(record))) ||
        (stage === "result" && ["unchecked", "unrecorded"].includes(outcome)),
      unchecked: storage.uncheckedGames().length,
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
    const answered = message.in_reply_to ?? this.#waitingRequest;
    this.#waitingRequest = null;
    const record = gameRecord.recordStart(message, player, balance, answered);
    this.#record = record;
    // The signature of a malformed start is invalid too.
    this.#startChecked = checkSignature(record).catch(() => false);
    this.#saveSigned(record.id, this.#startChecked);
    this.#leaves = expectLeaf(record, startLeaf);
  }

  /**
   * @param {number} id
   * @param {Promise<boolean | null>} startChecked
   */
  async #saveSigned(id, startChecked) {
    const signed = await startChecked;
    if (this.#record?.id !== id) return;
    this.#record = gameRecord.update(this.#record, { signed });
    this.#onChange();
  }

  /**
   * Judges a finished game, even if the next one starts in the meantime.
   *
   * @param {MessageOf<"result">} result
   */
  async #judge(result) {
    const isRecorded = this.#record?.id === result.game_id;
    const record = isRecorded && this.#record ? gameRecord.latest(this.#record) : null;
    const signed = await this.#startChecked;
    const verdict = judge({ record: record && { ...record, signed }, result });
    if (verdict.outcome === "unchecked" || verdict.outcome === "unrecorded") countUnchecked(result.game_id);
    if (record) seeds.forget(record.seed);
    if (isRecorded !== (this.#record?.id === result.game_id)) return;
    this.#verdict = verdict;
    if (this.#record && isRecorded) {
      this.#record = gameRecord.update(this.#record, { signed, judged: true });
      this.#leaves.push(...expectEndLeaf(this.#record, result));
    }
    this.#onChange();
    this.pollLog();
  }
}

/**
 * Checks the signature of the start; it is invalid for a table without a key.
 *
 * @param {GameRecord} record
 */
async function checkSignature(record) {
  const { key, table } = logMonitor.read();
  const text = startText(table, startFields(record));
  return record.table === table && (await isSigned(key ?? "", text, record.signature ?? ""));
}

/**
 * Counts a game that can't be checked in this browser, once.
 *
 * @param {number} game
 */
function countUnchecked(game) {
  const games = storage.uncheckedGames();
  if (!games.includes(game)) storage.saveUncheckedGames([...games, game]);
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
  return expectLeaf(record, () => {
    if (!digest || !time_ms) throw new Error("no end");
    return endLeaf({ game: game_id, digest, time: time_ms });
  });
}

/**
 * Expects a leaf in the log, and returns its text; `null` if the server did not report all of its
 * fields. Returns nothing for a game that was begun elsewhere: its leaves may be anywhere in the log.
 *
 * @param {GameRecord} record
 * @param {(start: StartLeaf) => string} leafText
 * @returns {(string | null)[]}
 */
function expectLeaf(record, leafText) {
  if (!isBegunHere(record)) return [];
  if (record.time === null || logMonitor.read().key === null) return [null];
  try {
    const text = leafText(startFields(record));
    logMonitor.expect(text, Date.now(), record.logSize);
    return [text];
  } catch {
    return [null];
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
