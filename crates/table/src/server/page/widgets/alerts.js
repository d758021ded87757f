// Alerts besides the page itself: synthesized sounds, vibration and notifications. Each is off by
// default.

import { store } from "../state/store.js";
import { say } from "./words.js";

/** @import { Alert, Stage, TableState } from "../types.js" */

/**
 * Tones of each sound: pitch in hertz, start and duration in seconds.
 *
 * @type {Record<string, [pitch: number, start: number, duration: number][]>}
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
const VOLUME = 0.12;
const VIBRATION_MS = 120;

/**
 * Returns true if this browser supports an alert.
 *
 * @param {Alert} alert
 */
export function isAlertSupported(alert) {
  if (alert === "sound") return "AudioContext" in window;
  return alert === "tremor" ? "vibrate" in navigator : "Notification" in window;
}

/**
 * Prepares an alert that the player has switched on; returns false if the browser refuses it.
 *
 * @param {Alert} alert
 */
export async function enableAlert(alert) {
  if (alert === "notice") return (await Notification.requestPermission()) === "granted";
  if (alert === "tremor") return navigator.vibrate(VIBRATION_MS);
  playSound("turn");
  return true;
}

/**
 * Alerts the player to a new stage.
 *
 * @param {Stage} stage
 * @param {TableState} state
 */
export function alertPlayer(stage, { game, result }) {
  if (stage === "result" && result) playSound(result.delta > 0 ? "won" : "lost");
  if (stage !== "deciding" || !game) return;
  playSound(game.hands.length > 1 ? "tie" : "turn");
  if (store.alerts.tremor && isAlertSupported("tremor")) navigator.vibrate(VIBRATION_MS);
  if (store.alerts.notice && document.hidden && isAlertSupported("notice")) showNotification();
}

/** @param {string} name */
function playSound(name) {
  if (!store.alerts.sound || !isAlertSupported("sound")) return;
  store.audio ??= new AudioContext();
  const { audio } = store;
  // Browsers suspend audio until the page is first touched.
  if (audio.state === "suspended") audio.resume().catch(() => {});
  for (const [pitch, delay, duration] of SOUNDS[name] ?? []) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const start = audio.currentTime + delay;
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(VOLUME, start + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.001, start + duration);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + duration);
  }
}

function showNotification() {
  try {
    const notification = new Notification(say("title-turn"), { tag: "turn", icon: "icon.svg" });
    notification.onclick = () => window.focus();
  } catch {
    // Some browsers notify only for installed pages. The title and the sound remain.
  }
}
