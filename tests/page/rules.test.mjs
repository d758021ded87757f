// The last actions of both players, as the messages of a game tell them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { actionsOf } from "../../crates/table/src/server/page/state/rules.js";

const decided = (decision, timed_out = false) => ({ decision, timed_out });

test("decisions made in time are told as they are", () => {
  const game = { seat: 1, decision: decided("fold"), hasOpponentDecided: true };
  const decisions = { yours: "fold", theirs: "fold" };
  assert.deepEqual(actionsOf(game, { decisions }), decisions);
});

test("running out of time is not told as folding", () => {
  const game = { seat: 1, decision: decided("play"), hasOpponentDecided: false };
  const theirs = actionsOf(game, { decisions: { yours: "play", theirs: "fold" } });
  assert.deepEqual(theirs, { yours: "play", theirs: "late" });
  const late = { seat: 1, decision: decided("fold", true), hasOpponentDecided: true };
  const yours = actionsOf(late, { decisions: { yours: "fold", theirs: "play" } });
  assert.deepEqual(yours, { yours: "late", theirs: "play" });
});

test("a seed that was not opened in time is told as such, and the other player did nothing", () => {
  const game = { seat: 2, decision: null, hasOpponentDecided: false };
  assert.deepEqual(actionsOf(game, { forfeited: [1] }), { yours: "", theirs: "late" });
  assert.deepEqual(actionsOf(game, { forfeited: [2] }), { yours: "late", theirs: "" });
});
