// The daily duel: its verification, loading, and decisions. The vectors are those of the table's
// tests.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { decideHand, loadDuels } from "../../crates/table/src/server/page/controllers/daily.js";
import { dayLeaf } from "../../crates/table/src/server/page/fairness/log-format.js";
import { acknowledge, read } from "../../crates/table/src/server/page/fairness/log-monitor.js";
import { leafHash } from "../../crates/table/src/server/page/fairness/merkle-tree.js";
import {
  isFairDuel,
  isOverdue,
  isSameDuel,
} from "../../crates/table/src/server/page/fairness/verification.js";
import { assessDuel } from "../../crates/table/src/server/page/state/coach.js";
import * as storage from "../../crates/table/src/server/page/state/storage.js";
import { store } from "../../crates/table/src/server/page/state/store.js";

const HANDS = [
  ["3c 7s", "Kh 7c"],
  ["Th Js", "Jd 5h"],
  ["5c Td", "8c 9s"],
  ["7s Qc", "Ad 2c"],
  ["5h 4h", "7s 8h"],
  ["8c 6c", "9c 3h"],
  ["Th 2h", "5h 7d"],
  ["6c Ad", "Qc 7s"],
  ["3h 8h", "Td 2c"],
  ["Jd 5h", "Qh 3s"],
].map((hands) => hands.map((cards) => cards.split(" ")));
const DAY = "2026-11-28";
const NEXT = "2026-11-29";
const NOON = Date.parse(`${DAY}T12:00:00Z`);
const SERVED = {
  day: DAY,
  rules: "daily/1",
  leaf: 7,
  time_ms: Date.parse(DAY) - 1,
  commitment: "dfe493cfd25443cbf79c4b05ba222bd0eae573fa5d77a3fd93d1b235c0ded560",
  hands: HANDS.map(([own]) => own),
};
const OPENED = {
  ...SERVED,
  seed: "28ac56fa763f578a210feadcc412dad01e139de5c57217cebf680ac03dce9dea",
  // The house plays with a king and with an ace.
  house: HANDS.map(([, cards], at) => ({ cards, decision: at === 0 || at === 3 ? "play" : "fold" })),
};
const RECORD = { day: DAY, commitment: SERVED.commitment, hands: SERVED.hands, decisions: [] };

let files;
let now;
let updates;
/** Paths that were fetched. */
let fetched;
/** Milliseconds that each fetch takes. */
let delay;

beforeEach(() => {
  fetched = [];
  delay = 0;
  files = {};
  now = NOON;
  updates = 0;
  Date.now = () => now;
  performance.now = () => now - NOON;
  globalThis.fetch = async (path) => {
    fetched.push(path);
    now += delay;
    const found = files[path];
    if (found === undefined) return { ok: false, status: 404 };
    return {
      ok: found !== null,
      status: found === null ? 500 : 200,
      json: async () => structuredClone(found),
    };
  };
  store.fallbackStorage.clear();
  storage.clear();
  store.inputBlockedUntil = 0;
  Object.assign(store.duels, {
    status: "loading",
    today: null,
    last: null,
    opened: {},
    unopened: [],
    loadedOn: null,
    nextAttempt: 0,
  });
});

const update = () => {
  updates += 1;
};

/** Loads the page's duels after the time for a new attempt. */
async function load() {
  now += 10_000;
  await loadDuels(update);
}

/** Decides on a hand after input is taken again. */
function decide(decision) {
  now += 600;
  return decideHand(decision, update);
}

/** Returns the stored verdict on the duel of a day. */
function verdict(day) {
  return storage.duels().find((duel) => duel.day === day)?.verdict;
}

