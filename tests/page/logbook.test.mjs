// The page's own book: tables that change their key, their past, or drop a game are found, and stay
// found until the player has seen it.

import assert from "node:assert/strict";
import { createHash, createPrivateKey, sign } from "node:crypto";
import { beforeEach, test } from "node:test";
import * as logbook from "../../crates/table/src/server/page/fairness/log-monitor.js";
import { now as store } from "../../crates/table/src/server/page/state/store.js";
import * as vectors from "./vectors.mjs";

const NOW = 1_790_000_100_000;
const ORIGIN = `war-table/${vectors.TABLE}`;
/** The secret key of the specification's vectors, 32 bytes 01, as PKCS 8 has it. */
const SECRET = createPrivateKey({
  key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 1)]),
  format: "der",
  type: "pkcs8",
});

/** A signed note about a log of these leaves. */
function noteOf(leaves, { origin = ORIGIN, secret = SECRET } = {}) {
  const text = `${origin}\n${leaves.length}\n${vectors.rootOf(leaves).toString("base64")}\n`;
  const named = Buffer.concat([Buffer.from(`${origin}\n`), Buffer.of(1), Buffer.from(vectors.KEY, "hex")]);
  const id = createHash("sha256").update(named).digest().subarray(0, 4);
  const signed = Buffer.concat([id, sign(null, Buffer.from(text), secret)]).toString("base64");
  return `${text}\n\u2014 ${origin} ${signed}\n`;
}

/** A table that shows a log of these leaves. */
function shows(texts, note) {
  const leaves = texts.map(vectors.leafOf);
  const files = vectors.files(leaves);
  files.set("checkpoint", Buffer.from(note ?? noteOf(leaves)));
  return async (path) => files.get(path) ?? null;
}

/** A key that is not the table's. */
function otherSecret() {
  const key = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 2)]);
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}

beforeEach(() => {
  store.unkept.clear();
  logbook.open({ table: vectors.TABLE, key: vectors.KEY });
});

test("the specification's own log is good, with the game that is in it", async () => {
  logbook.expect(vectors.START, NOW);
  assert.equal(await logbook.check(NOW, shows([vectors.START, vectors.END], vectors.NOTE)), "good");
  assert.ok(logbook.has([vectors.START]));
  assert.ok(!logbook.has([vectors.END]));
});

test("a game that is not in the log yet is waited for, and missed after a minute", async () => {
  logbook.expect(vectors.START, NOW);
  const empty = shows(["another\n"]);
  assert.equal(await logbook.check(NOW, empty), "waiting");
  assert.equal(await logbook.check(NOW + 60_000, empty), "waiting");
  assert.equal(await logbook.check(NOW + 60_001, empty), "bad");
  assert.deepEqual(logbook.read().alarms, ["alarm-missing"]);
});

test("a game that stands in a tile and not under the signed root is not there", async () => {
  logbook.expect(vectors.START, NOW);
  const elsewhere = noteOf(["a\n", "b\n"].map(vectors.leafOf));
  assert.equal(await logbook.check(NOW, shows(["a\n", vectors.START], elsewhere)), "waiting");
});

test("a game that was hidden again is found by the checkpoint", async () => {
  logbook.expect(vectors.START, NOW);
  await logbook.check(NOW, shows(["a\n", vectors.START]));
  assert.equal(await logbook.check(NOW, shows(["a\n", "b\n", "c\n"])), "bad");
  assert.deepEqual(logbook.read().alarms, ["alarm-rewritten"]);
});

test("a result that was changed later is found by the checkpoint", async () => {
  await logbook.check(NOW, shows([vectors.START, vectors.END, "a\n"]));
  const changed = vectors.END.replace("65beb", "75beb");
  assert.equal(await logbook.check(NOW, shows([vectors.START, changed, "a\n", "b\n"])), "bad");
  assert.deepEqual(logbook.read().alarms, ["alarm-rewritten"]);
});

test("a log that became shorter is found", async () => {
  await logbook.check(NOW, shows(["a\n", "b\n"]));
  assert.equal(await logbook.check(NOW, shows(["a\n"])), "bad");
  assert.deepEqual(logbook.read().alarms, ["alarm-rewritten"]);
});

test("a log that goes on stays good", async () => {
  for (let count = 1; count < 6; count += 1) {
    const texts = Array.from({ length: count }, (_, at) => `${at}\n`);
    assert.equal(await logbook.check(NOW, shows(texts)), "good", String(count));
  }
});

test("a note that another key signed, or that is about another table, is found", async () => {
  const leaves = ["a\n"].map(vectors.leafOf);
  const notes = [
    noteOf(leaves, { secret: otherSecret() }),
    noteOf(leaves, { origin: `war-table/${"ff".repeat(16)}` }),
    noteOf(leaves).replace(/\n1\n/, "\n2\n"),
  ];
  for (const note of notes) {
    store.unkept.clear();
    logbook.open({ table: vectors.TABLE, key: vectors.KEY });
    assert.equal(await logbook.check(NOW, shows(["a\n"], note)), "bad", note);
    assert.deepEqual(logbook.read().alarms, ["alarm-note"]);
  }
});

test("another table, or the same one with another key, is told, and stays so until it is seen", async () => {
  logbook.open({ table: vectors.TABLE, key: vectors.ROOT });
  assert.deepEqual(logbook.read().alarms, ["alarm-key"]);
  logbook.open({ table: "ff".repeat(16), key: vectors.KEY });
  assert.deepEqual(logbook.read().alarms, ["alarm-key", "alarm-table"]);
  logbook.open({ table: vectors.TABLE, key: vectors.KEY });
  assert.equal(await logbook.check(NOW, shows(["a\n"])), "bad");
  logbook.accept();
  logbook.open({ table: vectors.TABLE, key: vectors.KEY });
  assert.equal(await logbook.check(NOW, shows(["a\n"])), "good");
});

test("a table without a key, and one without a log, are said to be unchecked", async () => {
  assert.equal(await logbook.check(NOW, async () => null), "log-absent");
  store.unkept.clear();
  logbook.open({});
  assert.equal(await logbook.check(NOW, shows(["a\n"])), "log-none");
});

test("the numbers of a key are those of the specification", () => {
  const data = Buffer.concat([
    Buffer.from("Ed"),
    Buffer.from("0102030405060708", "hex"),
    Buffer.from(vectors.KEY, "hex"),
  ]);
  const file = `untrusted comment: minisign public key\n${data.toString("base64")}\n`;
  assert.equal(logbook.keyNumber(file, vectors.KEY), "0807060504030201");
  assert.equal(logbook.keyNumber(file, vectors.ROOT), null);
  assert.equal(logbook.keyNumber("nothing", vectors.KEY), null);
  const fingerprint = "34750f98bd59fcfc946da45aaabe933be154a4b5094e1c4abf42866505f3c97e";
  assert.equal(logbook.fingerprint(vectors.KEY), fingerprint);
});
