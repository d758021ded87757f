// Sockets, clock, timers and randomness of the browser, which tests replace.

/** @import { Environment } from "../types.js" */

/** @type {Environment} */
export const BROWSER = {
  connect(lang) {
    const address = new URL(`ws?lang=${lang}`, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    return new WebSocket(address);
  },
  now: () => Date.now(),
  setTimer: (ms, action) => window.setTimeout(action, ms),
  clearTimer: (timer) => window.clearTimeout(timer),
  random: () => Math.random(),
  requestId: () => randomHex(16),
};

/**
 * Returns random bytes as hexadecimal digits.
 *
 * @param {number} bytes
 */
export function randomHex(bytes) {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
