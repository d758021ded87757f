// Verification of a journal: its fields, its chain, its states, and every event by the rules.

import { blake3 } from "./blake3.js";
import { checkHeader, hasRules, rulesOf } from "./editions.js";
import { Fault, UnknownName, ensure } from "./fault.js";
import { END_RECORDS, HEADERS, compactRecord, eventRecord } from "./fields.js";
import { readRecords } from "./records.js";
import { TokenGame } from "./token-game.js";
import { isEqual, omitFields, toJson } from "./validators.js";
import { WarGame } from "./war-game.js";

/** Number of events between two pauses. */
const EVENTS_PER_PAUSE = 500;

/**
 * @typedef {object} Judgement
 * @property {"VERIFIED" | "INCOMPLETE" | "DAMAGED" | "DIVERGED" | "UNSUPPORTED"} verdict
 * @property {string | null} code  code of the fault, such as `WJ202`
 * @property {number | null} line  line of the fault, from 1
 * @property {number} events  number of intact events
 * @property {number} turns  number of turns in these events
 * @property {[string, number | null] | null} outcome  outcome and winner of the game
 * @property {string | null} digest  final digest, if the journal is complete
 */

/**
 * Verifies a journal, except for the text that the game printed.
 * @param {Uint8Array} bytes  the journal
 * @param {(read: number) => Promise<void>} [pause]  awaited at intervals, with the number of events read
 * @returns {Promise<Judgement>}
 */
export async function verify(bytes, pause = async () => {}) {
  const journal = new JournalVerifier();
  let [at, last] = [null, ""];
  try {
    for (const { part, record, line } of readRecords(bytes)) {
      [at, last] = [line, part];
      journal[part](record);
      if (part === "event" && journal.events % EVENTS_PER_PAUSE === 0) await pause(journal.events);
    }
    return journal.judge();
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    // In version 2, text after the last line feed belongs to a line that was cut off.
    const isRest = fault.line === undefined && journal.version === 2 && at > countLineFeeds(bytes);
    const [verdict, code] = isRest
      ? ["INCOMPLETE", last === "end" ? "WJ102" : "WJ101"]
      : [fault.verdict, fault.code];
    return { ...journal.summary(), verdict, code, line: fault.line ?? at };
  }
}

/** Counts the line feeds in a file. */
function countLineFeeds(bytes) {
  return bytes.reduce((sum, byte) => sum + (byte === 0x0a), 0);
}

/** Computes the link of a record in the hash chain from the previous link. */
function link(before, record) {
  return blake3(before + record).slice(0, 32);
}

/** Verifies a journal record by record. */
class JournalVerifier {
  constructor() {
    this.chain = "";
    this.oldChain = "";
    this.events = 0;
    this.version = null;
    this.game = null;
    this.readEvent = null;
  }

  /** Returns the judgement so far, without a verdict. */
  summary() {
    const { events, game } = this;
    return {
      code: null,
      line: null,
      events,
      turns: game?.turn ?? 0,
      outcome: game?.outcome ?? null,
      digest: null,
    };
  }

  /** Returns a record in canonical form, or throws the fault of its fields. */
  validate(found, validator, hasChain = true) {
    try {
      return validator(found);
    } catch (fault) {
      if (!(fault instanceof UnknownName)) throw fault;
      const rest = new Map(found);
      rest.delete("chain");
      const isRecorded = hasChain && found.get("chain") === link(this.chain, toJson(rest));
      throw isRecorded
        ? new Fault("UNSUPPORTED", "WJ003")
        : new Fault("DAMAGED", this.game ? "WJ103" : fault.code);
    }
  }

  checkChain(record) {
    const { chain, ...rest } = record;
    ensure(chain === link(this.chain, toJson(rest)), "WJ202");
  }

  /** Checks that version and rules are known. */
  beginning(found) {
    this.version = found.get("version");
    const rules = found.get("rules");
    const id = rules instanceof Map ? rules.get("id") : undefined;
    const isNumber = typeof this.version === "number" || typeof this.version === "bigint";
    const isNewer = isNumber && this.version >= 0 && this.version !== 1 && this.version !== 2;
    ensure(!isNewer && (typeof id !== "string" || hasRules(id)), "WJ003", "UNSUPPORTED");
  }

  header(found) {
    // An object with `end` but no `format` before the events is a journal whose fields were sorted.
    const isOther = found.has("format") || !found.has("end");
    ensure(found.get("format") === "war-journal", isOther ? "WJ002" : "WJ103");
    this.beginning(found);
    ensure(this.version === 1 || this.version === 2, "WJ103");
    const fields = new Map(found);
    fields.delete("events");
    const header = this.validate(fields, HEADERS[this.version]);
    this.checkChain(header);
    checkHeader(header);
    ensure((this.version === 1) === found.has("events"), "WJ103");
    this.headerRecord = header;
    this.chain = header.chain;
    const old = { ...omitFields(header, "chain", "meta", "upgraded_from"), version: 1 };
    this.oldChain = link("", toJson(old));
    this.game = rulesOf(header).hand ? new TokenGame(header) : new WarGame(header);
  }

  event(found) {
    if (this.readEvent === null) {
      this.isCompact = this.version === 2 && found instanceof Map && [...found.keys()].join() === "event";
      this.readEvent = (this.isCompact ? compactRecord : eventRecord)(this.game.eventValidator);
    }
    const record = this.validate(found, this.readEvent, !this.isCompact);
    const { events: seq, game } = this;
    if (!this.isCompact) {
      ensure(record.seq === seq, "WJ201");
      this.checkChain(record);
    }
    game.play(record.event);
    const { turn } = game;
    const state = blake3(game.state()).slice(0, 16);
    if (!this.isCompact) {
      ensure(record.turn === turn, "WJ301", "DIVERGED");
      ensure(record.state === state, "WJ302", "DIVERGED");
    }
    const full = () => toJson({ seq, turn, event: record.event, state });
    this.chain = record.chain ?? link(this.chain, full());
    if (this.headerRecord.upgraded_from) this.oldChain = link(this.oldChain, full());
    this.events += 1;
  }

  end(found) {
    const record = this.validate(found, END_RECORDS[this.version]);
    this.checkChain(record);
    this.chain = record.chain;
    this.endRecord = record.end ?? omitFields(record, "chain");
    const { reason, winner } = this.endRecord;
    ensure((reason === "won") === (winner !== null) || reason === "stopped", "WJ203");
  }

  /** Returns the judgement once the whole file is read. */
  judge() {
    const { endRecord, game, headerRecord } = this;
    const isCutOff = endRecord.reason === "cut_off";
    ensure(isCutOff || isEqual([endRecord.reason, endRecord.winner], game.outcome), "WJ203");
    ensure(endRecord.turns === game.turn && endRecord.events === this.events, "WJ203");
    const { bytes, blake3: hash } = endRecord.console;
    const isSilent = bytes === 0 && hash === blake3("");
    ensure(headerRecord.console.renderer !== 0 || isSilent, "WJ304", "DIVERGED");
    const old = headerRecord.upgraded_from;
    ensure(old === undefined || old === link(this.oldChain, toJson(endRecord)), "WJ203");
    return { ...this.summary(), verdict: isCutOff ? "INCOMPLETE" : "VERIFIED", digest: this.chain };
  }
}
