// Pages and their addresses, and the pages that a game opens.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  followStage,
  goToGame,
  goToPage,
  readLocation,
} from "../../crates/table/src/server/page/controllers/router.js";
import { store } from "../../crates/table/src/server/page/state/store.js";

let steps;

beforeEach(() => {
  steps = [];
  store.page = "home";
  globalThis.location = { pathname: "/" };
  globalThis.history = {
    pushState: (...args) => steps.push(["push", args[2]]),
    replaceState: (...args) => steps.push(["replace", args[2]]),
  };
});

test("every address is a page, and unknown ones are the home page", () => {
  const pages = {
    "/": "home",
    "/table": "table",
    "/games": "games",
    "/ladder": "ladder",
    "/how-to-play": "how-to-play",
    "/fair": "fair",
    "/settings": "settings",
  };
  for (const [pathname, page] of Object.entries({ ...pages, "/other": "home", "/toString": "home" })) {
    globalThis.location = { pathname };
    readLocation();
    assert.equal(store.page, page);
  }
});

test("the address contains the game to watch", () => {
  for (const [search, page, game] of [
    ["?game=12", "watch", 12],
    ["?game=0", "home", 12],
    ["?game=x", "home", 12],
    ["", "home", 12],
  ]) {
    globalThis.location = { pathname: "/watch", search };
    readLocation();
    assert.deepEqual([store.page, store.spectator.game], [page, game]);
  }
  goToGame(7);
  assert.deepEqual([store.page, store.spectator.game], ["watch", 7]);
  assert.deepEqual(steps, [["push", "/watch?game=7"]]);
});

test("going to the current page does nothing", () => {
  goToPage("home");
  goToPage("fair");
  goToPage("fair");
  assert.deepEqual(steps, [["push", "/fair"]]);
});

test("a request for a game leads to the table, and its end away from it", () => {
  followStage("lobby", false, false);
  followStage("waiting", true, false);
  followStage("starting", true, false);
  followStage("result", true, false);
  followStage("lobby", true, false);
  assert.deepEqual(steps, [
    ["push", "/table"],
    ["replace", "/"],
  ]);
});

test("opening the page during a game replaces its address", () => {
  followStage("decided", true, true);
  assert.deepEqual(steps, [["replace", "/table"]]);
});

test("the table is left only once it is known that there is no game", () => {
  store.page = "table";
  followStage("arriving", true, true);
  assert.deepEqual(steps, []);
  followStage("join", true, true);
  assert.deepEqual(steps, [["replace", "/"]]);
});

test("a start and new cards lead to the table from any page; a wait and a result do not", () => {
  for (const [stage, isCalling] of [
    ["waiting", false],
    ["starting", true],
    ["deciding", true],
    ["decided", false],
    ["result", false],
  ]) {
    store.page = "settings";
    followStage(stage, true, false);
    assert.equal(store.page, isCalling ? "table" : "settings", stage);
  }
});

test("players who left the table stay where they are until there is a new stage", () => {
  for (const page of ["home", "fair"]) {
    store.page = page;
    followStage("deciding", false, false);
    assert.equal(store.page, page);
  }
});
