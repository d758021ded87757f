// Watches the table for the player: what it says of a game is held, checked when the game is
// over, and looked up in the table's log.

import { theirLast, verify } from "./verification.js";
import * as held from "./game-record.js";
import { endLeaf, startLeaf, startText } from "./merkle-tree.js";
import * as logbook from "./log-monitor.js";
import * as seeds from "./seeds.js";
import { isSigned } from "./log-format.js";
import * as storage from "../state/storage.js";

/**
 * @import { Decision } from "../protocol/messages.js"
 * @import { Held, LeafOfStart, LogVerdict, Me, Numbered, ReadFile, Stage, Told, Verdict, Wrong } from "../types.js"
 */

/** How long to wait before the log is asked again for what is not in it yet. */
const AGAIN_MS = 3_000;

/** @type {Verdict} */
const PENDING = { is: "pending", checks: [], theirs: null };

export class Referee {
  /** @type {Held | null} */
  #game = null;
  #start = Promise.resolve();
  /** @type {(string | null)[]} */
  #leaves = [];
  #watching = false;
  /** @type {LogVerdict} */
  #log = "pending";
  #verdict = PENDING;
  #changed;

  /**
   * `changed` is called when something became known that is to be shown.
   *
   * @param {() => void} changed
   */
  constructor(changed) {
    this.#changed = changed;
  }

  /**
   * The table says who it is, and what the player has, who had `before` when they were here last.
   *
   * @param {Told<"welcome">} welcome
   * @param {number | null} before
   */
  welcomed(welcome, before) {
    logbook.open(welcome);
    if (before !== null && before !== welcome.balance) logbook.alarm("alarm-balance");
    this.watch();
  }

  /** The table has forgotten the player: its numbers may mean other games now. */
  forget() {
    storage.hold(null);
    this.#game = null;
    this.#leaves = [];
  }

  /**
   * Hears a message to the player, who has this number and balance.
   *
   * @param {Numbered} message
   * @param {Me} me
   */
  hear(message, { player, balance }) {
    if (message.type === "started" && typeof player === "number")
      this.#begin(message, player, balance ?? null);
    const game = this.#game;
    if (game === null) return;
    if (message.type === "adjusted") this.#game = held.adjust(game, message);
    if ("game_id" in message && message.game_id === game.id) this.#game = noted(game, message);
    if (message.type === "result" && message.game_id === game.id) this.#judge(game, message);
  }

