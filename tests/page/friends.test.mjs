// Requests of a player who waits for a friend.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  agree,
  chooseFriend,
  receivePresence,
} from "../../crates/table/src/server/page/controllers/friends.js";
import { idleState } from "../../crates/table/src/server/page/state/reducer.js";
import { store } from "../../crates/table/src/server/page/state/store.js";

const LINK = "0123456789abcdef";

/** Connection whose requests stay unanswered. */
class Connection {
  requests = [];

  request(type, fields) {
    this.requests.push({ type, ...fields });
    return String(this.requests.length);
  }

  isPending(type) {
    return this.requests.some((request) => request.type === type);
  }

  isRequestingGame() {
    return this.requests.some(({ seed_hash }) => seed_hash !== undefined);
  }
}

beforeEach(() => {
  store.fallbackStorage.clear();
  const friend = { link: LINK, secret: "00", game: "single-card-game", name: "Ola", isInviter: false };
  Object.assign(store, {
    state: idleState(0, 1000),
    connection: new Connection(),
    friend: { ...friend, isAgreed: false, presence: "away" },
  });
});

test("a player may agree before the request to wait is answered", () => {
  chooseFriend();
  chooseFriend();
  agree();
  agree();
  const { requests } = store.connection;
  assert.deepEqual(
    requests.map(({ seed_hash }) => seed_hash !== undefined),
    [false, true],
  );
  for (const request of requests) assert.deepEqual([request.with, request.secret], [{ friend: LINK }, "00"]);
});

test("only a player who has agreed answers a friend who is ready", () => {
  const opponent = { player: 4, name: "Ola", house: false };
  receivePresence({ link: LINK, opponent, presence: "ready" });
  assert.deepEqual(store.connection.requests, []);
  store.friend.isAgreed = true;
  receivePresence({ link: LINK, opponent, presence: "ready" });
  assert.equal(store.connection.requests.length, 1);
  // Another player's link is none of theirs.
  receivePresence({ link: "f".repeat(16), opponent, presence: "ready" });
  assert.equal(store.friend.link, LINK);
});
