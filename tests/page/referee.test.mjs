// What the page holds of a game while it is played: starts and cards that can't be right are known
// before there is anything to decide, and what is told otherwise later is known then.

import assert from "node:assert/strict";
import { createHash, createPrivateKey, sign } from "node:crypto";
import { beforeEach, test } from "node:test";
import { dealt } from "../../crates/table/src/server/page/fairness/deal.js";
import { startText } from "../../crates/table/src/server/page/fairness/merkle-tree.js";
import { Referee } from "../../crates/table/src/server/page/fairness/referee.js";
import * as seeds from "../../crates/table/src/server/page/fairness/seeds.js";
import * as storage from "../../crates/table/src/server/page/state/storage.js";
import { now as store } from "../../crates/table/src/server/page/state/store.js";
import * as vectors from "./vectors.mjs";

const ME = { name: "Ann", token: "", settled: 0, player: 12, balance: 1_000 };
const TABLE_SEED = "00".repeat(32);
const THEIR_SEED = "22".repeat(32);
const SECRET = createPrivateKey({
  key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 1)]),
  format: "der",
  type: "pkcs8",
});

function hashed(digits) {
  return createHash("sha256").update(Buffer.from(digits, "hex")).digest("hex");
}

/** A start as an honest table tells it, changed before the table signs it. */
function start(change = {}) {
  const message = {
    type: "started",
    seq: 1,
    game_id: 1_234,
    game: "single-card-game",
    seat: 1,
    opponent: { player: 7, name: "Ola", house: false },
    seed_hashes: [seeds.draw(), hashed(THEIR_SEED)],
    commitment: hashed(TABLE_SEED),
    time_ms: 1_790_000_000_000,
    table: vectors.TABLE,
    left_ms: 5_000,
    ...change,
  };
  const { game_id, game, seed_hashes, commitment, time_ms } = message;
  const text = startText(vectors.TABLE, {
    game: game_id,
    rules: `${game}/2`,
    players: [12, 7],
    commitment,
    seedHashes: seed_hashes,
    time: time_ms,
  });
  return { ...message, signature: sign(null, Buffer.from(text), SECRET).toString("hex") };
}

function referee() {
  const made = new Referee(() => {});
  made.welcomed({ table: vectors.TABLE, key: vectors.KEY, balance: 1_000 }, null);
  return made;
}

/** The player's cards in this game, and the message that deals them. */
function deal({ game_id, game, seed_hashes }) {
  const [cards] = dealt(`${game}/2`, game_id, 1, TABLE_SEED, [seeds.ofHash(seed_hashes[0]), THEIR_SEED]);
  return { type: "dealt", seq: 3, game_id, deal: 1, cards, left_ms: 30_000 };
}

/** Plays a game to the end; `change` changes the result. */
async function played(change = () => {}) {
  const judge = referee();
  const message = start();
  const mine = seeds.ofHash(message.seed_hashes[0]);
  judge.hear(message, ME);
  assert.equal(await judge.seed(), mine);
  judge.opens(4_000);
  judge.hear({ type: "seeded", seq: 2, game_id: 1_234 }, ME);
  judge.hear(deal(message), ME);
  judge.decides(1, "fold");
  judge.hear({ type: "decided", seq: 4, game_id: 1_234, deal: 1, decision: "fold", timed_out: false }, ME);
  const result = {
    type: "result",
    seq: 5,
    game_id: 1_234,
    outcome: "lost",
    delta: -3,
    balance: 997,
    decisions: { yours: "fold", theirs: "play" },
    digest: "65beb305410a611f291a47ef8b561854",
    time_ms: 1,
    reveal: {
      seed: TABLE_SEED,
      client_seeds: [mine, THEIR_SEED],
      seed_hashes: message.seed_hashes,
      deals: 1,
    },
  };
  change(result);
  judge.hear(result, ME);
  while (judge.verdict.is === "pending") await new Promise(setImmediate);
  return judge;
}

beforeEach(() => {
  store.unkept.clear();
  globalThis.fetch = async () => new Response(null, { status: 404 });
});

