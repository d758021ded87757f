// State of the table after the server's messages.

import assert from "node:assert/strict";
import { test } from "node:test";
import { idleState, reduce } from "../../crates/table/src/server/page/state/reducer.js";

const START = {
  type: "started",
  seq: 3,
  game_id: 8,
  game: "double-card-game",
  seat: 2,
  opponent: { player: 5, name: "Ola", house: false },
  opponent_balance: 990,
  left_ms: 5_000,
};

/** Returns the state after these messages, which arrive a second apart. */
function after(messages, state = idleState(1, 1_000)) {
  return messages.reduce(
    (previous, message, at) => reduce(previous, { seq: at + 2, ...message }, 1_000 * (at + 1)),
    state,
  );
}

test("a wait and the game after it keep the number from before the wait", () => {
  const waiting = after([{ type: "waiting", game: "double-card-game" }]);
  assert.equal(waiting.stage, "waiting");
  assert.equal(waiting.settled, 1);
  const started = after([START], waiting);
  assert.equal(started.stage, "starting");
  assert.equal(started.settled, 1);
  assert.equal(started.kind, "double-card-game");
  assert.equal(started.game.deadline, 6_000);
  assert.deepEqual(started.game.opponent, START.opponent);
  assert.equal(started.game.opponentBalance, 990);
});

test("a game without a wait keeps the number of the message before it", () => {
  assert.equal(after([{ ...START, seq: 7 }]).settled, 6);
});

test("after a wait that ends without a game the player is idle", () => {
  for (const type of ["cancelled", "draining"]) {
    const state = after([
      { type: "waiting", game: "single-card-game" },
      { type, game: "single-card-game" },
    ]);
    assert.deepEqual(state, idleState(3, 1_000));
  }
});

test("a tie deals new cards, and clears both decisions", () => {
  const first = [
    START,
    { type: "seeded", game_id: 8 },
    { type: "dealt", game_id: 8, deal: 1, cards: ["2c", "3c"], left_ms: 30_000 },
    { type: "opponent_decided", game_id: 8, deal: 1 },
    { type: "decided", game_id: 8, deal: 1, decision: "play", timed_out: false },
  ];
  const decided = after(first);
  assert.equal(decided.stage, "decided");
  assert.equal(decided.game.decision.decision, "play");
  assert.equal(decided.game.hasOpponentDecided, true);
  const again = after([
    ...first,
    { type: "redealt", game_id: 8, deal: 2, cards: ["4c", "5c"], left_ms: 20_000 },
  ]);
  assert.equal(again.stage, "deciding");
  assert.deepEqual(again.game.hands, [
    ["2c", "3c"],
    ["4c", "5c"],
  ]);
  assert.equal(again.game.decision, null);
  assert.equal(again.game.hasOpponentDecided, false);
  assert.equal(again.game.deadline, 26_000);
  assert.equal(again.game.decided.length, 1);
});

test("a decision in an older deal is not one in this deal", () => {
  const state = after([
    START,
    { type: "dealt", game_id: 8, deal: 1, cards: ["2c", "3c"], left_ms: 1 },
    { type: "redealt", game_id: 8, deal: 2, cards: ["4c", "5c"], left_ms: 1 },
    { type: "opponent_decided", game_id: 8, deal: 1 },
  ]);
  assert.equal(state.game.hasOpponentDecided, false);
});

test("messages about other games change nothing", () => {
  const state = after([START]);
  const others = [
    { type: "dealt", game_id: 9, deal: 1, cards: ["2c"], left_ms: 1 },
    { type: "result", game_id: 9, balance: 5, delta: 5 },
    { type: "clock", game_id: 9, left_ms: 99 },
  ];
  for (const message of others) assert.equal(after([message], state), state);
  const lobby = idleState(1, 1_000);
  for (const message of others) assert.equal(after([message], lobby), lobby);
});

test("a rematch offer lasts until it is withdrawn, or the player does something else", () => {
  const wanted = after([{ type: "rematch_wanted", game_id: 8 }]);
  assert.equal(wanted.rematchOffer, 8);
  assert.equal(after([{ type: "rematch_withdrawn", game_id: 8 }], wanted).rematchOffer, null);
  assert.equal(after([START], wanted).rematchOffer, undefined);
  const waiting = after([{ type: "waiting", game: "double-card-game", with: { rematch: 8 } }], wanted);
  assert.equal(waiting.rematchOffer, undefined);
  assert.deepEqual(waiting.with, { rematch: 8 });
});

test("a pause resets the clock, and an operator may adjust the balance at any time", () => {
  const clock = { ...after([START]) };
  clock.game = { ...clock.game, hasReconnected: true };
  const state = after(
    [
      { type: "clock", game_id: 8, left_ms: 4_000 },
      { type: "adjusted", balance: 1_050 },
    ],
    clock,
  );
  assert.equal(state.game.deadline, 5_000);
  assert.equal(state.game.hasReconnected, false);
  assert.equal(state.balance, 1_050);
  assert.equal(state.stage, "starting");
});

test("a result ends the game and changes the balance", () => {
  const result = { type: "result", game_id: 8, balance: 980, delta: -20, outcome: "lost", seq: 3 };
  const state = after([START, result]);
  assert.equal(state.stage, "result");
  assert.equal(state.balance, 980);
  assert.deepEqual(state.result, result);
  assert.equal(state.game.id, 8);
});

test("a new state does not change the old one", () => {
  const state = Object.freeze(after([START]));
  Object.freeze(state.game);
  Object.freeze(state.game.hands);
  after([{ type: "dealt", game_id: 8, deal: 1, cards: ["2c", "3c"], left_ms: 1 }], state);
  assert.deepEqual(state.game.hands, []);
});
