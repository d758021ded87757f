// What calls the player besides what is shown: sounds, which are made here, a tremor of the phone and
// a notification. Each is off until the player wants it.

import { now } from "../state/store.js";
import { say } from "./words.js";

/** @import { Alert, Stage, State } from "../types.js" */

/**
 * The tones of a sound: their pitch in hertz, when they begin and how long they last, in seconds.
 *
 * @type {Record<string, [pitch: number, at: number, lasts: number][]>}
 */
const SOUNDS = {
  turn: [
    [660, 0, 0.12],
    [880, 0.13, 0.2],
  ],
  tie: [
    [660, 0, 0.1],
    [660, 0.15, 0.1],
    [880, 0.3, 0.2],
  ],
  won: [
    [523, 0, 0.12],
    [659, 0.12, 0.12],
    [784, 0.24, 0.3],
  ],
  lost: [
    [392, 0, 0.18],
    [311, 0.18, 0.35],
  ],
};
const LOUDNESS = 0.12;
/** How long a phone trembles, in milliseconds. */
const TREMOR_MS = 120;

/**
 * Whether this browser can call the player so.
 *
 * @param {Alert} alert
 */
export function canAlert(alert) {
  if (alert === "sound") return "AudioContext" in window;
  return alert === "tremor" ? "vibrate" in navigator : "Notification" in window;
}

/**
 * Prepares what the player has just switched on; the result is whether the browser lets it be.
 *
 * @param {Alert} alert
 */
export async function allow(alert) {
  if (alert === "notice") return (await Notification.requestPermission()) === "granted";
  if (alert === "tremor") return navigator.vibrate(TREMOR_MS);
  play("turn");
  return true;
}

/**
 * Calls the player where another stage came.
 *
 * @param {Stage} stage
 * @param {State} state
 */
export function call(stage, { game, result }) {
  if (stage === "result" && result) play(result.delta > 0 ? "won" : "lost");
  if (stage !== "deciding" || !game) return;
  play(game.hands.length > 1 ? "tie" : "turn");
  if (now.alerts.tremor && canAlert("tremor")) navigator.vibrate(TREMOR_MS);
  if (now.alerts.notice && document.hidden && canAlert("notice")) notify();
}

/** @param {string} name */
function play(name) {
  if (!now.alerts.sound || !canAlert("sound")) return;
  now.audio ??= new AudioContext();
  const { audio } = now;
  // A browser is silent until somebody has touched the page.
  if (audio.state === "suspended") audio.resume().catch(() => {});
  for (const [pitch, at, lasts] of SOUNDS[name] ?? []) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const start = audio.currentTime + at;
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(LOUDNESS, start + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.001, start + lasts);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + lasts);
  }
}

/** Where a browser has notifications for installed pages only, there is none. */
function notify() {
  try {
    const notice = new Notification(say("title-turn"), { tag: "turn", icon: "/icon.svg" });
    notice.onclick = () => window.focus();
  } catch {
    // The title and the sound are left.
  }
}
