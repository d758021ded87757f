// Ways in which the server or an opponent can cheat, each of which fails a check, and ways in which
// evidence can be missing, none of which does.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { dealHands } from "../../crates/table/src/server/page/fairness/deal.js";
import { compareHands, tokenChange } from "../../crates/table/src/server/page/state/rules.js";
import {
  judge,
  opponentLastHand,
  verifyGame,
} from "../../crates/table/src/server/page/fairness/verification.js";

const OTHER = "ab".repeat(32);
const ALL = ["start", "commitment", "seed", "their-seed", "cards", "outcome", "balance"].map(
  (key) => `fair-${key}`,
);

/**
 * Returns a player's record of a game, and the result as they received it. Both are made from a
 * journal that `war replay` verifies.
 */
function readGame(name, seat) {
  const journal = JSON.parse(readFileSync(new URL(`../../journals/${name}.json`, import.meta.url), "utf8"));
  const { commitment, seed, game } = journal.deal.committed;
  const events = journal.events.map(({ event }) => Object.entries(event)[0]);
  const of = (type) => events.filter(([one]) => one === type).map(([, facts]) => facts);
  const mine = (facts) => facts.find(({ player }) => player === seat);
  const theirs = (facts) => facts.find(({ player }) => player !== seat);
  const [{ players, seed_hashes: seedHashes }] = of("committed");
  const seeds = [1, 2].map((at) => of("opened").find(({ player }) => player === at)?.seed ?? null);
  const hands = of("dealt").map(({ hands: both }) => [both[seat - 1], both[2 - seat]]);
  const decided = of("decided").filter(({ player }) => player === seat);
  const forfeited = of("forfeited").map(({ player }) => player);
  const last = of("decided").slice(-2);
  const decisions =
    hands.length > 0 ? { yours: mine(last).decision, theirs: theirs(last).decision } : undefined;
  const shown = decisions?.yours === "play" && decisions.theirs === "play";
  const delta = of("settled")[0].deltas[seat - 1];
  const folded = ![decisions?.yours, decisions?.theirs].includes("play") && forfeited.length !== 1;
  return {
    record: {
      id: game,
      kind: journal.rules.id.split("/")[0],
      seat,
      players,
      commitment,
      seedHashes,
      signed: true,
      retold: false,
      seed: seeds[seat - 1] ?? `0${seat}`.repeat(32),
      inTime: seeds[seat - 1] !== null,
      swapped: false,
      requestIds: [],
      hands: hands.map(([hand]) => hand),
      decided: decided.map(({ decision, timed_out }) => ({ decision, timed_out })),
      sent: decided.map(({ decision, timed_out }) => (timed_out ? [] : [decision])),
      before: 1_000,
    },
    result: {
      type: "result",
      seq: 9,
      game_id: game,
      outcome: folded ? "both_folded" : delta > 0 ? "won" : "lost",
      delta,
      balance: 1_000 + delta,
      ...(decisions ? { decisions } : {}),
      ...(shown ? { cards: { yours: hands.at(-1)[0], theirs: hands.at(-1)[1] } } : {}),
      ...(forfeited.length > 0 ? { forfeited } : {}),
      reveal: { seed, client_seeds: seeds, seed_hashes: seedHashes, deals: hands.length },
    },
  };
}

/** Returns the keys of the checks with this result: by default of those that failed. */
function checksThat({ record, result }, expected = false) {
  return verifyGame(record, result)
    .filter(({ right }) => right === expected)
    .map(({ key }) => key);
}

const GAMES = [
  "single_card_2_showdown",
  "single_card_2_tied",
  "single_card_2_forfeited",
  "double_card_2_tied",
  "double_card_2_timed_out",
  "double_card_2_both_forfeited",
];

for (const name of GAMES) {
  for (const seat of [1, 2]) {
    test(`${name} is fair for seat ${seat}`, () => {
      const game = readGame(name, seat);
      // A seed that was not revealed proves nothing.
      const isMissed = game.result.reveal.client_seeds[seat - 1] === null;
      assert.deepEqual(checksThat(game, null), isMissed ? ["fair-seed"] : []);
      assert.deepEqual(checksThat(game, true), isMissed ? ALL.filter((key) => key !== "fair-seed") : ALL);
      assert.equal(judge(game).outcome, isMissed ? "unchecked" : "good");
    });
  }
}

