// Which page is shown: its address, and where a game leads.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { arrive, follow, go, goWatch } from "../../crates/table/src/server/page/controllers/router.js";
import { now as store } from "../../crates/table/src/server/page/state/store.js";

let steps;

beforeEach(() => {
  steps = [];
  store.page = "home";
  globalThis.location = { pathname: "/" };
  globalThis.history = {
    pushState: (...args) => steps.push(["to", args[2]]),
    replaceState: (...args) => steps.push(["instead", args[2]]),
  };
});

test("every address is a page, and unknown ones are the first", () => {
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
    arrive();
    assert.equal(store.page, page);
  }
});

test("a game to watch is named by the address", () => {
  for (const [search, page, game] of [
    ["?game=12", "watch", 12],
    ["?game=0", "home", 12],
    ["?game=x", "home", 12],
    ["", "home", 12],
  ]) {
    globalThis.location = { pathname: "/watch", search };
    arrive();
    assert.deepEqual([store.page, store.watched.game], [page, game]);
  }
  goWatch(7);
  assert.deepEqual([store.page, store.watched.game], ["watch", 7]);
  assert.deepEqual(steps, [["to", "/watch?game=7"]]);
});

test("a page that is there already is no step", () => {
  go("home");
  go("fair");
  go("fair");
  assert.deepEqual(steps, [["to", "/fair"]]);
});

test("a choice leads to the table, and its end away from it", () => {
  follow("lobby", false, false);
  follow("waiting", true, false);
  follow("starting", true, false);
  follow("result", true, false);
  follow("lobby", true, false);
  assert.deepEqual(steps, [
    ["to", "/table"],
    ["instead", "/"],
  ]);
});

test("a page that is opened during a game is at the table without a step back", () => {
  follow("decided", true, true);
  assert.deepEqual(steps, [["instead", "/table"]]);
});

test("a table is looked for before it is left", () => {
  store.page = "table";
  follow("arriving", true, true);
  assert.deepEqual(steps, []);
  follow("join", true, true);
  assert.deepEqual(steps, [["instead", "/"]]);
});

test("new cards call the player from anywhere; a wait and a result do not", () => {
  for (const [stage, called] of [
    ["waiting", false],
    ["starting", true],
    ["deciding", true],
    ["decided", false],
    ["result", false],
  ]) {
    store.page = "settings";
    follow(stage, true, false);
    assert.equal(store.page, called ? "table" : "settings", stage);
  }
});

test("those who left the table stay where they are until something new comes", () => {
  for (const page of ["home", "fair"]) {
    store.page = page;
    follow("deciding", false, false);
    assert.equal(store.page, page);
  }
});
