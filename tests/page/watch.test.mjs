// Games of others: when they are asked for, and what is known of them.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { free } from "../../crates/table/src/server/page/state/reducer.js";
import { now as store } from "../../crates/table/src/server/page/state/store.js";
import { look, watch, watched } from "../../crates/table/src/server/page/controllers/spectator.js";

let asked;
let clock;

beforeEach(() => {
  asked = [];
  clock = 10_000;
  globalThis.document = { hidden: false };
  performance.now = () => clock;
  const connection = {
    awaits: () => false,
    look: (type, fields) => {
      asked.push([type, fields]);
      return `request ${asked.length}`;
    },
  };
  Object.assign(store, { page: "home", arrived: true, line: { state: "open" }, connection });
  store.state = free(0, 1000);
  store.watched = { open: [], game: 0, seen: null, known: false, request: null, asked: -Infinity };
});

test("the lobby asks every five seconds which games may be watched", () => {
  look();
  clock += 4_999;
  look();
  clock += 1;
  look();
  assert.deepEqual(asked, [
    ["watch", {}],
    ["watch", {}],
  ]);
  watched({ type: "watched", games: [{ game_id: 7 }], in_reply_to: "request 2" });
  assert.deepEqual(store.watched.open, [{ game_id: 7 }]);
});

test("a game is asked for every two seconds until it is over", () => {
  store.page = "watch";
  watch(7);
  look();
  clock += 1_999;
  look();
  clock += 1;
  look();
  assert.deepEqual(asked, [
    ["watch", { game_id: 7 }],
    ["watch", { game_id: 7 }],
  ]);
  watched({ type: "watched", games: [{ game_id: 7, result: {} }], in_reply_to: "request 2" });
  clock += 10_000;
  look();
  assert.equal(asked.length, 2);
});

test("a game that may not be watched is known to be none", () => {
  store.page = "watch";
  watch(7);
  look();
  // The answer to what the lobby asked before is not about it.
  watched({ type: "watched", games: [{ game_id: 8 }], in_reply_to: "request 0" });
  assert.equal(store.watched.known, false);
  assert.equal(store.watched.seen, null);
  watched({ type: "watched", games: [], in_reply_to: "request 1" });
  assert.equal(store.watched.known, true);
  assert.equal(store.watched.seen, null);
});

test("nobody asks who does not look, has no line, or plays", () => {
  for (const [name, value] of [
    ["page", "settings"],
    ["line", { state: "lost" }],
    ["state", { ...free(0, 1000), stage: "deciding" }],
  ]) {
    const before = store[name];
    store[name] = value;
    look();
    store[name] = before;
  }
  globalThis.document.hidden = true;
  look();
  assert.deepEqual(asked, []);
});
