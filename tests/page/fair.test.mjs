// Every way in which a table or an opponent can cheat turns the verdict on a game.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { dealt } from "../../crates/table/src/server/page/fairness/deal.js";
import { change, compared } from "../../crates/table/src/server/page/state/rules.js";
import { theirLast, verify } from "../../crates/table/src/server/page/fairness/verification.js";

const OTHER = "ab".repeat(32);
const ALL = ["start", "commitment", "seed", "their-seed", "cards", "outcome", "balance"].map(
  (key) => `fair-${key}`,
);

/**
 * A game that the table recorded and `war replay` verifies, as the player of a seat holds it, and
 * the result that they were told.
 */
function recorded(name, seat) {
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
    held: {
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

/** The keys of what is wrong, and of what could not be checked. */
function wrong({ held, result }, is = false) {
  return verify(held, result)
    .filter(({ right }) => right === is)
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
      const game = recorded(name, seat);
      assert.deepEqual(
        verify(game.held, game.result),
        ALL.map((key) => ({ key, right: true })),
      );
    });
  }
}

/** How a table cheats, and every check that finds it. */
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
    "the player is said not to have opened it",
    ({ result }) => forfeit(result, 1),
    ["fair-seed", "fair-cards", "fair-outcome"],
  ],
  [
    "the player is said to be late with a seed that is there",
    ({ result }) => (result.forfeited = [1]),
    ["fair-seed"],
  ],
  [
    "the player's decision was taken as another one",
    ({ held }) => (held.decided = [{ decision: "fold", timed_out: false }]),
    ["fair-outcome"],
  ],
  [
    "the game began with another hash",
    ({ held }) => (held.seedHashes = [OTHER, held.seedHashes[1]]),
    ["fair-seed", "fair-their-seed"],
  ],
  ["the page has no seed", ({ held }) => (held.seed = null), ["fair-seed"]],
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
  ["the table commits anew", ({ held }) => (held.commitment = OTHER), ["fair-commitment"]],
  [
    "the opponent's seed is another one",
    ({ result }) => (result.reveal.client_seeds[1] = OTHER),
    ["fair-their-seed", "fair-cards", "fair-outcome"],
  ],
  [
    "the opponent committed to another one later",
    ({ result }) => (result.reveal.seed_hashes = [result.reveal.seed_hashes[0], OTHER]),
    ["fair-their-seed"],
  ],
  [
    "the opponent is said not to have opened it",
    ({ result }) => forfeit(result, 2),
    ["fair-cards", "fair-outcome"],
  ],
  ["another card is dealt", ({ held }) => (held.hands = [["2c"]]), ["fair-cards"]],
  ["other cards of the player are shown", ({ result }) => (result.cards.yours = ["2c"]), ["fair-cards"]],
  ["other cards of the opponent are shown", ({ result }) => (result.cards.theirs = ["2c"]), ["fair-cards"]],
  ["no cards are shown", ({ result }) => delete result.cards, ["fair-cards"]],
  ["a deal is hidden", ({ result }) => (result.reveal.deals = 2), ["fair-cards", "fair-outcome"]],
  ["the result is turned round", ({ result }) => turned(result), ["fair-outcome"]],
  ["the result is called otherwise", ({ result }) => (result.outcome = "both_folded"), ["fair-outcome"]],
  ["too little is paid", ({ result }) => paid(result, -1), ["fair-outcome"]],
  ["too much is paid", ({ result }) => paid(result, 1), ["fair-outcome"]],
  ["the balance is another one", ({ result }) => (result.balance += 1), ["fair-balance"]],
  ["the player's decision is turned", ({ result }) => folds(result), ["fair-outcome"]],
  ["time is said to have played", ({ held }) => (held.sent = [["fold"]]), ["fair-outcome"]],
  ["the start is not signed", ({ held }) => (held.signed = false), ["fair-start"]],
  ["the start is told otherwise later", ({ held }) => (held.retold = true), ["fair-start"]],
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

function turned(result) {
  result.delta = -result.delta;
  result.balance = 1_000 + result.delta;
  result.outcome = result.delta > 0 ? "won" : "lost";
}

function paid(result, more) {
  result.delta += more;
  result.balance += more;
}

/** A fold of the player, with all that follows from it. */
function folds(result) {
  result.decisions.yours = "fold";
  Object.assign(result, { delta: -3, outcome: "lost", balance: 997 });
  delete result.cards;
}

for (const [how, cheat, found] of CHEATS) {
  test(`it is found where ${how}`, () => {
    const game = structuredClone(recorded("single_card_2_showdown", 1));
    cheat(game);
    assert.deepEqual(wrong(game), found);
  });
}

test("new cards without a tie are found", () => {
  const { held, result } = recorded("single_card_2_showdown", 1);
  const { seed, client_seeds: seeds } = result.reveal;
  const both = [1, 2].map((deal) => dealt(`${held.kind}/2`, held.id, deal, seed, seeds));
  const [yours, theirs] = both[1];
  held.hands = both.map(([mine]) => mine);
  held.decided = [...held.decided, ...held.decided];
  held.sent = [...held.sent, ...held.sent];
  const delta = change(held.kind, "play", "play", compared(yours, theirs));
  Object.assign(result, {
    delta,
    balance: 1_000 + delta,
    outcome: delta > 0 ? "won" : "lost",
    cards: { yours, theirs },
  });
  result.reveal.deals = 2;
  assert.deepEqual(wrong({ held, result }), ["fair-outcome"]);
});

test("a tie that did not lead to new cards is found", () => {
  const game = recorded("single_card_2_tied", 1);
  game.result.reveal.deals = 1;
  game.held.hands = game.held.hands.slice(0, 1);
  assert.ok(wrong(game).includes("fair-outcome"));
});

test("time may fold for the player, and never after they decided", () => {
  const game = recorded("double_card_2_timed_out", 1);
  const late = game.held.decided.some(({ timed_out }) => timed_out)
    ? game
    : recorded("double_card_2_timed_out", 2);
  assert.deepEqual(wrong(late), []);
  late.held.decided = late.held.decided.map((taken) => ({ ...taken, timed_out: false }));
  assert.deepEqual(wrong(late), ["fair-outcome"]);
});

test("what an operator gave during the game is in the balance, and nothing from after it", () => {
  const game = recorded("single_card_2_showdown", 1);
  game.held.adjusted = { 4: 50, 12: 7 };
  game.result.balance += 50;
  assert.deepEqual(wrong(game), []);
  game.result.balance += 7;
  assert.deepEqual(wrong(game), ["fair-balance"]);
});

test("what can't be checked is said so", () => {
  const game = recorded("single_card_2_showdown", 1);
  game.held.signed = null;
  game.held.before = null;
  assert.deepEqual(wrong(game, null), ["fair-start", "fair-balance"]);
  assert.deepEqual(wrong(game), []);
});

test("folded cards follow from the seeds", () => {
  const { held, result } = recorded("double_card_2_timed_out", 1);
  const { held: other } = recorded("double_card_2_timed_out", 2);
  assert.deepEqual(theirLast(held, result), other.hands.at(-1));
  const none = recorded("double_card_2_both_forfeited", 1);
  assert.equal(theirLast(none.held, none.result), null);
});
