// What calls the player: nothing until they want it, and then what they want.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { allow, call, canAlert } from "../../crates/table/src/server/page/widgets/alerts.js";
import { now as store } from "../../crates/table/src/server/page/state/store.js";

let called;

class Audio {
  state = "running";
  currentTime = 0;
  createOscillator() {
    const tone = { frequency: {}, connect: (next) => next, stop() {} };
    return { ...tone, start: () => called.push("tone") };
  }
  createGain() {
    const gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
    return { gain, connect: (next) => next };
  }
}

const [TURN, TIE] = [1, 2].map((deals) => ({ game: { hands: Array(deals).fill(["2c"]) }, result: null }));

beforeEach(() => {
  called = [];
  store.audio = null;
  store.alerts = { sound: false, tremor: false, notice: false };
  store.words.catalogues = { en: { "title-turn": "Your turn!" } };
  class Notice {
    constructor(text) {
      called.push(text);
    }
    static requestPermission = async () => "granted";
  }
  Object.assign(globalThis, {
    window: globalThis,
    AudioContext: Audio,
    Notification: Notice,
    document: { hidden: true },
  });
  const navigator = { vibrate: (ms) => Boolean(called.push(`tremor ${ms}`)) };
  Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
});

test("nothing calls those who did not ask for it", () => {
  call("deciding", TURN);
  call("result", { game: TURN.game, result: { delta: 3 } });
  assert.deepEqual(called, []);
});

test("each of them calls when it is wanted", () => {
  store.alerts.sound = true;
  call("deciding", TURN);
  assert.deepEqual(called.splice(0), ["tone", "tone"]);
  call("deciding", TIE);
  assert.deepEqual(called.splice(0), ["tone", "tone", "tone"]);
  call("result", { game: TURN.game, result: { delta: 3 } });
  assert.equal(called.splice(0).length, 3);
  call("result", { game: TURN.game, result: { delta: -3 } });
  assert.equal(called.splice(0).length, 2);
  store.alerts = { sound: false, tremor: true, notice: true };
  call("deciding", TURN);
  assert.deepEqual(called.splice(0), ["tremor 120", "Your turn!"]);
});

test("those who look at the page need no notification, and other stages call nobody", () => {
  store.alerts = { sound: true, tremor: true, notice: true };
  for (const stage of ["lobby", "waiting", "starting", "decided"]) call(stage, TURN);
  assert.deepEqual(called, []);
  globalThis.document.hidden = false;
  call("deciding", TURN);
  assert.ok(!called.includes("Your turn!"));
});

test("a notification needs the player's consent", async () => {
  assert.equal(await allow("notice"), true);
  globalThis.Notification.requestPermission = async () => "denied";
  assert.equal(await allow("notice"), false);
});

test("a browser without one of them says so, and one that refuses notifications breaks nothing", () => {
  store.alerts = { sound: true, tremor: true, notice: true };
  globalThis.Notification = class {
    constructor() {
      throw new TypeError("illegal");
    }
  };
  call("deciding", TURN);
  for (const name of ["AudioContext", "Notification"]) delete globalThis[name];
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  assert.deepEqual(["sound", "tremor", "notice"].map(canAlert), [false, false, false]);
  called.splice(0);
  call("deciding", TURN);
  assert.deepEqual(called, []);
});
