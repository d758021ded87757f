// The browser's storage, which several tabs share.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import * as storage from "../../crates/table/src/server/page/state/storage.js";
import { store } from "../../crates/table/src/server/page/state/store.js";

const ANN = { name: "Ann", token: "ab".repeat(32), settled: 0 };
const BOB = { name: "Bob", token: "cd".repeat(32), settled: 0 };

/** Storage that can be full. */
class FakeStorage extends Map {
  isFull = false;

  getItem(key) {
    return this.get(key) ?? null;
  }

  setItem(key, value) {
    if (this.isFull) throw new Error("full");
    this.set(key, value);
  }
}

beforeEach(() => {
  globalThis.localStorage = new FakeStorage();
  store.fallbackStorage.clear();
  storage.saveProfile(ANN);
  store.profile = storage.profile();
});

/** Does what another tab does. */
function inOtherTab(key, value) {
  if (value === null) globalThis.localStorage.delete(key);
  else globalThis.localStorage.set(key, JSON.stringify(value));
}

test("progress restores no account that another tab has forgotten", () => {
  inOtherTab("war-table", null);
  storage.saveProgress();
  storage.saveName("Anna");
  assert.equal(storage.profile(), null);
});

test("progress replaces no account that another tab has taken", () => {
  inOtherTab("war-table", BOB);
  storage.saveProgress();
  storage.saveName("Anna");
  assert.deepEqual(storage.profile(), BOB);
});

test("progress keeps the name that another tab has changed", () => {
  inOtherTab("war-table", { ...ANN, name: "Zed" });
  store.state = { ...store.state, settled: 7 };
  storage.saveProgress();
  const { name, settled } = storage.profile();
  assert.deepEqual([name, settled], ["Zed", 7]);
  storage.saveName("Anna");
  assert.equal(storage.profile().name, "Anna");
});

test("what can't be stored lasts as long as the page", () => {
  for (const broken of ["full", "denied"]) {
    globalThis.localStorage = broken === "full" ? new FakeStorage() : null;
    if (broken === "full") globalThis.localStorage.isFull = true;
    storage.saveProfile(BOB);
    assert.equal(storage.isProfileStored(), false);
    store.profile = storage.profile();
    storage.saveName("Bo");
    assert.equal(storage.profile().name, "Bo");
    storage.saveWatchable(true);
    assert.equal(storage.isWatchable(), true);
  }
  globalThis.localStorage = new FakeStorage();
  storage.saveProfile(BOB);
  assert.equal(storage.isProfileStored(), true);
  assert.equal(JSON.parse(globalThis.localStorage.get("war-table")).name, "Bob");
});