test("the cards of a duel follow from the opened seed", () => {
  assert.equal(isFairDuel(RECORD, OPENED), true);
  const other = (at, change) =>
    OPENED.house.map((hand, place) => (place === at ? { ...hand, ...change } : hand));
  for (const changed of [
    { seed: "ab".repeat(32) },
    { seed: undefined },
    { seed: "x" },
    { house: undefined },
    { house: OPENED.house.slice(1) },
    { house: other(9, { cards: ["Qh", "4s"] }) },
    { house: other(0, { cards: ["7c", "Kh"] }) },
  ])
    assert.equal(isFairDuel(RECORD, { ...OPENED, ...changed }), false, JSON.stringify(changed));
  const dealt = RECORD.hands.map((hand, at) => (at === 4 ? ["5h", "4s"] : hand));
  assert.equal(isFairDuel({ ...RECORD, hands: dealt }, OPENED), false);
});

test("a duel is the same as long as its commitment and its cards are, and was in time", () => {
  assert.equal(isSameDuel(RECORD, SERVED), true);
  assert.equal(isSameDuel(RECORD, { ...SERVED, commitment: "ab".repeat(32) }), false);
  assert.equal(isSameDuel(RECORD, { ...SERVED, hands: SERVED.hands.toReversed() }), false);
  assert.equal(isSameDuel(RECORD, { ...SERVED, time_ms: Date.parse(DAY) }), false);
});

test("a duel of fewer hands is no duel", () => {
  assert.ok(!isSameDuel(RECORD, { ...SERVED, day: NEXT }), "another day");
  const hands = SERVED.hands.slice(1);
  assert.ok(!isSameDuel({ ...RECORD, hands }, { ...SERVED, hands }));
});

test("the leaf of a day is the one in the log", () => {
  const leaf = `war-table day/1\n${DAY}\ndaily/1\n${SERVED.commitment}\n1795737600000\n`;
  assert.equal(dayLeaf({ ...SERVED, time_ms: 1_795_737_600_000 }), leaf);
});

test("the score of a duel is the value of its decisions", () => {
  const values = { "double-card-game": { A6: [3.5, -4], 73: [-9, -4], Q7: [-1, -3] } };
  const duel = {
    ...RECORD,
    hands: [
      ["6c", "Ad"],
      ["3c", "7s"],
      ["7s", "Qc"],
    ],
    decisions: ["play", "play", "fold"],
  };
  const { assessed, score, best } = assessDuel(values, duel);
  assert.deepEqual([score, best], [-8.5, -1.5]);
  assert.deepEqual(
    assessed.map(({ cost }) => cost),
    [0, 5, 2],
  );
});

test("a duel is stored with its decisions, and its leaf is expected", async () => {
  files["daily.json"] = SERVED;
  await load();
  assert.deepEqual(storage.duels(), [RECORD]);
  assert.deepEqual([store.duels.status, store.duels.today, store.duels.loadedOn], ["open", DAY, DAY]);
  assert.equal(read().awaited.length, 1);
  for (let hand = 0; hand < 10; hand += 1) assert.equal(decide("fold").decisions.length, hand + 1);
  assert.equal(decide("fold"), null);
  assert.equal(storage.duels()[0].decisions.length, 10);
});

test("a second tap decides no second hand", async () => {
  files["daily.json"] = SERVED;
  await load();
  assert.equal(decide("play").decisions.length, 1);
  assert.equal(decideHand("play", update), null);
});

test("a duel that can't be loaded is tried again, and loaded once", async () => {
  files["daily.json"] = null;
  await load();
  assert.equal(store.duels.status, "failed");
  await loadDuels(update);
  assert.equal(updates, 1, "too early");
  delete files["daily.json"];
  await load();
  assert.equal(store.duels.status, "none");
  files["daily.json"] = SERVED;
  await load();
  assert.equal(store.duels.status, "open");
  const before = updates;
  await load();
  assert.equal(updates, before);
});

