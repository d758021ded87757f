// Animations: cards turn over, tokens move between players, the balance counts up or down.
// Animations take about a second, end at a tap or a key, and are left out if the player wants less
// motion.

import { back } from "../cards.js";
import { byId } from "./dom.js";
import { store } from "../state/store.js";
import { formatNumber } from "./words.js";

/** Duration of an animated result, not counting the turn of the cards. */
const RESULT_MS = 900;
const TURN_MS = 500;
/** Number of moving tokens, whatever the stake. */
const TOKENS = 5;

function isMotionReduced() {
  return store.isMotionReduced || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Counts from the displayed balance to the new balance.
 *
 * @param {number | null} balance
 */
export function countBalance(balance) {
  if (balance === store.balanceCounter.to) return;
  const from = store.balanceCounter.to;
  const isStill = balance === null || from === null || isMotionReduced();
  store.balanceCounter = {
    from: from ?? 0,
    to: balance,
    since: isStill ? -Infinity : performance.now(),
  };
  renderCount();
}

/** Renders the current count, again in each frame until it is done. */
function renderCount() {
  const { from, to, since } = store.balanceCounter;
  if (to === null) return;
  const progress = Math.max(0, Math.min(1, (performance.now() - since) / RESULT_MS));
  byId("balance-tokens").textContent = formatNumber(Math.round(from + (to - from) * progress));
  if (progress < 1) requestAnimationFrame(renderCount);
}

/**
 * Turns the cards of a hand face up, and delays the count of the balance until afterward. Returns
 * the duration in milliseconds.
 *
 * @param {string} id
 */
export function turnCards(id) {
  if (isMotionReduced()) return 0;
  store.balanceCounter.since += TURN_MS;
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
 * Moves tokens from one element to another, after a delay in milliseconds.
 *
 * @param {Element} from
 * @param {Element} to
 * @param {number} delay
 */
export function moveTokens(from, to, delay) {
  if (isMotionReduced()) return;
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
    const keyframes = [
      { transform: "translate(0, 0)", opacity: 1 },
      { transform: `translate(${x}px, ${y}px)`, opacity: 1, offset: 0.9 },
      { transform: `translate(${x}px, ${y}px)`, opacity: 0 },
    ];
    const timing = {
      duration: RESULT_MS - 60 * TOKENS,
      delay: delay + 60 * at,
      easing: "ease-in-out",
      fill: "both",
    };
    token.animate(keyframes, /** @type {KeyframeAnimationOptions} */ (timing)).onfinish = () =>
      token.remove();
  }
}

/** Finishes all animations at once. */
export function finishAnimations() {
  store.balanceCounter.since = -Infinity;
  for (const animation of document.getAnimations()) {
    const { effect } = animation;
    // A bar that appears now would push away the element being tapped.
    if (effect instanceof KeyframeEffect && effect.target?.closest(".bars")) continue;
    if (effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  }
}
