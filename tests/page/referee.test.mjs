// Supervision of a game while it is played: invalid starts and cards are detected before the
// decision, and false reports as soon as a later message contradicts them.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { dealHands } from "../../crates/table/src/server/page/fairness/deal.js";
import { Referee } from "../../crates/table/src/server/page/fairness/referee.js";
import * as seeds from "../../crates/table/src/server/page/fairness/seeds.js";
import * as storage from "../../crates/table/src/server/page/state/storage.js";
import { store } from "../../crates/table/src/server/page/state/store.js";
import { foldedResult, hashed, start as signedStart, TABLE_SEED, THEIR_SEED } from "./fake-table.mjs";
import * as vectors from "./vectors.mjs";

const PROFILE = { name: "Ann", token: "", settled: 0, player: 12, balance: 1_000, balanceSeq: 0 };

/** Returns an honest start, with changes made before it is signed. */
function start(change = {}) {
  return signedStart(seeds.draw(), change);
}

function createReferee() {
  const referee = new Referee(() => {});
  referee.handleWelcome({ table: vectors.TABLE, key: vectors.KEY, balance: 1_000 });
  return referee;
}

/** Returns the message that deals the player's cards. */
function deal({ game_id, game, seed_hashes }) {
  const [cards] = dealHands(`${game}/2`, game_id, 1, TABLE_SEED, [
    seeds.findByHash(seed_hashes[0]),
    THEIR_SEED,
  ]);
  return { type: "dealt", seq: 3, game_id, deal: 1, cards, left_ms: 30_000 };
}

/** Plays a game to the end; `change` changes the result. */
async function play(change = () => {}) {
  const referee = createReferee();
  const message = start();
  const mine = seeds.findByHash(message.seed_hashes[0]);
  referee.handleMessage(message, PROFILE);
  assert.equal(await referee.seedToReveal(), mine);
  referee.recordReveal(4_000);
  referee.handleMessage({ type: "seeded", seq: 2, game_id: 1_234 }, PROFILE);
  referee.handleMessage(deal(message), PROFILE);
  referee.recordDecision(1, "fold", "d1");
  referee.handleMessage(
    { type: "decided", seq: 4, game_id: 1_234, deal: 1, decision: "fold", timed_out: false },
    PROFILE,
  );
  const result = foldedResult(message, mine, 5);
  change(result);
  referee.handleMessage(result, PROFILE);
  while (referee.verdict.outcome === "pending") await new Promise(setImmediate);
  return referee;
}

beforeEach(() => {
  store.fallbackStorage.clear();
  globalThis.fetch = async () => new Response(null, { status: 404 });
});

test("an honest game is verified", async () => {
  const referee = await play();
  assert.equal(referee.verdict.outcome, "good");
  assert.deepEqual(referee.problems("result"), {
    game: [],
    result: [],
    table: [],
    isUnchecked: false,
    unchecked: 0,
  });
  assert.equal(referee.verdict.opponentHand.length, 1);
});

test("a dishonest result fails, and shows none of the opponent's cards", async () => {
  const referee = await play((result) => (result.reveal.seed = "ab".repeat(32)));
  assert.equal(referee.verdict.outcome, "bad");
  assert.ok(referee.problems("result").result.includes("fair-commitment"));
  assert.equal(referee.verdict.opponentHand, null);
});

test("a start that the table's key did not sign reveals no seed", async () => {
  const changes = [
    { signature: "00".repeat(64) },
    { signature: undefined },
    { table: "ff".repeat(16) },
    { commitment: "ab".repeat(32) },
    { time_ms: 7 },
    { game: "double-card-game" },
  ];
  for (const change of changes) {
    const referee = createReferee();
    referee.handleMessage({ ...start(), ...change }, PROFILE);
    assert.equal(await referee.seedToReveal(), null, JSON.stringify(change));
    assert.deepEqual(referee.problems("starting").game, ["doubt-signature"], JSON.stringify(change));
    referee.reset();
  }
});

test("cards that arrive before the seed is confirmed raise a doubt", async () => {
  const referee = createReferee();
  const message = start();
  referee.handleMessage(message, PROFILE);
  await referee.seedToReveal();
  referee.handleMessage(deal(message), PROFILE);
  assert.deepEqual(referee.problems("deciding").game, ["doubt-unopened"]);
});

test("a start, cards or a decision that are contradicted later raise a doubt", async () => {
  const contradictions = [
    (message) => ({ ...message, commitment: "ab".repeat(32) }),
    (message) => ({ ...deal(message), cards: ["2c", "2d"] }),
    ({ game_id }) => ({ type: "decided", seq: 6, game_id, deal: 1, decision: "play", timed_out: false }),
  ];
  for (const contradict of contradictions) {
    store.fallbackStorage.clear();
    const referee = createReferee();
    const message = start();
    referee.handleMessage(message, PROFILE);
    await referee.seedToReveal();
    referee.handleMessage({ type: "seeded", seq: 2, game_id: 1_234 }, PROFILE);
    referee.handleMessage(deal(message), PROFILE);
    referee.handleMessage(
      { type: "decided", seq: 4, game_id: 1_234, deal: 1, decision: "fold", timed_out: false },
      PROFILE,
    );
    referee.handleMessage(message, PROFILE);
    assert.deepEqual(referee.problems("decided").game, []);
    referee.handleMessage(contradict(message), PROFILE);
    assert.deepEqual(referee.problems("decided").game, ["doubt-retold"], String(contradict));
  }
});

test("a balance that changed between visits raises an alarm", () => {
  const referee = createReferee();
  referee.handleReady({ table: vectors.TABLE, key: vectors.KEY, balance: 999 }, 1_000);
  assert.deepEqual(referee.problems("lobby").table, ["alarm-balance"]);
});

test("a reset drops the game", async () => {
  const referee = createReferee();
  referee.handleMessage(start({ seed_hashes: [hashed(THEIR_SEED), hashed(THEIR_SEED)] }), PROFILE);
  referee.reset();
  assert.equal(await referee.seedToReveal(), null);
  assert.deepEqual(referee.problems("starting").game, []);
});

test("a game with another opponent than the requested one reveals no seed", async () => {
  for (const [whom, house, fair] of [
    ["house", true, true],
    ["house", false, false],
    [{ friend: "00" }, true, false],
  ]) {
    const referee = createReferee();
    const message = start({ opponent: { player: 7, name: "Ola", house } });
    storage.saveMatchRequest({
      hash: message.seed_hashes[0],
      game: "single-card-game",
      whom,
      opponent: null,
    });
    referee.handleMessage(message, PROFILE);
    assert.equal((await referee.seedToReveal()) !== null, fair, `${JSON.stringify(whom)} ${house}`);
    assert.equal(referee.problems("starting").game.includes("doubt-other"), !fair);
    referee.reset();
  }
});
