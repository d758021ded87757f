// The player's own record of a game, against which the server is checked. It is stored as events
// arrive, so that a reloaded page need not trust the server's later reports about them.

import * as seeds from "./seeds.js";
import { matchesRequest } from "../state/invitations.js";
import { isStartedWithOwnSeed } from "./verification.js";
import * as storage from "../state/storage.js";

/**
 * @import { Card, Decision } from "../protocol/messages.js"
 * @import { GameRecord, GameStart, MessageOf, ReportedDecision, Word } from "../types.js"
 */

/**
 * Records the start of a game. `player` is the player's public number, and `before` their balance
 * before the game.
 *
 * @param {MessageOf<"started">} message
 * @param {number} player
 * @param {number | null} before
 * @returns {GameRecord}
 */
export function recordStart(message, player, before) {
  const told = startFacts(message, player);
  const stored = storage.gameRecord();
  if (stored?.id === told.id) return recordRepetition(stored, told, stored.told);
  const seed = seeds.findByHash(message.seed_hashes?.[message.seat - 1]);
  const other = !matchesRequest(storage.matchRequest(), message);
  const flags = { opened: false, inTime: false, seeded: false, early: false, retold: false };
  return save({ ...told, told, before, seed, hands: [], decided: [], sent: [], other, ...flags });
}

/**
 * Records the cards of a deal. The cards are early if the server has not confirmed the seed yet.
 *
 * @param {GameRecord} record
 * @param {{ deal: number, cards: Card[] }} message
 */
export function recordDeal(record, { deal, cards }) {
  const game = latest(record);
  const { hands } = game;
  const early = game.early || !game.seeded;
  if (deal === hands.length + 1) return save({ ...game, early, hands: [...hands, cards] });
  return recordRepetition(game, cards, hands[deal - 1]);
}

/**
 * Records the player's decision as the server reports it.
 *
 * @param {GameRecord} record
 * @param {MessageOf<"decided">} message
 */
export function recordDecision(record, { deal, decision, timed_out }) {
  const game = latest(record);
  const reported = { decision, timed_out };
  const before = game.decided[deal - 1];
  if (before) return recordRepetition(game, reported, before);
  const decided = [...game.decided];
  decided[deal - 1] = reported;
  return save({ ...game, decided });
}

/**
 * Records a decision that the player requests, before it is sent.
 *
 * @param {GameRecord} record
 * @param {number} deal
 * @param {Decision} decision
 */
export function recordRequestedDecision(record, deal, decision) {
  const game = latest(record);
  const sent = [...game.sent];
  sent[deal - 1] = [...(sent[deal - 1] ?? []), decision];
  return save({ ...game, sent });
}

/**
 * Records tokens that an operator gave or took.
 *
 * @param {GameRecord} record
 * @param {{ seq: number, tokens: number }} message
 */
export function recordAdjustment(record, { seq, tokens }) {
  const game = latest(record);
  return save({ ...game, adjusted: { ...game.adjusted, [seq]: tokens } });
}

/**
 * Changes some fields of a record.
 *
 * @param {GameRecord} record
 * @param {Partial<GameRecord>} change
 */
export function update(record, change) {
  return save({ ...latest(record), ...change });
}

/**
 * Returns the stored version of a record, to which another window of the player may have added.
 *
 * @param {GameRecord} record
 */
export function latest(record) {
  const stored = storage.gameRecord();
  return stored?.id === record.id ? stored : record;
}

/**
 * Returns the reasons to distrust a game before its end, by the keys of their texts.
 *
 * @param {GameRecord} record
 * @returns {Word[]}
 */
export function findDoubts(record) {
  /** @type {[Word, boolean][]} */
  const doubts = [
    ["doubt-seed", !isStartedWithOwnSeed(record)],
    ["doubt-other", record.other === true],
    ["doubt-unopened", isStartedWithOwnSeed(record) === true && record.early],
    ["doubt-signature", record.signed === false],
    ["doubt-retold", record.retold],
  ];
  return doubts.filter(([, holds]) => holds).map(([key]) => key);
}

/**
 * Records a repeated report, which must not differ from the first.
 *
 * @param {GameRecord} record
 * @param {GameStart | ReportedDecision | Card[]} report
 * @param {GameStart | ReportedDecision | Card[]} first
 */
function recordRepetition(record, report, first) {
  return JSON.stringify(report) === JSON.stringify(first) ? record : save({ ...record, retold: true });
}

/** @param {GameRecord} record */
function save(record) {
  storage.saveGameRecord(record);
  return record;
}

/**
 * Returns the facts of a start that stay the same when it is reported again: all except the
 * opponent's name and the remaining time.
 *
 * @param {MessageOf<"started">} message
 * @param {number} player
 * @returns {GameStart}
 */
function startFacts(message, player) {
  const { game_id, game, seat, opponent, seed_hashes, commitment, time_ms, table, signature } = message;
  /** @type {[number, number]} */
  const players = seat === 1 ? [player, opponent.player] : [opponent.player, player];
  return {
    id: game_id,
    kind: game,
    seat,
    players,
    house: opponent.house,
    seedHashes: seed_hashes ?? [],
    commitment,
    time: time_ms ?? null,
    table: table ?? null,
    signature: signature ?? null,
  };
}