/** Ways to cheat, with all checks that fail. */
const CHEATS = [
  [
    "the player's seed is swapped",
    ({ result }) => (result.reveal.client_seeds[0] = OTHER),
    ["fair-seed", "fair-cards", "fair-outcome"],
  ],
  [
    "the player's seed is dropped",
    ({ result }) => (result.reveal.client_seeds[0] = null),
    ["fair-seed", "fair-cards", "fair-outcome"],
  ],
  [
    "the player is said not to have revealed their seed",
    ({ result }) => forfeit(result, 1),
    ["fair-seed", "fair-cards", "fair-outcome"],
  ],
  [
    "the player is said to have forfeited in spite of their seed",
    ({ result }) => (result.forfeited = [1]),
    ["fair-seed"],
  ],
  [
    "the player's decision is reported differently",
    ({ record }) => (record.decided = [{ decision: "fold", timed_out: false }]),
    ["fair-outcome"],
  ],
  [
    "the game starts with another hash",
    ({ record }) => (record.seedHashes = [OTHER, record.seedHashes[1]]),
    ["fair-their-seed"],
  ],
  ["the start answers with another hash", ({ record }) => (record.swapped = true), ["fair-seed"]],
  [
    "the table grinds its own seed",
    ({ result }) => (result.reveal.seed = OTHER),
    ["fair-commitment", "fair-cards"],
  ],
  [
    "the table reveals no seed",
    ({ result }) => delete result.reveal.seed,
    ["fair-commitment", "fair-cards", "fair-outcome"],
  ],
  ["the table changes its commitment", ({ record }) => (record.commitment = OTHER), ["fair-commitment"]],
  [
    "the opponent's seed is swapped",
    ({ result }) => (result.reveal.client_seeds[1] = OTHER),
    ["fair-their-seed", "fair-cards", "fair-outcome"],
  ],
  [
    "the opponent's hash is swapped later",
    ({ result }) => (result.reveal.seed_hashes = [result.reveal.seed_hashes[0], OTHER]),
    ["fair-their-seed"],
  ],
  [
    "the opponent is said not to have revealed their seed",
    ({ result }) => forfeit(result, 2),
    ["fair-cards", "fair-outcome"],
  ],
  ["another card is dealt", ({ record }) => (record.hands = [["2c"]]), ["fair-cards"]],
  ["other cards of the player are shown", ({ result }) => (result.cards.yours = ["2c"]), ["fair-cards"]],
  ["other cards of the opponent are shown", ({ result }) => (result.cards.theirs = ["2c"]), ["fair-cards"]],
  ["no cards are shown", ({ result }) => delete result.cards, ["fair-cards"]],
  ["a deal is hidden", ({ result }) => (result.reveal.deals = 2), ["fair-cards", "fair-outcome"]],
  ["winner and loser are swapped", ({ result }) => swapWinner(result), ["fair-outcome"]],
  ["the outcome is wrong", ({ result }) => (result.outcome = "both_folded"), ["fair-outcome"]],
  ["too little is paid", ({ result }) => changePayment(result, -1), ["fair-outcome"]],
  ["too much is paid", ({ result }) => changePayment(result, 1), ["fair-outcome"]],
  ["the balance is wrong", ({ result }) => (result.balance += 1), ["fair-balance"]],
  ["the player's decision is changed", ({ result }) => fold(result), ["fair-outcome"]],
  ["a timeout is said to have played", ({ record }) => (record.sent = [["fold"]]), ["fair-outcome"]],
  ["the start is not signed", ({ record }) => (record.signed = false), ["fair-start"]],
  ["the start is reported differently later", ({ record }) => (record.retold = true), ["fair-start"]],
  [
    "nothing is revealed",
    ({ result }) => delete result.reveal,
    ["fair-commitment", "fair-seed", "fair-their-seed", "fair-cards", "fair-outcome"],
  ],
];

function forfeit(result, seat) {
  result.forfeited = [seat];
  result.reveal.client_seeds[seat - 1] = null;
}

function swapWinner(result) {
  result.delta = -result.delta;
  result.balance = 1_000 + result.delta;
  result.outcome = result.delta > 0 ? "won" : "lost";
}

function changePayment(result, more) {
  result.delta += more;
  result.balance += more;
}

/** Changes the player's decision to a fold, with everything that follows from it. */
function fold(result) {
  result.decisions.yours = "fold";
  Object.assign(result, { delta: -3, outcome: "lost", balance: 997 });
  delete result.cards;
}

for (const [name, cheat, failed] of CHEATS) {
  test(`a check fails if ${name}`, () => {
    const game = structuredClone(readGame("single_card_2_showdown", 1));
    cheat(game);
    assert.deepEqual(checksThat(game), failed);
    assert.equal(judge(game).outcome, "bad");
    assert.equal(judge(game).opponentHand, null);
  });
}

