// The player's own record of a game, against which the server is checked. It is stored as events
// arrive, so that a reloaded page need not trust the server's later reports about them.

import * as seeds from "./seeds.js";
import { matchesRequest } from "../state/invitations.js";
import { isBegunHere, isStartedWithOwnSeed } from "./verification.js";
import * as storage from "../state/storage.js";

/**
 * @import { Card, Decision } from "../protocol/messages.js"
 * @import { GameRecord, GameStart, MessageOf, Word } from "../types.js"
 */

/**
 * Records the start of a game. `player` is the player's public number, `before` their balance before
 * the game, and `answered` the id of the request that the start answers, on whatever device it was
 * made.
 *
 * @param {MessageOf<"started">} message
 * @param {number} player
 * @param {number | null} before
 * @param {string | null} answered
 * @returns {GameRecord}
 */
export function recordStart(message, player, before, answered) {
  const told = startFacts(message, player);
  const stored = storage.gameRecord();
  if (stored?.id === told.id) return recordRepetition(stored, told, stored.told);
  const request = storage.matchRequest();
  const hash = message.seed_hashes?.[message.seat - 1];
  const seed = seeds.findByHash(hash);
  const isAnswer = request?.id !== undefined && request.id === answered;
  const swapped = isAnswer && request.hash !== hash;
  const logSize = isAnswer || request?.hash === hash ? request?.logSize : undefined;
  const other = !matchesRequest(request, message);
  const flags = { opened: false, inTime: false, seeded: false, early: false, retold: false, judged: false };
  const empty = { hands: [], decided: [], sent: [], requestIds: [] };
  return save({ ...told, told, before, seed, swapped, logSize, other, ...empty, ...flags });
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
export function recordDecision(record, { deal, decision, timed_out, in_reply_to: answers }) {
  const game = latest(record);
  const reported = { decision, timed_out, answers };
  const before = game.decided[deal - 1];
  if (before) {
    const [now, then] = [reported, before].map((each) => ({ decision: each.decision, late: each.timed_out }));
    return recordRepetition(game, now, then);
  }
  const decided = [...game.decided];
  decided[deal - 1] = reported;
  return save({ ...game, decided });
}

/**
 * Records a decision that the player requests, with the id of the request.
 *
 * @param {GameRecord} record
 * @param {number} deal
 * @param {Decision} decision
 * @param {string} id
 */
export function recordRequestedDecision(record, deal, decision, id) {
  const game = latest(record);
  const sent = [...game.sent];
  sent[deal - 1] = [...(sent[deal - 1] ?? []), decision];
  return save({ ...game, sent, requestIds: [...(game.requestIds ?? []), id] });
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
    ["doubt-seed", record.swapped === true],
    ["doubt-other", record.other === true],
    ["doubt-unopened", isStartedWithOwnSeed(record) === true && record.early],
    ["doubt-signature", isBegunHere(record) && record.signed === false],
    ["doubt-retold", record.retold],
  ];
  return doubts.filter(([, holds]) => holds).map(([key]) => key);
}

/**
 * Records a repeated report, which must not differ from the first.
 *
 * @template {GameStart | { decision: Decision, late: boolean } | Card[]} T
 * @param {GameRecord} record
 * @param {T} report
 * @param {T} first
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