test("an honest game is played without a doubt, and verified", async () => {
  const judge = await played();
  assert.equal(judge.verdict.is, "good");
  assert.deepEqual(judge.wrong("result"), { game: [], result: [], table: [] });
  assert.equal(judge.verdict.theirs.length, 1);
});

test("a result that cheats is not verified, and shows no cards of the other", async () => {
  const judge = await played((result) => (result.reveal.seed = "ab".repeat(32)));
  assert.equal(judge.verdict.is, "bad");
  assert.ok(judge.wrong("result").result.includes("fair-commitment"));
  assert.equal(judge.verdict.theirs, null);
});

test("a start without the player's own seed keeps every seed closed", async () => {
  const judge = referee();
  judge.hear(start({ seed_hashes: [hashed(THEIR_SEED), hashed(THEIR_SEED)] }), ME);
  assert.equal(await judge.seed(), null);
  assert.deepEqual(judge.wrong("starting").game, ["doubt-seed"]);
});

test("a start that the table's key did not sign keeps the seed closed", async () => {
  const changes = [
    { signature: "00".repeat(64) },
    { signature: undefined },
    { table: "ff".repeat(16) },
    { commitment: "ab".repeat(32) },
    { time_ms: 7 },
    { game: "double-card-game" },
  ];
  for (const change of changes) {
    const judge = referee();
    judge.hear({ ...start(), ...change }, ME);
    assert.equal(await judge.seed(), null, JSON.stringify(change));
    assert.deepEqual(judge.wrong("starting").game, ["doubt-signature"], JSON.stringify(change));
    judge.forget();
  }
});

test("cards that come before the table has the seed are known before the decision", async () => {
  const judge = referee();
  const message = start();
  judge.hear(message, ME);
  await judge.seed();
  judge.hear(deal(message), ME);
  assert.deepEqual(judge.wrong("deciding").game, ["doubt-unopened"]);
});

test("a start, cards or a decision that are told otherwise later are known", async () => {
  const told = [
    (message) => ({ ...message, commitment: "ab".repeat(32) }),
    (message) => ({ ...deal(message), cards: ["2c", "2d"] }),
    ({ game_id }) => ({ type: "decided", seq: 6, game_id, deal: 1, decision: "play", timed_out: false }),
  ];
  for (const again of told) {
    store.unkept.clear();
    const judge = referee();
    const message = start();
    judge.hear(message, ME);
    await judge.seed();
    judge.hear({ type: "seeded", seq: 2, game_id: 1_234 }, ME);
    judge.hear(deal(message), ME);
    judge.hear({ type: "decided", seq: 4, game_id: 1_234, deal: 1, decision: "fold", timed_out: false }, ME);
    judge.hear(message, ME);
    assert.deepEqual(judge.wrong("decided").game, []);
    judge.hear(again(message), ME);
    assert.deepEqual(judge.wrong("decided").game, ["doubt-retold"], String(again));
  }
});

test("a balance that changed while nobody played is an alarm", () => {
  const judge = referee();
  judge.welcomed({ table: vectors.TABLE, key: vectors.KEY, balance: 999 }, 1_000);
  assert.deepEqual(judge.wrong("lobby").table, ["alarm-balance"]);
});

test("a player whom the table has forgotten is held to nothing", async () => {
  const judge = referee();
  judge.hear(start({ seed_hashes: [hashed(THEIR_SEED), hashed(THEIR_SEED)] }), ME);
  judge.forget();
  assert.equal(await judge.seed(), null);
  assert.deepEqual(judge.wrong("starting").game, []);
});

test("a game with another opponent than the one asked for keeps the seed closed", async () => {
  for (const [whom, house, fair] of [
    ["house", true, true],
    ["house", false, false],
    [{ accept: "00" }, true, false],
  ]) {
    const watching = referee();
    const message = start({ opponent: { player: 7, name: "Ola", house } });
    storage.keepWish({ hash: message.seed_hashes[0], game: "single-card-game", whom, opponent: null });
    watching.hear(message, ME);
    assert.equal((await watching.seed()) !== null, fair, `${JSON.stringify(whom)} ${house}`);
    assert.equal(watching.wrong("starting").game.includes("doubt-other"), !fair);
    watching.forget();
  }
});
