// The table's log: leaves and trees as in its specification, and logs whose past was changed.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as format from "../../crates/table/src/server/page/fairness/log-format.js";
import * as tree from "../../crates/table/src/server/page/fairness/merkle-tree.js";
import { openTiles } from "../../crates/table/src/server/page/fairness/tiles.js";
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

/** Returns the readers of a log with these leaves, and its size and root. */
function logOf(all) {
  const files = vectors.files(all);
  const { read, find } = openTiles(all.length, async (path) => files.get(path) ?? null);
  return { read, find, size: all.length, root: vectors.rootOf(all).toString("hex") };
}

test("leaves, their hashes and the signature match the specification", async () => {
  assert.equal(format.startLeaf(STARTED), vectors.START);
  assert.equal(tree.leafHash(vectors.START), vectors.START_HASH);
  const [, number, digest, ended] = vectors.END.split("\n");
  assert.equal(format.endLeaf({ game: Number(number), digest, time: Number(ended) }), vectors.END);
  assert.equal(tree.leafHash(vectors.END), vectors.END_HASH);
  assert.equal(tree.nodeHash(vectors.START_HASH, vectors.END_HASH), vectors.ROOT);
  const text = format.startText(vectors.TABLE, STARTED);
  assert.equal(await format.isSigned(vectors.KEY, text, vectors.SIGNATURE), true);
});

test("a signature covers every field of a start", async () => {
  const others = [
    { game: 1235 },
    { rules: "double-card-game/2" },
    { players: [12, 8] },
    { commitment: one },
    { seedHashes: [two, one] },
    { time: 1 },
  ];
  for (const other of others) {
    const text = format.startText(vectors.TABLE, { ...STARTED, ...other });
    assert.equal(await format.isSigned(vectors.KEY, text, vectors.SIGNATURE), false, JSON.stringify(other));
  }
  const text = format.startText("ff".repeat(16), STARTED);
  assert.equal(await format.isSigned(vectors.KEY, text, vectors.SIGNATURE), false);
  assert.equal(
    await format.isSigned(commitment, format.startText(vectors.TABLE, STARTED), vectors.SIGNATURE),
    false,
  );
  assert.equal(await format.isSigned("", "", ""), false);
});

test("the checkpoint of the specification is parsed, and malformed ones are rejected", () => {
  const checkpoint = format.parseCheckpoint(vectors.NOTE);
  assert.equal(checkpoint.origin, `war-table/${vectors.TABLE}`);
  assert.equal(checkpoint.size, 2);
  assert.equal(checkpoint.root, vectors.ROOT);
  assert.deepEqual(
    checkpoint.signatures.map(({ name }) => name),
    [checkpoint.origin],
  );
  for (const other of [
    "",
    vectors.NOTE.replace("\n2\n", "\n02\n"),
    vectors.NOTE.replace("— ", "- "),
    vectors.NOTE.trimEnd(),
  ]) {
    assert.equal(format.parseCheckpoint(other), null, other);
  }
});

test("every leaf is found, and its path leads to the root", async () => {
  for (const size of SIZES) {
    const all = leaves(size);
    const { read, find, root } = logOf(all);
    for (const at of new Set([0, Math.floor(size / 2), size - 1])) {
      const leaf = all[at].toString("hex");
      for (const [from, to] of [
        [0, size - 1],
        [at, at],
      ])
        assert.equal(await find(leaf, from, to), at);
      const path = await tree.inclusionPath(at, size, read);
      assert.equal(tree.rootFromPath(leaf, at, size, path), root, `${at} of ${size}`);
      // Another leaf, or the same one at another index, does not lead to the root.
      assert.notEqual(tree.rootFromPath(tree.leafHash("other"), at, size, path), root);
      if (size > 1) assert.notEqual(tree.rootFromPath(leaf, at === 0 ? 1 : 0, size, path), root);
    }
    assert.equal(await find(tree.leafHash("other"), 0, size - 1), null);
  }
});

test("a path of the wrong length leads nowhere", async () => {
  const all = leaves(5);
  const { read } = logOf(all);
  const path = await tree.inclusionPath(2, 5, read);
  const leaf = all[2].toString("hex");
  assert.equal(tree.rootFromPath(leaf, 2, 5, [...path, leaf]), null);
  assert.equal(tree.rootFromPath(leaf, 2, 5, path.slice(1)), null);
  assert.equal(tree.rootFromPath(leaf, 5, 5, path), null);
});

test("a log that grows is consistent with every earlier checkpoint", async () => {
  for (const size of SIZES) {
    const now = logOf(leaves(size));
    for (const old of [0, ...SIZES].filter((before) => before <= size)) {
      const before = logOf(leaves(old));
      const proof = await tree.consistencyProof(old, size, now.read);
      assert.equal(tree.isConsistent(before, now, proof), true, `${old} in ${size}`);
    }
  }
});

test("a log whose past was changed is inconsistent with earlier checkpoints", async () => {
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
      const proof = await tree.consistencyProof(old, size, now.read);
      assert.equal(tree.isConsistent(before, now, proof), false, `${at} of ${old} in ${size}`);
    }
    // A removed leaf moves all that follow.
    const shorter = logOf(leaves(size, 1));
    assert.equal(
      tree.isConsistent(before, shorter, await tree.consistencyProof(old, size, shorter.read)),
      false,
    );
  }
});

test("a log that shrinks is inconsistent", async () => {
  assert.equal(tree.isConsistent(logOf(leaves(3)), logOf(leaves(2)), []), false);
});

test("a proof of the wrong length proves nothing", async () => {
  const [before, now] = [logOf(leaves(3)), logOf(leaves(7))];
  const proof = await tree.consistencyProof(3, 7, now.read);
  assert.equal(tree.isConsistent(before, now, [...proof, proof[0]]), false);
  assert.equal(tree.isConsistent(before, now, proof.slice(0, -1)), false);
  assert.equal(tree.isConsistent(before, now, []), false);
  assert.equal(tree.isConsistent(before, before, hexes(leaves(1))), false);
});

test("a missing or truncated tile is an error", async () => {
  const { read } = openTiles(3, async () => null);
  await assert.rejects(read(0, 0));
  const short = openTiles(3, async () => Buffer.alloc(64));
  await assert.rejects(short.read(0, 0));
});
