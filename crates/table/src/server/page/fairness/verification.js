// Checks a finished game by what the player holds themselves: the commitments told before the
// seeds were opened, their own seed, the cards they saw, what they decided, and the balance
// they had. Nothing here believes what the table says of them afterwards.

import { dealt } from "./deal.js";
import { change, compared, outcome } from "../state/rules.js";
import { isHash, sha256OfHex } from "../sha256.js";

/**
 * @import { Card, Decision, Reveal } from "../protocol/messages.js"
 * @import { Check, Held, Told, Word } from "../types.js"
 *
 * @typedef {Told<"result">} Result
 */

/**
 * What is checked, by the keys of the words.
 *
 * @type {[Word, (game: Held, result: Result) => boolean | null][]}
 */
const CHECKS = [
  ["fair-start", isSigned],
  ["fair-commitment", isCommitted],
  ["fair-seed", isMine],
  ["fair-their-seed", isTheirs],
  ["fair-cards", areCards],
  ["fair-outcome", isOutcome],
  ["fair-balance", isBalance],
];

/**
 * What is right and wrong about a finished game of rules version 2, by the keys of the words;
 * `right` is `null` for what could not be checked.
 *
 * @param {Held} game
 * @param {Result} result
 * @returns {Check[]}
 */
export function verify(game, result) {
  return CHECKS.map(([key, holds]) => ({ key, right: firm(() => holds(game, result)) }));
}

/**
 * What the other held in the last deal by the revealed seeds, also where they folded it.
 *
 * @param {Held} game
 * @param {Result} result
 */
export function theirLast(game, { reveal }) {
  return handsOf(game, reveal).at(-1)?.[1] ?? null;
}

/**
 * Whether the player's own seed is one of those that a game was started with.
 *
 * @param {Pick<Held, "seat" | "seedHashes" | "seed">} game
 */
export function isSeedIn({ seat, seedHashes, seed }) {
  return firm(() => isHash(seed) && sha256OfHex(seed) === seedHashes[seat - 1]);
}

/**
 * A message that makes no sense is as wrong as one that lies.
 *
 * @param {() => boolean | null} holds
 */
function firm(holds) {
  try {
    const held = holds();
    return held === null ? null : held === true;
  } catch {
    return false;
  }
}

/**
 * The table may not say later that a game started otherwise.
 *
 * @param {Held} game
 */
function isSigned({ signed, retold }) {
  return retold ? false : (signed ?? null);
}

/**
 * @param {Held} game
 * @param {Result} result
 */
function isCommitted({ commitment }, { reveal }) {
  return isHash(reveal.seed) && sha256OfHex(reveal.seed) === commitment;
}

/**
 * Who did not open their seed in time finds none there, and folded; nobody finds another one.
 *
 * @param {Held} game
 * @param {Result} result
 */
function isMine(game, result) {
  const revealed = result.reveal.client_seeds[game.seat - 1];
  if (!isSeedIn(game) || forfeited(result, game.seat) !== (revealed === null)) return false;
  return revealed === null ? !game.inTime : revealed === game.seed;
}

/**
 * @param {Held} game
 * @param {Result} result
 */
function isTheirs({ seat, seedHashes }, result) {
  const other = 3 - seat;
  const revealed = result.reveal.client_seeds[other - 1];
  if (result.reveal.seed_hashes?.join() !== seedHashes.join()) return false;
  if (forfeited(result, other) !== (revealed === null)) return false;
  return revealed === null || (isHash(revealed) && sha256OfHex(revealed) === seedHashes[other - 1]);
}

/**
 * The hands that the player saw, and all that were shown, follow from the seeds.
 *
 * @param {Held} game
 * @param {Result} result
 */
function areCards(game, { reveal, cards, decisions }) {
  const hands = handsOf(game, reveal);
  if (!hands.every(([mine], deal) => same(mine, game.hands[deal]))) return false;
  const open = decisions?.yours === "play" && decisions?.theirs === "play";
  if (!open) return true;
  const last = hands.at(-1);
  if (!last || !cards) return false;
  return same(last[0], cards.yours) && same(last[1], cards.theirs);
}

/**
 * Equal cards of two who play, and nothing else, led to each new deal; the last deal decided.
 *
 * @param {Held} game
 * @param {Result} result
 */
function isOutcome(game, result) {
  const { delta } = result;
  if (result.outcome !== outcome(...decisionsOf(game, result), delta)) return false;
  const comparisons = handsOf(game, result.reveal).map(([mine, theirs]) => compared(mine, theirs));
  const last = comparisons.pop() ?? 0;
  if (comparisons.some((comparison) => comparison !== 0)) return false;
  const expected = change(game.kind, ...decisionsOf(game, result), last);
  return delta !== 0 && delta === expected && isAsDecided(game, result);
}

/**
 * @param {Held} game
 * @param {Result} result
 */
function isBalance({ before, adjusted = {} }, { seq, balance, delta }) {
  if (before === null) return null;
  const during = Object.entries(adjusted).filter(([at]) => Number(at) < seq);
  return balance === during.reduce((sum, [, tokens]) => sum + tokens, before) + delta;
}

/**
 * What both decided; who did not open their seed folds.
 *
 * @param {Held} game
 * @param {Result} result
 * @returns {[Decision, Decision]}
 */
function decisionsOf({ seat }, result) {
  /** @returns {Decision} */
  const gone = (/** @type {number} */ place) => (forfeited(result, place) ? "fold" : "play");
  const { yours, theirs } = result.decisions ?? { yours: gone(seat), theirs: gone(3 - seat) };
  return [yours, theirs];
}

/**
 * Time folds for who did not decide; it never plays, and never decides for who did.
 *
 * @param {Held} game
 * @param {Result} result
 */
function isAsDecided({ hands, decided, sent }, { decisions }) {
  return hands.every((_, at) => {
    const is = at < hands.length - 1 ? "play" : decisions?.yours;
    const told = decided[at];
    if (told && told.decision !== is) return false;
    return (is && sent[at]?.includes(is)) || (is === "fold" && told?.timed_out === true);
  });
}

/**
 * The hands of every deal that the player saw, their own one first; none without both seeds.
 *
 * @param {Held} game
 * @param {Reveal} reveal
 */
function handsOf({ id, kind, seat, hands }, { seed, client_seeds: seeds, deals }) {
  if (deals !== hands.length || (deals > 0 && !seeds.every(isHash))) throw new Error("not their deals");
  return hands.map((_, at) => {
    const both = dealt(`${kind}/2`, id, at + 1, seed, seeds);
    return [both[seat - 1], both[2 - seat]];
  });
}

/**
 * @param {Result} result
 * @param {number} seat
 */
function forfeited({ forfeited }, seat) {
  return forfeited?.includes(seat) ?? false;
}

/**
 * @param {Card[]} one
 * @param {Card[]} other
 */
function same(one, other) {
  return one.join() === other.join();
}
