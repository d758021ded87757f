// Evidence that a browser lacks is never held against the table, and no cheat hides in what was not
// checked: such games are counted, and never verified.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import * as seeds from "../../crates/table/src/server/page/fairness/seeds.js";
import * as storage from "../../crates/table/src/server/page/state/storage.js";
import { FakeBrowser, folded, forfeited, GAME, hashed, start } from "./fake-table.mjs";

const OTHER = "ab".repeat(32);

beforeEach(() => {
  globalThis.fetch = async () => new Response(null, { status: 404 });
});

/** Checks that a game was neither verified nor called wrong, and is counted. */
async function assertUnchecked(browser, games = 1) {
  assert.equal(await browser.outcome(), "unchecked");
  const { isUnchecked, unchecked, ...problems } = browser.problems("result");
  assert.deepEqual(problems, { game: [], result: [], table: [] });
  assert.deepEqual([isUnchecked, unchecked], [true, games]);
}

/** Checks that a game was verified. */
async function assertVerified(browser) {
  assert.equal(await browser.outcome(), "good");
  const expected = { game: [], result: [], table: [], isUnchecked: false, unchecked: 0 };
  assert.deepEqual(browser.problems("result"), expected);
}

test("a browser that saw everything verifies the game", async () => {
  const browser = new FakeBrowser();
  await browser.play(folded({ seed: browser.choose() }));
  await assertVerified(browser);
});

test("an account that moved after a game has games that are not checked", async () => {
  const first = new FakeBrowser();
  const messages = folded({ seed: first.choose() });
  await first.play(messages);
  const second = new FakeBrowser();
  second.receive(messages);
  await assertUnchecked(second);
  // A reloaded page counts the game only once.
  second.load();
  second.receive(messages);
  await assertUnchecked(second);
});

test("a moved account counts each game, even if the next one follows at once", async () => {
  const browser = new FakeBrowser();
  browser.receive([1, 2, 3].flatMap((game) => folded({ seed: OTHER, game })));
  await browser.outcome();
  while (browser.problems("result").unchecked < 3) await new Promise(setImmediate);
  assert.deepEqual(storage.uncheckedGames(), [1, 2, 3]);
});

test("a second device checks nothing of a game in mid-decision, and reveals no seed", async () => {
  const first = new FakeBrowser();
  const messages = folded({ seed: first.choose() });
  const second = new FakeBrowser();
  // A request of its own that the table refused does not make the game its own.
  second.choose("c2");
  second.receive(messages.slice(0, 4));
  assert.equal(await second.reveal(), null);
  const { isUnchecked, game } = second.problems("deciding");
  assert.deepEqual([isUnchecked, game], [true, []]);
  second.receive(messages.slice(4));
  await assertUnchecked(second);
});

test("an old signature of a game begun elsewhere accuses nobody", async () => {
  const browser = new FakeBrowser();
  const messages = folded({ seed: OTHER });
  messages[1].signature = "00".repeat(64);
  browser.receive(messages.slice(0, 2));
  await browser.reveal();
  assert.deepEqual(browser.problems("starting").game, []);
  browser.receive(messages.slice(2));
  await assertUnchecked(browser);
});

test("a decision of the second device is unknown to the first", async () => {
  for (const own of [false, true]) {
    const first = new FakeBrowser();
    const messages = folded({ seed: first.choose(), decision: "d2" });
    first.receive(messages.slice(0, 2));
    await first.reveal();
    first.receive(messages.slice(2, 4));
    // The first device may have requested something else, too late.
    if (own) first.referee.recordDecision(1, "play", "d1");
    first.receive(messages.slice(4));
    await assertUnchecked(first);
  }
});

test("a page that slept past the deadline accuses nobody", async () => {
  const browser = new FakeBrowser();
  const messages = forfeited(hashed(browser.choose()));
  browser.receive(messages.slice(0, 2));
  assert.notEqual(await browser.reveal(-60_000), null);
  browser.receive(messages.slice(2));
  await assertUnchecked(browser);
});

test("a seed that may be lost with its connection accuses nobody", async () => {
  const browser = new FakeBrowser();
  const messages = forfeited(hashed(browser.choose()));
  browser.receive(messages.slice(0, 2));
  await browser.reveal();
  browser.connect();
  browser.receive(messages.slice(2));
  await assertUnchecked(browser);
});

test("a seed that was revealed in time on one connection accuses a table that denies it", async () => {
  for (const isConfirmed of [false, true]) {
    const browser = new FakeBrowser();
    const messages = forfeited(hashed(browser.choose()));
    browser.receive(messages.slice(0, 2));
    await browser.reveal();
    if (isConfirmed) {
      browser.receive([{ type: "seeded", game_id: GAME }]);
      browser.connect();
    }
    browser.receive(messages.slice(2));
    assert.equal(await browser.outcome(), "bad");
    assert.deepEqual(browser.problems("result").result, ["fair-seed"]);
    // A reloaded page says the same.
    browser.load();
    browser.receive(messages);
    assert.equal(await browser.outcome(), "bad");
  }
});

test("a browser whose storage was cleared in any phase has a game that is not checked", async () => {
  for (let seen = 1; seen <= 6; seen += 1) {
    const browser = new FakeBrowser();
    const messages = folded({ seed: browser.choose() });
    browser.receive(messages.slice(0, seen));
    const cleared = new FakeBrowser();
    cleared.receive(messages.slice(0, seen));
    assert.deepEqual(cleared.problems("deciding").game, []);
    // The player goes on playing on the new page.
    if (seen === 4) cleared.decide();
    cleared.receive(messages.slice(seen));
    await assertUnchecked(cleared);
  }
});

