// Pages and their addresses, and the pages that a game opens.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  followStage,
  goToGame,
  goToPage,
  homeAddress,
  readLocation,
} from "../../crates/table/src/server/page/controllers/router.js";
import { store } from "../../crates/table/src/server/page/state/store.js";

/** The table's home page, behind a proxy that keeps it below a path. */
const HOME = new URL("https://table.example/war/");

let steps;

beforeEach(() => {
  steps = [];
  store.page = "home";
  globalThis.location = HOME;
  globalThis.history = {
    pushState: (...args) => go("push", args[2]),
    replaceState: (...args) => go("replace", args[2]),
  };
});

/** Goes to a relative address, as a browser does, and notes where it leads. */
function go(step, address) {
  globalThis.location = new URL(address, globalThis.location);
  steps.push([step, globalThis.location.href.slice(HOME.origin.length)]);
}

test("every address is a page, and unknown ones are the home page", () => {
  const pages = {
    ".": "home",
    table: "table",
    games: "games",
    ladder: "ladder",
    "how-to-play": "how-to-play",
    fair: "fair",
    settings: "settings",
  };
  for (const [address, page] of Object.entries({ ...pages, other: "home", "": "home" })) {
    for (const home of [HOME, new URL("https://table.example/")]) {
      globalThis.location = new URL(address, home);
      readLocation();
      assert.equal(store.page, page);
      assert.equal(homeAddress(), home.href);
    }
  }
});

test("the address contains the game to watch", () => {
  for (const [search, page, game] of [
    ["?game=12", "watch", 12],
    ["?game=0", "home", 12],
    ["?game=x", "home", 12],
    ["", "home", 12],
  ]) {
    globalThis.location = new URL(`watch${search}`, HOME);
    readLocation();
    assert.deepEqual([store.page, store.spectator.game], [page, game]);
  }
  goToGame(7);
  assert.deepEqual([store.page, store.spectator.game], ["watch", 7]);
  assert.deepEqual(steps, [["push", "/war/watch?game=7"]]);
});

test("going to the current page does nothing", () => {
  goToPage("home");
  goToPage("fair");
  goToPage("fair");
  assert.deepEqual(steps, [["push", "/war/fair"]]);
});

test("a request for a game leads to the table, and its end away from it", () => {
  followStage("lobby", false, false);
  followStage("waiting", true, false);
  followStage("starting", true, false);
  followStage("result", true, false);
  followStage("lobby", true, false);
  assert.deepEqual(steps, [
    ["push", "/war/table"],
    ["replace", "/war/"],
  ]);
});

test("opening the page during a game replaces its address", () => {
  followStage("decided", true, true);
  assert.deepEqual(steps, [["replace", "/war/table"]]);
});

test("the table is left only once it is known that there is no game", () => {
  store.page = "table";
  followStage("arriving", true, true);
  assert.deepEqual(steps, []);
  followStage("join", true, true);
  assert.deepEqual(steps, [["replace", "/war/"]]);
});

test("players who come back find the lobby, unless they load a recent result again", () => {
  followStage("result", true, true, false);
  assert.equal(store.page, "home");
  store.page = "table";
  followStage("result", true, true, false);
  assert.equal(store.page, "table");
  followStage("result", true, true, true);
  assert.equal(store.page, "home");
  assert.deepEqual(steps, [["replace", "/war/"]]);
});

test("a result that has just come stays, however long ago the game ended", () => {
  store.page = "table";
  followStage("result", true, false, true);
  assert.equal(store.page, "table");
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
