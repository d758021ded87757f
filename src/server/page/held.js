// What the player holds of a game, by which the table is checked: kept when it was seen first,
// so that a page that is loaded again does not have to believe what it hears then.

import * as seeds from "./seeds.js";
import { isSeedIn } from "./fair.js";
import * as storage from "./storage.js";

/**
 * Holds a game that starts: what the message says, the player's own seed, the balance
 * `before`, and who the player is, by their number.
 */
export function begin(message, player, before) {
  const told = facts(message, player);
  const kept = storage.held();
  if (kept?.id === told.id) return again(kept, told);
  const seed = seeds.ofHash(message.seed_hashes?.[message.seat - 1]);
  return keep({ ...told, told, before, seed, hands: [], decided: [], sent: [], opened: false, inTime: false, seeded: false, early: false, retold: false });
}

/** Holds the cards of a deal, and whether they came before the table said that it had the seed. */
export function see(held, { deal, cards }) {
  const game = fresh(held);
  const { hands } = game;
  const early = game.early || !game.seeded;
  if (deal === hands.length + 1) return keep({ ...game, early, hands: [...hands, cards] });
  return again(game, cards, hands[deal - 1]);
}

/** Holds what the table took for the player's decision. */
export function decided(held, { deal, decision, timed_out }) {
  const game = fresh(held);
  const now = { decision, timed_out };
  const before = game.decided[deal - 1];
  if (before) return again(game, now, before);
  const all = [...game.decided];
  all[deal - 1] = now;
  return keep({ ...game, decided: all });
}

/** Holds what the player asks for in a deal, before it is sent. */
export function send(held, deal, decision) {
  const game = fresh(held);
  const sent = [...game.sent];
  sent[deal - 1] = [...(sent[deal - 1] ?? []), decision];
  return keep({ ...game, sent });
}

/** Holds that the player was given tokens, or lost some, by a message of this number. */
export function adjust(held, { seq, tokens }) {
  const game = fresh(held);
  return keep({ ...game, adjusted: { ...game.adjusted, [seq]: tokens } });
}

/** Holds something else that became known. */
export function note(held, change) {
  return keep({ ...fresh(held), ...change });
}

/** What is held of a game by now; another window of the player may have added to it. */
export function fresh(game) {
  const kept = storage.held();
  return kept?.id === game.id ? kept : game;
}

/** What can be said against a game before there is anything to decide, by the keys of the words. */
export function doubts(game) {
  return [
    !isSeedIn(game) && "doubt-seed",
    isSeedIn(game) && game.early && "doubt-unopened",
    game.signed === false && "doubt-signature",
    game.retold && "doubt-retold",
  ].filter(Boolean);
}

/** The table says something again: it may say nothing else than before. */
function again(game, now, before = game.told) {
  return JSON.stringify(now) === JSON.stringify(before) ? game : keep({ ...game, retold: true });
}

function keep(game) {
  storage.hold(game);
  return game;
}

/** What is said of a start, without what changes: a name, and the time left. */
function facts({ game_id, game, seat, opponent, seed_hashes, commitment, time_ms, table, signature }, player) {
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
