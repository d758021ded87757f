// Monitor of the log: a table that changes its key or its past, or drops a game, causes an alarm,
// which lasts until the player has acknowledged it.

import assert from "node:assert/strict";
import { createHash, createPrivateKey, sign } from "node:crypto";
import { beforeEach, test } from "node:test";
import * as monitor from "../../crates/table/src/server/page/fairness/log-monitor.js";
import { store } from "../../crates/table/src/server/page/state/store.js";
import * as vectors from "./vectors.mjs";

const NOW = 1_790_000_100_000;
const ORIGIN = `war-table/${vectors.TABLE}`;
/** Secret key of the specification's vectors, 32 bytes 01, as PKCS 8. */
const SECRET = createPrivateKey({
  key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 1)]),
  format: "der",
  type: "pkcs8",
});

/** Returns a checkpoint of a log with these leaves. */
function noteOf(leaves, { origin = ORIGIN, secret = SECRET } = {}) {
  const text = `${origin}\n${leaves.length}\n${vectors.rootOf(leaves).toString("base64")}\n`;
  const named = Buffer.concat([Buffer.from(`${origin}\n`), Buffer.of(1), Buffer.from(vectors.KEY, "hex")]);
  const id = createHash("sha256").update(named).digest().subarray(0, 4);
  const signed = Buffer.concat([id, sign(null, Buffer.from(text), secret)]).toString("base64");
  return `${text}\n\u2014 ${origin} ${signed}\n`;
}

/** Returns a reader of a log with these leaves. */
function logOf(texts, note) {
  const leaves = texts.map(vectors.leafOf);
  const files = vectors.files(leaves);
  files.set("checkpoint", Buffer.from(note ?? noteOf(leaves)));
  return async (path) => files.get(path) ?? null;
}

/** Returns a key that is not the table's. */
function otherSecret() {
  const key = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 2)]);
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}

beforeEach(() => {
  store.fallbackStorage.clear();
  monitor.pin({ table: vectors.TABLE, key: vectors.KEY });
});

test("the log of the specification is good, and contains its game", async () => {
  monitor.expect(vectors.START, NOW);
  assert.equal(await monitor.check(NOW, logOf([vectors.START, vectors.END], vectors.NOTE)), "good");
  assert.ok(monitor.hasFound([vectors.START]));
  assert.ok(!monitor.hasFound([vectors.END]));
});

test("a game that is not in the log after a minute raises an alarm", async () => {
  monitor.expect(vectors.START, NOW);
  const empty = logOf(["another\n"]);
  assert.equal(await monitor.check(NOW, empty), "waiting");
  assert.equal(await monitor.check(NOW + 60_000, empty), "waiting");
  assert.equal(await monitor.check(NOW + 60_001, empty), "bad");
  assert.deepEqual(monitor.read().alarms, ["alarm-missing"]);
});

test("a game in a tile that is not under the signed root is not found", async () => {
  monitor.expect(vectors.START, NOW);
  const elsewhere = noteOf(["a\n", "b\n"].map(vectors.leafOf));
  assert.equal(await monitor.check(NOW, logOf(["a\n", vectors.START], elsewhere)), "waiting");
});

test("a game that is removed again raises an alarm", async () => {
  monitor.expect(vectors.START, NOW);
  await monitor.check(NOW, logOf(["a\n", vectors.START]));
  assert.equal(await monitor.check(NOW, logOf(["a\n", "b\n", "c\n"])), "bad");
  assert.deepEqual(monitor.read().alarms, ["alarm-rewritten"]);
});

test("a result that is changed later raises an alarm", async () => {
  await monitor.check(NOW, logOf([vectors.START, vectors.END, "a\n"]));
  const changed = vectors.END.replace("65beb", "75beb");
  assert.equal(await monitor.check(NOW, logOf([vectors.START, changed, "a\n", "b\n"])), "bad");
  assert.deepEqual(monitor.read().alarms, ["alarm-rewritten"]);
});

test("a log that shrinks raises an alarm", async () => {
  await monitor.check(NOW, logOf(["a\n", "b\n"]));
  assert.equal(await monitor.check(NOW, logOf(["a\n"])), "bad");
  assert.deepEqual(monitor.read().alarms, ["alarm-rewritten"]);
});

test("a game whose leaf was verified before the page knew of the game is found", async () => {
  await monitor.check(NOW, logOf(["a\n"]));
  const size = monitor.verifiedSize();
  // The page slept, and sees the log before it sees the start.
  const log = logOf(["a\n", vectors.START]);
  await monitor.check(NOW, log);
  monitor.expect(vectors.START, NOW, size);
  assert.equal(await monitor.check(NOW, log), "good");
  assert.ok(monitor.hasFound([vectors.START]));
});

