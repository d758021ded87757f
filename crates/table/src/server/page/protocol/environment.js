// What the page has of the browser where tests have something else: the way to the table, time
// and chance.

/** @import { Outside } from "../types.js" */

/** @type {Outside} */
export const BROWSER = {
  connect(lang) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    return new WebSocket(`${scheme}//${location.host}/ws?lang=${lang}`);
  },
  now: () => Date.now(),
  after: (ms, act) => window.setTimeout(act, ms),
  stop: (timer) => window.clearTimeout(timer),
  chance: () => Math.random(),
  name: () => random(16),
};

/**
 * So many random bytes, as hexadecimal digits.
 *
 * @param {number} bytes
 */
export function random(bytes) {
  const drawn = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(drawn, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