test("a page that is loaded again in any phase verifies the game", async () => {
  for (let phase = 1; phase <= 8; phase += 1) {
    const browser = new FakeBrowser();
    const messages = folded({ seed: browser.choose() });
    let step = 0;
    let seen = 0;
    const receive = browser.receive.bind(browser);
    browser.receive = (news) => {
      seen += news.length;
      receive(news);
    };
    await browser.play(messages, async () => {
      step += 1;
      if (step !== phase) return;
      browser.load(1_000);
      receive(messages.slice(0, seen));
      // The seed is revealed again if the server has not confirmed it.
      if (seen === 2) await browser.reveal();
      const stage = seen < messages.length ? "deciding" : "result";
      assert.deepEqual(browser.problems(stage).game, []);
    });
    await assertVerified(browser);
  }
});

test("a browser that is restored from a backup accuses nobody", async () => {
  const browser = new FakeBrowser();
  const before = browser.backup();
  const messages = folded({ seed: browser.choose() });
  const backups = [before, browser.backup()];
  await browser.play(messages, () => backups.push(browser.backup()));
  await browser.outcome();
  const outcomes = [];
  for (const backup of backups) {
    const restored = new FakeBrowser(backup);
    restored.receive(messages);
    outcomes.push(await restored.outcome());
    const { game, result, table } = restored.problems("result");
    assert.deepEqual([...game, ...result, ...table], []);
  }
  // Only a browser that still knows its decision verifies the game.
  assert.deepEqual(outcomes, [...Array(7).fill("unchecked"), ...Array(3).fill("good")]);
});

test("a start that answers this browser's request with another hash is wrong", async () => {
  const own = { in_reply_to: "c1" };
  const waiting = { type: "waiting", seq: 1, ...own };
  for (const messages of [
    [start(hashed(OTHER), own)],
    [waiting, start(hashed(OTHER))],
    [{ ...start(hashed(OTHER), own), seed_hashes: undefined }],
    [{ ...start(hashed(OTHER), own), seed_hashes: [null, hashed(OTHER)] }],
  ]) {
    const browser = new FakeBrowser();
    browser.choose();
    browser.receive(messages);
    assert.equal(await browser.reveal(), null);
    assert.equal(browser.problems("starting").game[0], "doubt-seed");
    browser.receive(folded({ seed: OTHER }).slice(2));
    assert.equal(await browser.outcome(), "bad");
    assert.ok(browser.problems("result").result.includes("fair-seed"));
    assert.equal(browser.problems("result").unchecked, 0);
  }
});

test("a wait that has ended makes no later start an answer", async () => {
  for (const type of ["cancelled", "draining"]) {
    const browser = new FakeBrowser();
    browser.choose();
    browser.receive([{ type: "waiting", in_reply_to: "c1" }, { type }, start(hashed(OTHER))]);
    assert.deepEqual(browser.problems("starting").game, []);
  }
});

test("a feigned device is counted", async () => {
  const browser = new FakeBrowser();
  browser.choose();
  browser.receive(folded({ seed: OTHER, choice: "feigned" }));
  await assertUnchecked(browser);
});

test("a browser that lost its record knows no balance from before the game", async () => {
  const browser = new FakeBrowser();
  const messages = folded({ seed: browser.choose() });
  Object.assign(browser.profile, { balance: 997, balanceSeq: 6 });
  browser.receive(messages);
  await assertUnchecked(browser);
  const { right } = browser.referee.verdict.checks.find(({ key }) => key === "fair-balance");
  assert.equal(right, null);
});

test("a game that is dropped without a verdict is counted, and its open seed not used again", async () => {
  const browser = new FakeBrowser();
  const seed = browser.choose();
  const messages = folded({ seed });
  browser.receive(messages.slice(0, 2));
  await browser.reveal();
  browser.referee.reset();
  assert.deepEqual(storage.uncheckedGames(), [GAME]);
  assert.equal(seeds.findByHash(hashed(seed)), null);
  // A verified game is no longer in question.
  const other = new FakeBrowser();
  await other.play(folded({ seed: other.choose() }));
  await other.outcome();
  other.referee.reset();
  assert.deepEqual(storage.uncheckedGames(), []);
});

test("a contradiction is wrong on every device", async () => {
  const browser = new FakeBrowser();
  const messages = folded({ seed: OTHER });
  browser.receive(messages.slice(0, 2));
  browser.receive([start(hashed(OTHER), { commitment: OTHER })]);
  assert.deepEqual(browser.problems("starting").game, ["doubt-retold"]);
  const revealing = new FakeBrowser();
  const [result] = structuredClone(messages).slice(-1);
  result.reveal.seed = OTHER;
  revealing.receive([...messages.slice(0, -1), result]);
  assert.equal(await revealing.outcome(), "bad");
  assert.ok(revealing.problems("result").result.includes("fair-commitment"));
});

test("a result without a start can't be checked", async () => {
  const browser = new FakeBrowser();
  browser.receive(folded({ seed: OTHER }).slice(-1));
  assert.equal(await browser.outcome(), "unrecorded");
  assert.deepEqual(storage.uncheckedGames(), [GAME]);
});

test("the log is searched for games of this browser only, from the size at the request on", async () => {
  const second = new FakeBrowser();
  second.receive(folded({ seed: OTHER }));
  await second.outcome();
  assert.deepEqual(storage.logMonitor().awaited, []);
  const first = new FakeBrowser();
  await first.play(folded({ seed: first.choose() }));
  await first.outcome();
  assert.deepEqual(
    storage.logMonitor().awaited.map(({ from }) => from),
    [0, 0],
  );
});