/** Ways in which evidence can be missing, with the checks that can't be made. */
const MISSING = [
  ["seed", ({ record }) => (record.seed = null), ["fair-seed"]],
  ["requested decision", ({ record }) => (record.sent = []), ["fair-outcome"]],
  [
    "request that was granted",
    ({ record }) => Object.assign(record.decided[0], { answers: "b" }) && (record.sent = [["fold"]]),
    ["fair-outcome"],
  ],
  [
    "valid signature of a game begun elsewhere",
    ({ record }) => Object.assign(record, { seed: null, signed: false }),
    ["fair-start", "fair-seed"],
  ],
];

for (const [name, lose, unknown] of MISSING) {
  test(`a game is neither verified nor wrong without a ${name}`, () => {
    const game = structuredClone(readGame("single_card_2_showdown", 1));
    lose(game);
    assert.deepEqual(checksThat(game, null), unknown);
    assert.deepEqual(checksThat(game), []);
    assert.equal(judge(game).outcome, "unchecked");
    assert.equal(judge(game).opponentHand, null);
  });
}

test("a decision that this browser requested is wrong if another one is reported as granted", () => {
  const { record, result } = structuredClone(readGame("single_card_2_showdown", 1));
  Object.assign(record, { sent: [["fold"]], requestIds: ["a"] });
  record.decided[0].answers = "a";
  assert.deepEqual(checksThat({ record, result }), ["fair-outcome"]);
});

test("a game without a record of commitments can't be checked", () => {
  const { record, result } = readGame("single_card_2_showdown", 1);
  assert.equal(judge({ record: null, result }).outcome, "unrecorded");
  assert.equal(judge({ record: { ...record, seedHashes: [] }, result }).outcome, "unrecorded");
  // A hash is missing that this browser committed to.
  assert.equal(judge({ record: { ...record, seedHashes: [], swapped: true }, result }).outcome, "bad");
});

test("each check names its evidence", () => {
  const { record, result } = readGame("single_card_2_showdown", 1);
  const evidence = verifyGame({ ...record, seed: null }, result).map((check) => check.evidence);
  const names = ["signature", "start", "none", "start", "cards", "decisions", "balance"];
  assert.deepEqual(
    evidence,
    names.map((name) => `evidence-${name}`),
  );
});

test("a check fails if new cards are dealt without a tie", () => {
  const { record, result } = readGame("single_card_2_showdown", 1);
  const { seed, client_seeds: seeds } = result.reveal;
  const both = [1, 2].map((deal) => dealHands(`${record.kind}/2`, record.id, deal, seed, seeds));
  const [yours, theirs] = both[1];
  record.hands = both.map(([mine]) => mine);
  record.decided = [...record.decided, ...record.decided];
  record.sent = [...record.sent, ...record.sent];
  const delta = tokenChange(record.kind, "play", "play", compareHands(yours, theirs));
  Object.assign(result, {
    delta,
    balance: 1_000 + delta,
    outcome: delta > 0 ? "won" : "lost",
    cards: { yours, theirs },
  });
  result.reveal.deals = 2;
  assert.deepEqual(checksThat({ record, result }), ["fair-outcome"]);
});

test("a check fails if a tie leads to no new cards", () => {
  const game = readGame("single_card_2_tied", 1);
  game.result.reveal.deals = 1;
  game.record.hands = game.record.hands.slice(0, 1);
  assert.ok(checksThat(game).includes("fair-outcome"));
});

test("a timeout may fold for a player; any other decision that was not sent is unknown", () => {
  const game = readGame("double_card_2_timed_out", 1);
  const late = game.record.decided.some(({ timed_out }) => timed_out)
    ? game
    : readGame("double_card_2_timed_out", 2);
  assert.deepEqual(checksThat(late), []);
  late.record.decided = late.record.decided.map((decided) => ({ ...decided, timed_out: false }));
  assert.deepEqual(checksThat(late), []);
  assert.deepEqual(checksThat(late, null), ["fair-outcome"]);
});

test("the balance includes adjustments during the game, and none after it", () => {
  const game = readGame("single_card_2_showdown", 1);
  game.record.adjusted = { 4: 50, 12: 7 };
  game.result.balance += 50;
  assert.deepEqual(checksThat(game), []);
  game.result.balance += 7;
  assert.deepEqual(checksThat(game), ["fair-balance"]);
});

test("checks that can't be made are reported as such", () => {
  const game = readGame("single_card_2_showdown", 1);
  game.record.signed = null;
  game.record.before = null;
  assert.deepEqual(checksThat(game, null), ["fair-start", "fair-balance"]);
  assert.deepEqual(checksThat(game), []);
});

test("folded cards follow from the seeds", () => {
  const { record, result } = readGame("double_card_2_timed_out", 1);
  const { record: other } = readGame("double_card_2_timed_out", 2);
  assert.deepEqual(opponentLastHand(record, result), other.hands.at(-1));
  const none = readGame("double_card_2_both_forfeited", 1);
  assert.equal(opponentLastHand(none.record, none.result), null);
});
