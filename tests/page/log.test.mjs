// The table's log: what its specification says of leaves and trees, and histories that were changed.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as log from "../../crates/table/src/server/page/fairness/merkle-tree.js";
import { isSigned } from "../../crates/table/src/server/page/fairness/log-format.js";
import { tiles } from "../../crates/table/src/server/page/fairness/tiles.js";
import * as vectors from "./vectors.mjs";

const SIZES = [1, 2, 3, 4, 5, 7, 8, 9, 255, 256, 257, 600];

const [, game, rules, players, commitment, one, two, time] = vectors.START.split("\n");
const STARTED = {
  game: Number(game),
  rules,
  players: players.split(" "),
  commitment,
  seedHashes: [one, two],
  time: Number(time),
};

function leaves(count, from = 0) {
  return Array.from({ length: count }, (_, at) => vectors.leafOf(`leaf ${from + at}\n`));
}

function hexes(hashes) {
  return hashes.map((hash) => hash.toString("hex"));
}

/** A log of these leaves as the page reads it, with its root. */
function logOf(all) {
  const files = vectors.files(all);
  const { read, find } = tiles(all.length, async (path) => files.get(path) ?? null);
  return { read, find, size: all.length, root: vectors.rootOf(all).toString("hex") };
}

test("leaves, their hashes and the signature are those of the specification", async () => {
  assert.equal(log.startLeaf(STARTED), vectors.START);
  assert.equal(log.leafHash(vectors.START), vectors.START_HASH);
  const [, number, digest, ended] = vectors.END.split("\n");
  assert.equal(log.endLeaf({ game: Number(number), digest, time: Number(ended) }), vectors.END);
  assert.equal(log.leafHash(vectors.END), vectors.END_HASH);
  assert.equal(log.nodeHash(vectors.START_HASH, vectors.END_HASH), vectors.ROOT);
  const text = log.startText(vectors.TABLE, STARTED);
  assert.equal(await isSigned(vectors.KEY, text, vectors.SIGNATURE), true);
});

test("a start that says anything else is not signed", async () => {
  const others = [
    { game: 1235 },
    { rules: "double-card-game/2" },
    { players: [12, 8] },
    { commitment: one },
    { seedHashes: [two, one] },
    { time: 1 },
  ];
  for (const other of others) {
    const text = log.startText(vectors.TABLE, { ...STARTED, ...other });
    assert.equal(await isSigned(vectors.KEY, text, vectors.SIGNATURE), false, JSON.stringify(other));
  }
  const text = log.startText("ff".repeat(16), STARTED);
  assert.equal(await isSigned(vectors.KEY, text, vectors.SIGNATURE), false);
  assert.equal(await isSigned(commitment, log.startText(vectors.TABLE, STARTED), vectors.SIGNATURE), false);
  assert.equal(await isSigned("", "", ""), false);
});

test("a checkpoint is read as the specification has it, and nothing else is one", () => {
  const read = log.checkpoint(vectors.NOTE);
  assert.equal(read.origin, `war-table/${vectors.TABLE}`);
  assert.equal(read.size, 2);
  assert.equal(read.root, vectors.ROOT);
  assert.deepEqual(
    read.signatures.map(({ name }) => name),
    [read.origin],
  );
  for (const other of [
    "",
    vectors.NOTE.replace("\n2\n", "\n02\n"),
    vectors.NOTE.replace("— ", "- "),
    vectors.NOTE.trimEnd(),
  ]) {
    assert.equal(log.checkpoint(other), null, other);
  }
});

test("every leaf of a log is found, and its path leads to the root", async () => {
  for (const size of SIZES) {
    const all = leaves(size);
    const { read, find, root } = logOf(all);
    for (const at of new Set([0, Math.floor(size / 2), size - 1])) {
      const leaf = all[at].toString("hex");
      assert.equal(await find(leaf, 0), at);
      const path = await log.pathOf(at, size, read);
      assert.equal(log.rootOfPath(leaf, at, size, path), root, `${at} of ${size}`);
      // Another leaf, or the same one elsewhere, does not lead there.
      assert.notEqual(log.rootOfPath(log.leafHash("other"), at, size, path), root);
      if (size > 1) assert.notEqual(log.rootOfPath(leaf, at === 0 ? 1 : 0, size, path), root);
    }
    assert.equal(await find(log.leafHash("other"), 0), null);
  }
});

test("a path that is too long or too short leads nowhere", async () => {
  const all = leaves(5);
  const { read } = logOf(all);
  const path = await log.pathOf(2, 5, read);
  const leaf = all[2].toString("hex");
  assert.equal(log.rootOfPath(leaf, 2, 5, [...path, leaf]), null);
  assert.equal(log.rootOfPath(leaf, 2, 5, path.slice(1)), null);
  assert.equal(log.rootOfPath(leaf, 5, 5, path), null);
});

test("a log that grew goes on from every checkpoint before", async () => {
  for (const size of SIZES) {
    const now = logOf(leaves(size));
    for (const old of [0, ...SIZES].filter((before) => before <= size)) {
      const before = logOf(leaves(old));
      const proof = await log.proofOf(old, size, now.read);
      assert.equal(log.isConsistent(before, now, proof), true, `${old} in ${size}`);
    }
  }
});

test("a log whose past was changed does not go on from what was there", async () => {
  for (const [old, size] of [
    [1, 2],
    [2, 3],
    [3, 7],
    [4, 8],
    [6, 7],
    [8, 8],
    [255, 257],
    [256, 600],
  ]) {
    const before = logOf(leaves(old));
    for (const at of new Set([0, Math.floor(old / 2), old - 1])) {
      const changed = leaves(size);
      changed[at] = vectors.leafOf("another game");
      const now = logOf(changed);
      const proof = await log.proofOf(old, size, now.read);
      assert.equal(log.isConsistent(before, now, proof), false, `${at} of ${old} in ${size}`);
    }
    // A leaf that was taken away moves all that follow.
    const shorter = logOf(leaves(size, 1));
    assert.equal(log.isConsistent(before, shorter, await log.proofOf(old, size, shorter.read)), false);
  }
});

test("a log does not become shorter", async () => {
  assert.equal(log.isConsistent(logOf(leaves(3)), logOf(leaves(2)), []), false);
});

test("a proof with too much or too little proves nothing", async () => {
  const [before, now] = [logOf(leaves(3)), logOf(leaves(7))];
  const proof = await log.proofOf(3, 7, now.read);
  assert.equal(log.isConsistent(before, now, [...proof, proof[0]]), false);
  assert.equal(log.isConsistent(before, now, proof.slice(0, -1)), false);
  assert.equal(log.isConsistent(before, now, []), false);
  assert.equal(log.isConsistent(before, before, hexes(leaves(1))), false);
});

test("a tile that is not there is an error, not an empty one", async () => {
  const { read } = tiles(3, async () => null);
  await assert.rejects(read(0, 0));
  const short = tiles(3, async () => Buffer.alloc(64));
  await assert.rejects(short.read(0, 0));
});
