// Verification of a finished game against the player's own record: the commitments made before the
// seeds were revealed, and the player's seed, cards, decisions and balance. The server's later
// claims about these are not trusted.

import { dealHands } from "./deal.js";
import { compareHands, outcomeOf, tokenChange } from "../state/rules.js";
import { isHash, sha256OfHex } from "../sha256.js";

/**
 * @import { Card, Decision, Reveal } from "../protocol/messages.js"
 * @import { FairnessCheck, GameRecord, MessageOf, Word } from "../types.js"
 *
 * @typedef {MessageOf<"result">} Result
 */

/**
 * All checks, with the keys of their texts.
 *
 * @type {[Word, (record: GameRecord, result: Result) => boolean | null][]}
 */
const CHECKS = [
  ["fair-start", isStartSigned],
  ["fair-commitment", isSeedCommitted],
  ["fair-seed", isOwnSeedRevealed],
  ["fair-their-seed", isOpponentSeedCommitted],
  ["fair-cards", isDealtFromSeeds],
  ["fair-outcome", isOutcomeRight],
  ["fair-balance", isBalanceRight],
];

/**
 * Makes all checks of a finished game of rules version 2.
 *
 * @param {GameRecord} record
 * @param {Result} result
 * @returns {FairnessCheck[]}
 */
export function verifyGame(record, result) {
  return CHECKS.map(([key, holds]) => ({ key, right: evaluate(() => holds(record, result)) }));
}

/**
 * Returns the opponent's last hand by the revealed seeds, even if the opponent folded it.
 *
 * @param {GameRecord} record
 * @param {Result} result
 */
export function opponentLastHand(record, { reveal }) {
  return dealtHands(record, reveal).at(-1)?.[1] ?? null;
}

/**
 * Returns true if a game was started with the player's own seed.
 *
 * @param {Pick<GameRecord, "seat" | "seedHashes" | "seed">} record
 */
export function isStartedWithOwnSeed({ seat, seedHashes, seed }) {
  return evaluate(() => isHash(seed) && sha256OfHex(seed) === seedHashes[seat - 1]);
}

/**
 * Evaluates a check. On a malformed message, the check fails.
 *
 * @param {() => boolean | null} holds
 */
function evaluate(holds) {
  try {
    const value = holds();
    return value === null ? null : value === true;
  } catch {
    return false;
  }
}

/**
 * Checks the signature of the start, and that the server has not contradicted an earlier report.
 *
 * @param {GameRecord} record
 */
function isStartSigned({ signed, retold }) {
  return retold ? false : (signed ?? null);
}

/**
 * @param {GameRecord} record
 * @param {Result} result
 */
function isSeedCommitted({ commitment }, { reveal }) {
  return isHash(reveal.seed) && sha256OfHex(reveal.seed) === commitment;
}

/**
 * Checks that the player's own seed was used. The seed may be missing, and the game forfeited, only
 * if the player did not reveal it in time.
 *
 * @param {GameRecord} record
 * @param {Result} result
 */
function isOwnSeedRevealed(record, result) {
  const revealed = result.reveal.client_seeds[record.seat - 1];
  if (!isStartedWithOwnSeed(record) || hasForfeited(result, record.seat) !== (revealed === null))
    return false;
  return revealed === null ? !record.inTime : revealed === record.seed;
}

/**
 * @param {GameRecord} record
 * @param {Result} result
 */
function isOpponentSeedCommitted({ seat, seedHashes }, result) {
  const other = 3 - seat;
  const revealed = result.reveal.client_seeds[other - 1];
  if (result.reveal.seed_hashes?.join() !== seedHashes.join()) return false;
  if (hasForfeited(result, other) !== (revealed === null)) return false;
  return revealed === null || (isHash(revealed) && sha256OfHex(revealed) === seedHashes[other - 1]);
}

/**
 * Checks that the player's hands and all shown cards follow from the seeds.
 *
 * @param {GameRecord} record
 * @param {Result} result
 */
function isDealtFromSeeds(record, { reveal, cards, decisions }) {
  const hands = dealtHands(record, reveal);
  if (!hands.every(([mine], deal) => isSameHand(mine, record.hands[deal]))) return false;
  const isShowdown = decisions?.yours === "play" && decisions?.theirs === "play";
  if (!isShowdown) return true;
  const last = hands.at(-1);
  if (!last || !cards) return false;
  return isSameHand(last[0], cards.yours) && isSameHand(last[1], cards.theirs);
}

/**
 * Checks that only ties led to new deals, and that the last deal was settled by the rules.
 *
 * @param {GameRecord} record
 * @param {Result} result
 */
function isOutcomeRight(record, result) {
  const { delta } = result;
  if (result.outcome !== outcomeOf(...decisionsOf(record, result), delta)) return false;
  const comparisons = dealtHands(record, result.reveal).map(([mine, theirs]) => compareHands(mine, theirs));
  const last = comparisons.pop() ?? 0;
  if (comparisons.some((comparison) => comparison !== 0)) return false;
  const expected = tokenChange(record.kind, ...decisionsOf(record, result), last);
  return delta !== 0 && delta === expected && hasOwnDecisions(record, result);
}

/**
 * Checks the new balance, which includes an operator's adjustments during the game.
 *
 * @param {GameRecord} record
 * @param {Result} result
 */
function isBalanceRight({ before, adjusted = {} }, { seq, balance, delta }) {
  if (before === null) return null;
  const during = Object.entries(adjusted).filter(([at]) => Number(at) < seq);
  return balance === during.reduce((sum, [, tokens]) => sum + tokens, before) + delta;
}

/**
 * Returns both decisions, the player's own first. A player who did not reveal their seed folds.
 *
 * @param {GameRecord} record
 * @param {Result} result
 * @returns {[Decision, Decision]}
 */
function decisionsOf({ seat }, result) {
  /** @returns {Decision} */
  const byForfeit = (/** @type {number} */ seat) => (hasForfeited(result, seat) ? "fold" : "play");
  const { yours, theirs } = result.decisions ?? { yours: byForfeit(seat), theirs: byForfeit(3 - seat) };
  return [yours, theirs];
}

/**
 * Checks that the reported decisions are those that the player made. A timeout can only fold, and
 * only for a player who has not decided.
 *
 * @param {GameRecord} record
 * @param {Result} result
 */
function hasOwnDecisions({ hands, decided, sent }, { decisions }) {
  return hands.every((_, at) => {
    const decision = at < hands.length - 1 ? "play" : decisions?.yours;
    const reported = decided[at];
    if (reported && reported.decision !== decision) return false;
    return (
      (decision && sent[at]?.includes(decision)) || (decision === "fold" && reported?.timed_out === true)
    );
  });
}

/**
 * Deals the hands of all deals that the player saw, their own hand first. Throws if a seed is
 * missing or if the server reports another number of deals.
 *
 * @param {GameRecord} record
 * @param {Reveal} reveal
 */
function dealtHands({ id, kind, seat, hands }, { seed, client_seeds: seeds, deals }) {
  if (deals !== hands.length || (deals > 0 && !seeds.every(isHash))) throw new Error("not their deals");
  return hands.map((_, at) => {
    const both = dealHands(`${kind}/2`, id, at + 1, seed, seeds);
    return [both[seat - 1], both[2 - seat]];
  });
}

/**
 * @param {Result} result
 * @param {number} seat
 */
function hasForfeited({ forfeited }, seat) {
  return forfeited?.includes(seat) ?? false;
}

/**
 * @param {Card[]} one
 * @param {Card[]} other
 */
function isSameHand(one, other) {
  return one.join() === other.join();
}