  /** The seed that may be opened now; `null` where the start of the game is not as it should be. */
  async seed() {
    await this.#start;
    if (this.#game === null) return null;
    const doubts = held.doubts(this.#game).filter((key) => key !== "doubt-unopened");
    return doubts.length > 0 ? null : this.#game.seed;
  }

  /**
   * The player opens their seed, with so much time left.
   *
   * @param {number} left
   */
  opens(left) {
    if (this.#game === null) return;
    const inTime = held.fresh(this.#game).inTime || left > 0;
    this.#game = held.note(this.#game, { opened: true, inTime });
  }

  /**
   * The player decides.
   *
   * @param {number} deal
   * @param {Decision} decision
   */
  decides(deal, decision) {
    if (this.#game === null) return;
    this.#game = held.send(this.#game, deal, decision);
  }

  /**
   * What is wrong by now: with the game before its end, then with its result, and with the table.
   *
   * @param {Stage} stage
   * @returns {Wrong}
   */
  wrong(stage) {
    const failed = this.#verdict.checks.filter(({ right }) => right === false);
    const playing = ["starting", "deciding", "decided"].includes(stage);
    return {
      game: playing && this.#game ? held.doubts(held.fresh(this.#game)) : [],
      result: stage === "result" ? failed.map(({ key }) => key) : [],
      table: logbook.read().alarms,
    };
  }

  /** What is held of the game, and what came of the checks of its result. */
  get verdict() {
    return { ...this.#verdict, game: this.#game, log: this.#logVerdict() };
  }

  /**
   * Whether the log is as it should be; for a result, whether its game is in it.
   *
   * @returns {LogVerdict}
   */
  #logVerdict() {
    if (!["good", "waiting"].includes(this.#log)) return this.#log;
    if (this.#leaves.includes(null)) return "log-unread";
    return logbook.has(this.#leaves) ? "good" : "waiting";
  }

  /** Asks the log until it has all that must be in it. */
  async watch() {
    if (this.#watching) return;
    this.#watching = true;
    do {
      this.#log = await logbook.check(Date.now(), fetched).catch(() => "log-unread");
      this.#changed();
      if (this.#log === "waiting") await new Promise((resume) => setTimeout(resume, AGAIN_MS));
    } while (this.#log === "waiting");
    this.#watching = false;
  }

  /**
   * @param {Told<"started">} message
   * @param {number} player
   * @param {number | null} balance
   */
  #begin(message, player, balance) {
    this.#verdict = PENDING;
    const game = held.begin(message, player, balance);
    this.#game = game;
    // What makes no sense is not signed either.
    this.#start = this.#signed(game).catch(() => this.#noteSigned(game, false));
    this.#leaves = [awaited(game, startLeaf)];
  }

  /**
   * A table without a key has signed nothing.
   *
   * @param {Held} game
   */
  async #signed(game) {
    const { key, table } = logbook.read();
    const text = startText(table, described(game));
    const signed = game.table === table && (await isSigned(key ?? "", text, game.signature ?? ""));
    this.#noteSigned(game, signed);
  }

  /**
   * @param {Held} game
   * @param {boolean | null} signed
   */
  #noteSigned(game, signed) {
    if (this.#game?.id !== game.id) return;
    this.#game = held.note(game, { signed });
    this.#changed();
  }

  /**
   * @param {Held} game
   * @param {Told<"result">} result
   */
  async #judge({ id }, result) {
    await this.#start;
    if (this.#game?.id !== id) return;
    this.#game = held.fresh(this.#game);
    const checks = verify(this.#game, result);
    const wrong = checks.some(({ right }) => right === false);
    // Seeds that are not verified tell nothing about cards.
    this.#verdict = {
      is: wrong ? "bad" : "good",
      checks,
      theirs: wrong ? null : theirLast(this.#game, result),
    };
    seeds.forget(this.#game.seed);
    this.#changed();
    this.#leaves.push(ended(this.#game, result));
    this.watch();
  }
}

/**
 * What is held of a game after a message about it.
 *
 * @param {Held} game
 * @param {Numbered} message
 */
function noted(game, message) {
  switch (message.type) {
    case "seeded":
      return held.note(game, { inTime: held.fresh(game).opened, seeded: true });
    case "dealt":
    case "redealt":
      return held.see(game, message);
    case "decided":
      return held.decided(game, message);
    default:
      return game;
  }
}

/**
 * The leaf of the end of the game as the player was told: a journal could be changed with the log.
 *
 * @param {Held} game
 * @param {Told<"result">} result
 */
function ended(game, { game_id, digest, time_ms }) {
  if (!digest || !time_ms) return null;
  return awaited(game, () => endLeaf({ game: game_id, digest, time: time_ms }));
}

/**
 * A leaf that must be in the log; `null` where the table did not tell all that is in it.
 *
 * @param {Held} game
 * @param {(start: LeafOfStart) => string} leaf
 */
function awaited(game, leaf) {
  if (game.time === null || logbook.read().key === null) return null;
  try {
    const text = leaf(described(game));
    logbook.expect(text, Date.now());
    return text;
  } catch {
    return null;
  }
}

/**
 * @param {Held} game
 * @returns {LeafOfStart}
 */
function described({ id, kind, players, commitment, seedHashes, time }) {
  return { game: id, rules: `${kind}/2`, players, commitment, seedHashes, time };
}

/** @type {ReadFile} */
async function fetched(path) {
  const answer = await fetch(`/log/${path}`, { cache: "no-cache" });
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error("the log can't be read");
  return new Uint8Array(await answer.arrayBuffer());
}
