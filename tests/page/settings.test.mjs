// Names, and the key of an account as it is saved and taken from a file.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  isName,
  keyFile,
  keyIn,
  keyLink,
  keyOf,
  rename,
  takeKey,
} from "../../crates/table/src/server/page/controllers/account.js";
import * as storage from "../../crates/table/src/server/page/state/storage.js";
import { now as store } from "../../crates/table/src/server/page/state/store.js";

const TOKEN = "ab".repeat(32);

beforeEach(() => {
  store.unkept.clear();
  Object.assign(store, {
    me: { name: "Ann", token: TOKEN, settled: 7 },
    error: null,
    former: null,
    connection: null,
  });
});

test("a key that was saved is the same account elsewhere, from its beginning", () => {
  const file = keyFile();
  store.me = null;
  storage.keepSeeds(["11".repeat(32)]);
  storage.hold({ id: 3 });
  takeKey(keyOf(file));
  const { name, token, settled, player } = storage.person();
  assert.deepEqual([name, token, settled, player], ["Ann", TOKEN, 0, undefined]);
  // What was held of the other account's games is nothing to this one.
  assert.deepEqual(storage.seeds(), []);
  assert.equal(storage.held(), null);
});

test("a file without a key is none", () => {
  const files = [
    "",
    "null",
    "7",
    "{}",
    `{"name":"Ann"}`,
    `{"token":"${TOKEN}"}`,
    `{"name":"","token":"${TOKEN}"}`,
  ];
  for (const file of [
    ...files,
    `{"name":"Ann","token":"${TOKEN}0"}`,
    `{"name":"${"x".repeat(33)}","token":"${TOKEN}"}`,
  ]) {
    assert.equal(keyOf(file), null, file);
  }
});

test("a link brings the key to another device, whatever the player is called", () => {
  for (const name of ["Ann", "Żółć & łoś #1?", "😀".repeat(32)]) {
    store.me.name = name;
    const link = new URL(keyLink("https://table.example"));
    assert.equal(`${link.origin}${link.pathname}${link.search}`, "https://table.example/");
    assert.deepEqual(keyIn(link.hash), { name, token: TOKEN });
  }
});

test("what is behind the address is a key only if it is one", () => {
  const none = ["", "#", "#key=", "#key=AAAA", "#key=a", "#key=%20", "#invite=ab&game=single-card-game"];
  for (const hash of [...none, `#key=${TOKEN}`, `${keyLink("").slice(1)}A=`])
    assert.equal(keyIn(hash), null, hash);
});

test("32 characters are a name, however many bytes they take", () => {
  assert.ok(isName("😀".repeat(32)));
  assert.ok(!isName("😀".repeat(33)));
  assert.ok(!isName(""));
});

test("another name is asked for once, and the former one is kept for the case that it is refused", () => {
  const asked = [];
  store.connection = { rename: (name) => asked.push(name) };
  rename("Ann");
  rename("x".repeat(33));
  assert.equal(store.error.key, "join-refused");
  assert.deepEqual(asked, []);
  rename("Anna");
  assert.deepEqual(asked, ["Anna"]);
  assert.equal(store.former, "Ann");
  assert.equal(store.error, null);
});
