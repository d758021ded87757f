// Alerts: none by default, only those that the player has switched on.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  alertPlayer,
  enableAlert,
  isAlertSupported,
} from "../../crates/table/src/server/page/widgets/alerts.js";
import { store } from "../../crates/table/src/server/page/state/store.js";

let alerts;

class Audio {
  state = "running";
  currentTime = 0;
  createOscillator() {
    const tone = { frequency: {}, connect: (next) => next, stop() {} };
    return { ...tone, start: () => alerts.push("tone") };
  }
  createGain() {
    const gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
    return { gain, connect: (next) => next };
  }
}

const [TURN, TIE] = [1, 2].map((deals) => ({ game: { hands: Array(deals).fill(["2c"]) }, result: null }));

beforeEach(() => {
  alerts = [];
  store.audio = null;
  store.alerts = { sound: false, tremor: false, notice: false };
  store.words.catalogues = { en: { "title-turn": "Your turn!" } };
  class Notice {
    constructor(text) {
      alerts.push(text);
    }
    static requestPermission = async () => "granted";
  }
  Object.assign(globalThis, {
    window: globalThis,
    AudioContext: Audio,
    Notification: Notice,
    document: { hidden: true },
  });
  const navigator = { vibrate: (ms) => Boolean(alerts.push(`tremor ${ms}`)) };
  Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
});

test("there are no alerts by default", () => {
  alertPlayer("deciding", TURN);
  alertPlayer("result", { game: TURN.game, result: { delta: 3 } });
  assert.deepEqual(alerts, []);
});

test("each alert can be switched on", () => {
  store.alerts.sound = true;
  alertPlayer("deciding", TURN);
  assert.deepEqual(alerts.splice(0), ["tone", "tone"]);
  alertPlayer("deciding", TIE);
  assert.deepEqual(alerts.splice(0), ["tone", "tone", "tone"]);
  alertPlayer("result", { game: TURN.game, result: { delta: 3 } });
  assert.equal(alerts.splice(0).length, 3);
  alertPlayer("result", { game: TURN.game, result: { delta: -3 } });
  assert.equal(alerts.splice(0).length, 2);
  store.alerts = { sound: false, tremor: true, notice: true };
  alertPlayer("deciding", TURN);
  assert.deepEqual(alerts.splice(0), ["tremor 120", "Your turn!"]);
});

test("a visible page shows no notification, and other stages alert nobody", () => {
  store.alerts = { sound: true, tremor: true, notice: true };
  for (const stage of ["lobby", "waiting", "starting", "decided"]) alertPlayer(stage, TURN);
  assert.deepEqual(alerts, []);
  globalThis.document.hidden = false;
  alertPlayer("deciding", TURN);
  assert.ok(!alerts.includes("Your turn!"));
});

test("a notification needs the player's consent", async () => {
  assert.equal(await enableAlert("notice"), true);
  globalThis.Notification.requestPermission = async () => "denied";
  assert.equal(await enableAlert("notice"), false);
});

test("a missing alert is reported, and a browser that refuses notifications breaks nothing", () => {
  store.alerts = { sound: true, tremor: true, notice: true };
  globalThis.Notification = class {
    constructor() {
      throw new TypeError("illegal");
    }
  };
  alertPlayer("deciding", TURN);
  for (const name of ["AudioContext", "Notification"]) delete globalThis[name];
  Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
  assert.deepEqual(["sound", "tremor", "notice"].map(isAlertSupported), [false, false, false]);
  alerts.splice(0);
  alertPlayer("deciding", TURN);
  assert.deepEqual(alerts, []);
});