test("a duel on the screen stays there while the table can't be reached", async () => {
  storage.saveDuels([{ ...RECORD, day: "2026-11-27", decisions: ["play"] }]);
  files["daily.json"] = SERVED;
  await load();
  assert.equal(store.duels.loadedOn, null, "the last duel is not opened yet");
  files["daily.json"] = null;
  await load();
  assert.deepEqual([store.duels.status, store.duels.today], ["open", DAY]);
  assert.equal(store.duels.last, "2026-11-27");
  delete files["daily.json"];
  await load();
  assert.deepEqual([store.duels.status, store.duels.today], ["none", null]);
});

test("without a network, today's duel is not taken for an earlier one", async () => {
  storage.saveDuels([{ ...RECORD, decisions: ["play"] }]);
  files["daily.json"] = null;
  await load();
  assert.deepEqual([store.duels.status, store.duels.last], ["failed", null]);
});

test("only an answer without a seed counts as one, and an old one is final", async () => {
  const day = "2026-11-26";
  storage.saveDuels([{ ...RECORD, day, decisions: ["play"] }]);
  files["daily.json"] = SERVED;
  files[`daily/${day}.json`] = null;
  await load();
  assert.deepEqual([store.duels.unopened, store.duels.loadedOn], [[], null]);
  delete files[`daily/${day}.json`];
  await load();
  assert.deepEqual([store.duels.unopened, store.duels.loadedOn], [[day], DAY]);
});

test("an opened duel is loaded once, even if it was verified on an earlier visit", async () => {
  const day = "2026-11-27";
  const known = { ...OPENED, day };
  storage.saveDuels([
    { ...RECORD, day: "2026-11-26", decisions: ["play"], verdict: "bad" },
    { ...RECORD, day: "2026-11-25", decisions: ["play"], verdict: "good" },
  ]);
  await load();
  assert.deepEqual(fetched, ["daily.json"], "nothing more is to be learned");
  storage.saveDuels([{ ...RECORD, day, decisions: ["play"], verdict: "good" }]);
  store.duels.opened = { [day]: known };
  await load();
  assert.deepEqual(fetched, ["daily.json", "daily.json"]);
  assert.deepEqual(store.duels.opened, { [day]: known });
  storage.saveDuels([{ ...RECORD, decisions: ["play"], verdict: "good" }]);
  now = Date.parse(NEXT);
  files[`daily/${DAY}.json`] = OPENED;
  store.duels.opened = {};
  await load();
  assert.deepEqual(store.duels.opened, { [DAY]: OPENED }, "with the house's cards");
});

test("a duel is loaded once at a time", async () => {
  files["daily.json"] = SERVED;
  now += 10_000;
  await Promise.all([loadDuels(update), loadDuels(update)]);
  assert.deepEqual(fetched, ["daily.json"]);
});

test("the last duel is verified once the table opens it", async () => {
  storage.saveDuels([{ ...RECORD, decisions: ["play"] }]);
  now = Date.parse(NEXT);
  const next = { ...SERVED, day: NEXT, time_ms: NOON };
  Object.assign(files, { "daily.json": SERVED });
  await load();
  assert.deepEqual([store.duels.today, store.duels.loadedOn], [DAY, null], "the clock of the table is slow");
  Object.assign(files, { "daily.json": next, [`daily/${DAY}.json`]: SERVED });
  await load();
  assert.deepEqual([store.duels.last, store.duels.opened, store.duels.loadedOn], [DAY, {}, null]);
  files[`daily/${DAY}.json`] = OPENED;
  await load();
  assert.deepEqual([store.duels.opened, store.duels.loadedOn], [{ [DAY]: OPENED }, NEXT]);
  assert.deepEqual(
    read().awaited.map(({ from, to }) => [from, to]),
    [
      [7, 7],
      [7, 7],
    ],
    "the leaves of both days, where they should be",
  );
  assert.deepEqual([verdict(DAY), read().alarms], [undefined, []], "the log has not been checked");
  const before = updates;
  await loadDuels(update);
  assert.equal(updates, before);
  storage.saveLogMonitor({ ...read(), found: [leafHash(dayLeaf(OPENED))] });
  await loadDuels(update);
  assert.deepEqual([verdict(DAY), updates], ["good", before + 1]);
  // Other leaves have been found since.
  storage.saveLogMonitor({ ...read(), found: [] });
  store.duels.loadedOn = null;
  await load();
  assert.equal(verdict(DAY), "good");
});

