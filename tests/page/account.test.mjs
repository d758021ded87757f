// Names, and account keys in files and links.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  isValidName,
  keyFile,
  keyLink,
  parseKeyFile,
  parseKeyLink,
  rename,
  switchAccount,
} from "../../crates/table/src/server/page/controllers/account.js";
import * as storage from "../../crates/table/src/server/page/state/storage.js";
import { store } from "../../crates/table/src/server/page/state/store.js";

const TOKEN = "ab".repeat(32);

beforeEach(() => {
  store.fallbackStorage.clear();
  Object.assign(store, {
    profile: { name: "Ann", token: TOKEN, settled: 7 },
    error: null,
    formerName: null,
    connection: null,
  });
});

test("a saved key is the same account elsewhere, from its beginning", () => {
  const file = keyFile();
  store.profile = null;
  storage.saveSeeds(["11".repeat(32)]);
  storage.saveGameRecord({ id: 3 });
  storage.saveOwnLink("single-card-game", { link: "ab", secret: "cd" });
  storage.saveFriend({ link: "ef" });
  switchAccount(parseKeyFile(file));
  const { name, token, settled, player } = storage.profile();
  assert.deepEqual([name, token, settled, player], ["Ann", TOKEN, 0, undefined]);
  // The records of the other account's games are gone.
  assert.deepEqual(storage.seeds(), []);
  assert.equal(storage.gameRecord(), null);
  // So are its links, which the other account could not use.
  assert.deepEqual(storage.ownLinks(), {});
  assert.equal(storage.friend(), null);
});

test("a file without a key is rejected", () => {
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
    assert.equal(parseKeyFile(file), null, file);
  }
});

test("a link contains the key, whatever the player's name", () => {
  for (const name of ["Ann", "Żółć & łoś #1?", "😀".repeat(32)]) {
    store.profile.name = name;
    const link = new URL(keyLink("https://table.example/war/"));
    assert.equal(`${link.origin}${link.pathname}${link.search}`, "https://table.example/war/");
    assert.deepEqual(parseKeyLink(link.hash), { name, token: TOKEN });
  }
});

test("a fragment without a key is rejected", () => {
  const none = ["", "#", "#key=", "#key=AAAA", "#key=a", "#key=%20", "#invite=ab&game=single-card-game"];
  for (const hash of [...none, `#key=${TOKEN}`, `${keyLink("")}A=`])
    assert.equal(parseKeyLink(hash), null, hash);
});

test("a name has up to 32 characters, however many bytes they take", () => {
  assert.ok(isValidName("😀".repeat(32)));
  assert.ok(!isValidName("😀".repeat(33)));
  assert.ok(!isValidName(""));
});

test("another valid name is requested", () => {
  const requested = [];
  store.connection = { request: (type, fields) => requested.push([type, fields]) };
  rename("Ann");
  rename("x".repeat(33));
  assert.equal(store.error.key, "join-refused");
  assert.deepEqual(requested, []);
  rename("Anna");
  assert.deepEqual(requested, [["settings", { name: "Anna" }]]);
  assert.equal(store.error, null);
});
