// The coach: decisions of finished games compared with the values of their hands, which the table
// serves.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { loadHandValues } from "../../crates/table/src/server/page/controllers/history.js";
import { assessGame, assessHistory, foldRate } from "../../crates/table/src/server/page/state/coach.js";
import { store } from "../../crates/table/src/server/page/state/store.js";

const VALUES = {
  "single-card-game": { 4: [-2.1, -1.78], 9: [-2.1, -1.78], A: [5, -1.75] },
  "double-card-game": { Q9: [-2.98, -2.96], QT: [-2.78, -2.95] },
};
const OLA = { player: 5, name: "Ola", house: false };
const HOUSE = { player: 1, name: "House 1", house: true };

beforeEach(() => {
  Object.assign(store, { handValues: null, isLoadingHandValues: false });
});

/** Returns a finished game of the history. */
function finished(cards, yours, theirs = "play", opponent = OLA) {
  return { game: `${cards.length === 1 ? "single" : "double"}-card-game`, cards, yours, theirs, opponent };
}

test("each deal of a game has its own decision, and both played at a tie", () => {
  const tied = { kind: "single-card-game", hands: [["Ac"], ["4h"]] };
  assert.deepEqual(assessGame(VALUES, tied, "fold"), [
    { hand: ["Ac"], play: 5, fold: -1.75, cost: 0 },
    { hand: ["4h"], play: -2.1, fold: -1.78, cost: 0 },
  ]);
  const played = assessGame(VALUES, { kind: "single-card-game", hands: [["4h"]] }, "play");
  assert.equal(played[0].cost.toFixed(6), "0.320000");
});

test("a hand is found by its ranks, in whatever order it was dealt", () => {
  const dealt = { kind: "double-card-game", hands: [["9c", "Qd"]] };
  const [{ hand, play, cost }] = assessGame(VALUES, dealt, "fold");
  assert.deepEqual([hand, play, cost], [["Qd", "9c"], -2.98, 0]);
});

test("no decision is assessed without values, or if there was none", () => {
  const game = { kind: "single-card-game", hands: [["4h"]] };
  assert.deepEqual(assessGame(null, game, "play"), []);
  assert.deepEqual(assessGame(VALUES, { ...game, hands: [] }, undefined), []);
});

test("the history has the tokens given away by hand, the costliest first", () => {
  const games = [
    finished(["Qc", "9d"], "play"),
    finished(["9h", "Qs"], "play", "fold"),
    finished(["4c"], "play"),
    finished(["Ac"], "play"),
    finished(["4d"], "fold"),
    { ...finished([], "forfeit"), cards: undefined },
  ];
  const { games: count, average, hands } = assessHistory(VALUES, games);
  assert.equal(count, 5);
  assert.equal(average.toFixed(6), "0.072000");
  const rounded = hands.map(({ ranks, games, cost }) => [ranks, games, cost.toFixed(6)]);
  assert.deepEqual(rounded, [
    ["4", 1, "0.320000"],
    ["Q9", 2, "0.040000"],
  ]);
});

test("the fold rate of a person counts their decisions in games with the player", () => {
  const games = [
    finished(["4c"], "play", "fold"),
    finished(["4c"], "play", "play"),
    finished(["4c"], "play", "play", { ...OLA, name: "Olga" }),
    finished(["4c"], "play", "forfeit"),
    finished(["4c"], "play", "fold", HOUSE),
  ];
  assert.deepEqual(foldRate(games, 5), { games: 3, percent: 33 });
  assert.equal(foldRate(games, 6).games, 0);
});

test("the values are loaded once, and again only after a failure", async () => {
  const requested = [];
  let updates = 0;
  const load = () => loadHandValues(() => (updates += 1));
  globalThis.fetch = async (address) => {
    requested.push(address);
    if (requested.length === 1) throw new Error("offline");
    return { ok: requested.length > 2, json: async () => VALUES };
  };
  await load();
  await load();
  assert.deepEqual([store.handValues, updates], [null, 0]);
  await Promise.all([load(), load()]);
  await load();
  assert.deepEqual([store.handValues, updates], [VALUES, 1]);
  assert.deepEqual(requested, Array(3).fill("hand-values.json"));
});
