// Queries for other players' games, and the results of the queries.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { idleState } from "../../crates/table/src/server/page/state/reducer.js";
import { store } from "../../crates/table/src/server/page/state/store.js";
import { poll, receiveGames, selectGame } from "../../crates/table/src/server/page/controllers/spectator.js";

let sent;
let clock;

beforeEach(() => {
  sent = [];
  clock = 10_000;
  globalThis.document = { hidden: false };
  performance.now = () => clock;
  const connection = {
    isPending: () => false,
    query: (type, fields) => {
      sent.push([type, fields]);
      return `request ${sent.length}`;
    },
  };
  Object.assign(store, { page: "home", isSynced: true, connectionStatus: { state: "open" }, connection });
  store.state = idleState(0, 1000);
  store.spectator = {
    openGames: [],
    game: 0,
    snapshot: null,
    isLoaded: false,
    requestId: null,
    requestedAt: -Infinity,
  };
});

test("the lobby queries the list of games every five seconds", () => {
  poll();
  clock += 4_999;
  poll();
  clock += 1;
  poll();
  assert.deepEqual(sent, [
    ["watch", {}],
    ["watch", {}],
  ]);
  receiveGames({ type: "watched", games: [{ game_id: 7 }], in_reply_to: "request 2" });
  assert.deepEqual(store.spectator.openGames, [{ game_id: 7 }]);
});

test("the watched game is queried every two seconds until it is over", () => {
  store.page = "watch";
  selectGame(7);
  poll();
  clock += 1_999;
  poll();
  clock += 1;
  poll();
  assert.deepEqual(sent, [
    ["watch", { game_id: 7 }],
    ["watch", { game_id: 7 }],
  ]);
  receiveGames({ type: "watched", games: [{ game_id: 7, result: {} }], in_reply_to: "request 2" });
  clock += 10_000;
  poll();
  assert.equal(sent.length, 2);
});

test("a game that may not be watched has no snapshot", () => {
  store.page = "watch";
  selectGame(7);
  poll();
  // The answer to an earlier query of the lobby does not count for game 7.
  receiveGames({ type: "watched", games: [{ game_id: 8 }], in_reply_to: "request 0" });
  assert.equal(store.spectator.isLoaded, false);
  assert.equal(store.spectator.snapshot, null);
  receiveGames({ type: "watched", games: [], in_reply_to: "request 1" });
  assert.equal(store.spectator.isLoaded, true);
  assert.equal(store.spectator.snapshot, null);
});

test("there are no queries while the page is hidden, the connection is lost, or the player plays", () => {
  for (const [name, value] of [
    ["page", "settings"],
    ["connectionStatus", { state: "lost" }],
    ["state", { ...idleState(0, 1000), stage: "deciding" }],
  ]) {
    const before = store[name];
    store[name] = value;
    poll();
    store[name] = before;
  }
  globalThis.document.hidden = true;
  poll();
  assert.deepEqual(sent, []);
});
