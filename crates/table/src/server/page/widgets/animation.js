// Movement: cards turn over, tokens change hands, balances count. It takes about a second, stops at
// a tap or a key, and is not there at all for those who want less of it.

import { back } from "../cards.js";
import { byId } from "./dom.js";
import { now } from "../state/store.js";
import { number } from "./words.js";

/** How long a result takes to be seen, once cards have turned over where they do. */
const SHOWN_MS = 900;
const TURN_MS = 500;
/** The tokens that are seen to move, however many there are. */
const TOKENS = 5;

/** Whether nothing is to move. */
function isCalm() {
  return now.calm || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Shows the balance, and counts to it from the one that was shown.
 *
 * @param {number | null} balance
 */
export function count(balance) {
  if (balance === now.tally.to) return;
  const from = now.tally.to;
  const still = balance === null || from === null || isCalm();
  now.tally = { from: from ?? 0, to: balance, since: still ? -Infinity : performance.now() };
  step();
}

/** A step of counting, and the next one while there is more. */
function step() {
  const { from, to, since } = now.tally;
  if (to === null) return;
  const part = Math.max(0, Math.min(1, (performance.now() - since) / SHOWN_MS));
  byId("balance-tokens").textContent = number(Math.round(from + (to - from) * part));
  if (part < 1) requestAnimationFrame(step);
}

/**
 * Turns the cards of a hand over, which lay face down until now; the balance counts afterwards. The
 * result is how long that takes.
 *
 * @param {string} id
 */
export function turnOver(id) {
  if (isCalm()) return 0;
  now.tally.since += TURN_MS;
  for (const item of byId(id).children) {
    const reverse = back();
    reverse.classList.add("reverse");
    item.append(reverse);
    item.classList.add("turning");
    item.addEventListener("animationend", () => {
      reverse.remove();
      item.classList.remove("turning");
    });
  }
  return TURN_MS;
}

/**
 * Moves tokens from one place to another, after so many milliseconds.
 *
 * @param {Element} from
 * @param {Element} to
 * @param {number} after
 */
export function pay(from, to, after) {
  if (isCalm()) return;
  const [start, end] = [from, to].map((place) => place.getBoundingClientRect());
  const [x, y] = [
    end.x - start.x + (end.width - start.width) / 2,
    end.y - start.y + (end.height - start.height) / 2,
  ];
  for (let at = 0; at < TOKENS; at += 1) {
    const token = document.createElement("i");
    token.className = "token";
    token.style.left = `${start.x + start.width / 2 + 6 * (at - TOKENS / 2)}px`;
    token.style.top = `${start.y + start.height / 2}px`;
    document.body.append(token);
    const way = [
      { transform: "translate(0, 0)", opacity: 1 },
      { transform: `translate(${x}px, ${y}px)`, opacity: 1, offset: 0.9 },
      { transform: `translate(${x}px, ${y}px)`, opacity: 0 },
    ];
    const timing = {
      duration: SHOWN_MS - 60 * TOKENS,
      delay: after + 60 * at,
      easing: "ease-in-out",
      fill: "both",
    };
    token.animate(way, /** @type {KeyframeAnimationOptions} */ (timing)).onfinish = () => token.remove();
  }
}

/** Comes to the end of all that moves: nobody has to wait for it. */
export function skip() {
  now.tally.since = -Infinity;
  for (const moving of document.getAnimations()) {
    const { effect } = moving;
    // A notice that is still to come would push away what is tapped.
    if (effect instanceof KeyframeEffect && effect.target?.closest(".bars")) continue;
    if (effect?.getComputedTiming().endTime !== Infinity) moving.finish();
  }
}
