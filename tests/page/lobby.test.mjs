// The numbers of people at the table, as the lobby and the waiting player see them.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { store } from "../../crates/table/src/server/page/state/store.js";
import { peopleText } from "../../crates/table/src/server/page/views/lobby.js";

const NOBODY = { "single-card-game": 0, "double-card-game": 0 };

beforeEach(() => {
  store.words.catalogues = {
    en: {
      "people-alone": "alone",
      "people-here": { one: "{n} other", other: "{n} others" },
      "people-waiting": { one: "{n} waits", other: "{n} wait" },
      "games-running": { one: "{n} game", other: "{n} games" },
    },
  };
});

test("players don't count themselves", () => {
  const own = { here: 1, running: 0, waiting: { ...NOBODY, "single-card-game": 1 } };
  assert.equal(peopleText(own, "single-card-game"), "alone");
  // Another player waits for the other game.
  assert.equal(peopleText({ ...own, here: 2 }, "double-card-game"), "1 other, 1 waits");
  assert.equal(peopleText({ ...own, here: 2 }, undefined), "1 other, 1 waits");
});

test("everybody else is counted, and so are the running games", () => {
  const waiting = { "single-card-game": 2, "double-card-game": 3 };
  assert.equal(peopleText({ here: 8, running: 1, waiting }, "double-card-game"), "7 others, 4 wait, 1 game");
});

test("a server that has not counted the player yet counts nobody less than none", () => {
  assert.equal(peopleText({ here: 0, running: 0, waiting: NOBODY }, "single-card-game"), "alone");
});
