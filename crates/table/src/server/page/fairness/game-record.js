// What the player holds of a game, by which the table is checked: kept when it was seen first,
// so that a page that is loaded again does not have to believe what it hears then.

import * as seeds from "./seeds.js";
import { fits } from "../state/invitations.js";
import { isSeedIn } from "./verification.js";
import * as storage from "../state/storage.js";

/**
 * @import { Card, Decision } from "../protocol/messages.js"
 * @import { Held, Start, Taken, Told, Word } from "../types.js"
 */

/**
 * Holds a game that starts: what the message says, the player's own seed, the balance
 * `before`, and who the player is, by their number.
 *
 * @param {Told<"started">} message
 * @param {number} player
 * @param {number | null} before
 * @returns {Held}
 */
export function begin(message, player, before) {
  const told = facts(message, player);
  const kept = storage.held();
  if (kept?.id === told.id) return again(kept, told, kept.told);
  const seed = seeds.ofHash(message.seed_hashes?.[message.seat - 1]);
  const other = !fits(storage.wish(), message);
  const none = { opened: false, inTime: false, seeded: false, early: false, retold: false };
  return keep({ ...told, told, before, seed, hands: [], decided: [], sent: [], other, ...none });
}

/**
 * Holds the cards of a deal, and whether they came before the table said that it had the seed.
 *
 * @param {Held} held
 * @param {{ deal: number, cards: Card[] }} message
 */
export function see(held, { deal, cards }) {
  const game = fresh(held);
  const { hands } = game;
  const early = game.early || !game.seeded;
  if (deal === hands.length + 1) return keep({ ...game, early, hands: [...hands, cards] });
  return again(game, cards, hands[deal - 1]);
}

/**
 * Holds what the table took for the player's decision.
 *
 * @param {Held} held
 * @param {Told<"decided">} message
 */
export function decided(held, { deal, decision, timed_out }) {
  const game = fresh(held);
  const now = { decision, timed_out };
  const before = game.decided[deal - 1];
  if (before) return again(game, now, before);
  const all = [...game.decided];
  all[deal - 1] = now;
  return keep({ ...game, decided: all });
}

/**
 * Holds what the player asks for in a deal, before it is sent.
 *
 * @param {Held} held
 * @param {number} deal
 * @param {Decision} decision
 */
export function send(held, deal, decision) {
  const game = fresh(held);
  const sent = [...game.sent];
  sent[deal - 1] = [...(sent[deal - 1] ?? []), decision];
  return keep({ ...game, sent });
}

/**
 * Holds that the player was given tokens, or lost some, by a message of this number.
 *
 * @param {Held} held
 * @param {{ seq: number, tokens: number }} message
 */
export function adjust(held, { seq, tokens }) {
  const game = fresh(held);
  return keep({ ...game, adjusted: { ...game.adjusted, [seq]: tokens } });
}

/**
 * Holds something else that became known.
 *
 * @param {Held} held
 * @param {Partial<Held>} change
 */
export function note(held, change) {
  return keep({ ...fresh(held), ...change });
}

/**
 * What is held of a game by now; another window of the player may have added to it.
 *
 * @param {Held} game
 */
export function fresh(game) {
  const kept = storage.held();
  return kept?.id === game.id ? kept : game;
}

/**
 * What can be said against a game before there is anything to decide, by the keys of the words.
 *
 * @param {Held} game
 * @returns {Word[]}
 */
export function doubts(game) {
  /** @type {[Word, boolean][]} */
  const doubts = [
    ["doubt-seed", !isSeedIn(game)],
    ["doubt-other", game.other === true],
    ["doubt-unopened", isSeedIn(game) === true && game.early],
    ["doubt-signature", game.signed === false],
    ["doubt-retold", game.retold],
  ];
  return doubts.filter(([, holds]) => holds).map(([key]) => key);
}

/**
 * The table says something again: it may say nothing else than before.
 *
 * @param {Held} game
 * @param {Start | Taken | Card[]} now
 * @param {Start | Taken | Card[]} before
 */
function again(game, now, before) {
  return JSON.stringify(now) === JSON.stringify(before) ? game : keep({ ...game, retold: true });
}

/** @param {Held} game */
function keep(game) {
  storage.hold(game);
  return game;
}

/**
 * What is said of a start, without what changes: a name, and the time left.
 *
 * @param {Told<"started">} message
 * @param {number} player
 * @returns {Start}
 */
function facts(message, player) {
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