test("an old leaf is found where it should be, without a search", async () => {
  const others = (/** @type {number} */ from) =>
    Array.from({ length: 800 }, (_, at) => vectors.START.replace("\n", `\n${from + at}`));
  const log = [...others(0), vectors.START, ...others(800)];
  for (const [index, verdict] of [
    [800, "good"],
    [300, "waiting"],
    [2000, "waiting"],
  ]) {
    store.fallbackStorage.clear();
    monitor.pin({ table: vectors.TABLE, key: vectors.KEY });
    monitor.expectAt(vectors.START, NOW, index);
    const paths = [];
    const read = logOf(log);
    const found = await monitor.check(NOW, async (path) => (paths.push(path), await read(path)));
    assert.equal(found, verdict, `${index}`);
    const tiles = paths.filter((path) => path.startsWith("tile/0/"));
    // Besides the tile of the leaf, the proof needs the partial one at the end.
    assert.ok(tiles.length <= 2, `${tiles}`);
  }
});

test("another window that verifies a longer log in the meantime raises no alarm", async () => {
  const [shorter, longer] = [logOf(["a\n"]), logOf(["a\n", "b\n"])];
  const late = async (path) => {
    const file = await shorter(path);
    if (path === "checkpoint") await monitor.check(NOW, longer);
    return file;
  };
  assert.equal(await monitor.check(NOW, late), "good");
  assert.deepEqual(monitor.read().alarms, []);
  assert.equal(monitor.verifiedSize(), 2);
});

test("a log that grows stays good", async () => {
  for (let count = 1; count < 6; count += 1) {
    const texts = Array.from({ length: count }, (_, at) => `${at}\n`);
    assert.equal(await monitor.check(NOW, logOf(texts)), "good", String(count));
  }
});

test("a checkpoint of another key or another table raises an alarm", async () => {
  const leaves = ["a\n"].map(vectors.leafOf);
  const notes = [
    noteOf(leaves, { secret: otherSecret() }),
    noteOf(leaves, { origin: `war-table/${"ff".repeat(16)}` }),
    noteOf(leaves).replace(/\n1\n/, "\n2\n"),
  ];
  for (const note of notes) {
    store.fallbackStorage.clear();
    monitor.pin({ table: vectors.TABLE, key: vectors.KEY });
    assert.equal(await monitor.check(NOW, logOf(["a\n"], note)), "bad", note);
    assert.deepEqual(monitor.read().alarms, ["alarm-note"]);
  }
});

test("another table or another key raises an alarm, until it is acknowledged", async () => {
  monitor.pin({ table: vectors.TABLE, key: vectors.ROOT });
  assert.deepEqual(monitor.read().alarms, ["alarm-key"]);
  monitor.pin({ table: "ff".repeat(16), key: vectors.KEY });
  assert.deepEqual(monitor.read().alarms, ["alarm-key", "alarm-table"]);
  monitor.pin({ table: vectors.TABLE, key: vectors.KEY });
  assert.equal(await monitor.check(NOW, logOf(["a\n"])), "bad");
  monitor.acknowledge();
  monitor.pin({ table: vectors.TABLE, key: vectors.KEY });
  assert.equal(await monitor.check(NOW, logOf(["a\n"])), "good");
});

test("a table without a key or without a log is unchecked", async () => {
  assert.equal(await monitor.check(NOW, async () => null), "log-absent");
  store.fallbackStorage.clear();
  monitor.pin({});
  assert.equal(await monitor.check(NOW, logOf(["a\n"])), "log-none");
});

test("key ids and fingerprints match the specification", () => {
  const data = Buffer.concat([
    Buffer.from("Ed"),
    Buffer.from("0102030405060708", "hex"),
    Buffer.from(vectors.KEY, "hex"),
  ]);
  const file = `untrusted comment: minisign public key\n${data.toString("base64")}\n`;
  assert.equal(monitor.minisignKeyId(file, vectors.KEY), "0807060504030201");
  assert.equal(monitor.minisignKeyId(file, vectors.ROOT), null);
  assert.equal(monitor.minisignKeyId("nothing", vectors.KEY), null);
  const fingerprint = "34750f98bd59fcfc946da45aaabe933be154a4b5094e1c4abf42866505f3c97e";
  assert.equal(monitor.keyFingerprint(vectors.KEY), fingerprint);
});