test("each duel is verified, even if it is opened late", async () => {
  const earlier = ["2026-11-25", "2026-11-26", "2026-11-27"];
  const play = (/** @type {string} */ day) => ({ ...RECORD, day, decisions: ["play"] });
  storage.saveDuels([{ ...play(earlier[0]), verdict: "good" }, play(earlier[1]), play(earlier[2])]);
  files["daily.json"] = SERVED;
  for (const day of earlier) files[`daily/${day}.json`] = { ...SERVED, day, time_ms: 1 };
  await load();
  assert.equal(store.duels.loadedOn, null, "the table may open yesterday's duel yet");
  assert.deepEqual(
    earlier.map((day) => isOverdue({ ...RECORD, day }, DAY)),
    [true, true, false],
  );
  assert.equal(isOverdue(play(earlier[0]), null), false);
  files[`daily/${earlier[1]}.json`].seed = "ab".repeat(32);
  delete files[`daily/${earlier[2]}.json`];
  await load();
  assert.deepEqual(earlier.map(verdict), ["good", "bad", undefined]);
  assert.deepEqual(read().alarms, ["alarm-duel"]);
  assert.equal(store.duels.last, earlier[1], "the wrong one is shown");
  acknowledge();
  store.duels.loadedOn = null;
  await load();
  assert.deepEqual(read().alarms, [], "an alarm is raised once");
});

test("a tap at midnight decides nothing", async () => {
  files["daily.json"] = SERVED;
  await load();
  assert.equal(decide("play").decisions.length, 1);
  files["daily.json"] = { ...SERVED, day: NEXT, time_ms: NOON };
  now = Date.parse(NEXT);
  delay = 700;
  await load();
  assert.deepEqual([store.duels.today, decideHand("play", update)], [NEXT, null]);
  assert.equal(decide("play").decisions.length, 1);
});

for (const [what, changed] of [
  ["another seed", { seed: "ab".repeat(32) }],
  ["another commitment", { commitment: "ab".repeat(32) }],
  ["other cards", { hands: SERVED.hands.toReversed() }],
  ["fewer hands", { hands: SERVED.hands.slice(1) }],
  ["a later commitment", { time_ms: NOON }],
])
  test(`an opened duel with ${what} is wrong`, async () => {
    storage.saveDuels([{ ...RECORD, decisions: ["play"] }]);
    now = Date.parse(NEXT);
    files["daily.json"] = { ...SERVED, day: NEXT, time_ms: NOON };
    files[`daily/${DAY}.json`] = { ...OPENED, ...changed };
    await load();
    assert.deepEqual([verdict(DAY), verdict(NEXT)], ["bad", undefined]);
    assert.deepEqual(read().alarms, ["alarm-duel"]);
  });

test("a duel that changes during its day is wrong", async () => {
  files["daily.json"] = SERVED;
  await load();
  store.duels.loadedOn = null;
  files["daily.json"] = { ...SERVED, commitment: "ab".repeat(32) };
  await load();
  assert.deepEqual(storage.duels(), [{ ...RECORD, verdict: "bad" }], "the first one stays");
});

test("the oldest duels are dropped", async () => {
  const old = Array.from({ length: 7 }, (_, at) => ({ ...RECORD, day: `2026-11-0${at + 1}` }));
  storage.saveDuels(old);
  files["daily.json"] = SERVED;
  await load();
  assert.deepEqual(
    storage.duels().map(({ day }) => day),
    [...old.slice(1).map(({ day }) => day), DAY],
  );
});
