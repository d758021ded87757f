// Verification of a finished game or daily duel against the evidence in this browser: the commitments
// made before the seeds were revealed, and the player's seed, cards, decisions and balance. The
// server's later claims about these are not trusted. What this browser does not know, it does not
// judge.

import { dealHands } from "./deal.js";
import { compareHands, outcomeOf, tokenChange } from "../state/rules.js";
import { isHash, sha256OfHex } from "../sha256.js";

/**
 * @import { Card, Decision, Reveal } from "../protocol/messages.js"
 * @import { DuelRecord, Evidence, FairnessCheck, FairnessVerdict, GameRecord, MessageOf, ServedDuel, Word } from "../types.js"
 *
 * @typedef {MessageOf<"result">} Result
 */

/**
 * All checks, with the keys of their texts and of the evidence that each uses.
 *
 * @type {[Word, Word, (record: GameRecord, result: Result) => boolean | null][]}
 */
const CHECKS = [
  ["fair-start", "evidence-signature", isStartSigned],
  ["fair-commitment", "evidence-start", isSeedCommitted],
  ["fair-seed", "evidence-seed", isOwnSeedRevealed],
  ["fair-their-seed", "evidence-start", isOpponentSeedCommitted],
  ["fair-cards", "evidence-cards", isDealtFromSeeds],
  ["fair-outcome", "evidence-decisions", isOutcomeRight],
  ["fair-balance", "evidence-balance", isBalanceRight],
];

const DAY_MS = 86_400_000;

/** Number of hands of a daily duel. */
const DUEL_HANDS = 10;

/**
 * Checks that a game can be verified without: not every browser can check signatures, and the
 * balance before the game may be unknown.
 *
 * @type {Word[]}
 */
const OPTIONAL_CHECKS = ["fair-start", "fair-balance"];

/**
 * Returns the verdict on a finished game: "bad" only if something contradicts the evidence, and
 * "good" only if the evidence is complete.
 *
 * @param {Evidence} evidence
 * @returns {FairnessVerdict}
 */
export function judge({ record, result }) {
  if (record === null || !hasCommitments(record)) {
    return { outcome: "unrecorded", checks: [], opponentHand: null };
  }
  const checks = verifyGame(record, result);
  const hasFailed = checks.some(({ right }) => right === false);
  const isComplete = checks.every(({ key, right }) => right !== null || OPTIONAL_CHECKS.includes(key));
  return {
    outcome: hasFailed ? "bad" : isComplete ? "good" : "unchecked",
    checks,
    // Unverified seeds prove nothing about the opponent's cards.
    opponentHand: hasFailed || !isComplete ? null : opponentLastHand(record, result),
  };
}

/**
 * Makes all checks of a finished game of rules version 2.
 *
 * @param {GameRecord} record
 * @param {Result} result
 * @returns {FairnessCheck[]}
 */
export function verifyGame(record, result) {
  return CHECKS.map(([key, evidence, holds]) => {
    const right = evaluate(() => holds(record, result));
    return { key, right, evidence: right === null ? "evidence-none" : evidence };
  });
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
 * Returns true if this browser began a game: with its own seed, or with a request that the start
 * answers with a different hash.
 *
 * @param {Pick<GameRecord, "seat" | "seedHashes" | "seed" | "swapped">} record
 */
export function isBegunHere(record) {
  return record.swapped === true || isStartedWithOwnSeed(record) === true;
}

/**
 * Returns true if the start of a game had commitments to the seeds, or should have had one to the
 * seed of this browser.
 *
 * @param {GameRecord} record
 */
function hasCommitments(record) {
  return record.swapped === true || (isHash(record.commitment) && record.seedHashes.length === 2);
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
 * Checks the signature of the start, and that the server has not contradicted an earlier report. A
 * game that was begun elsewhere may be signed with an older key.
 *
 * @param {GameRecord} record
 */
function isStartSigned(record) {
  if (record.retold) return false;
  return isBegunHere(record) ? (record.signed ?? null) : record.signed || null;
}

/**
 * @param {GameRecord} record
 * @param {Result} result
 */
function isSeedCommitted({ commitment }, { reveal }) {
  return isHash(reveal.seed) && sha256OfHex(reveal.seed) === commitment;
}

/**
 * Checks that the player's own seed was used. Nothing is known about a seed of another device, or
 * about a game that was forfeited because this browser revealed no seed in time.
 *
 * @param {GameRecord} record
 * @param {Result} result
 */
function isOwnSeedRevealed(record, result) {
  if (record.swapped) return false;
  const revealed = result.reveal.client_seeds[record.seat - 1];
  if (hasForfeited(result, record.seat) !== (revealed === null)) return false;
  if (!isStartedWithOwnSeed(record)) return null;
  if (revealed === null) return record.inTime ? false : null;
  return revealed === record.seed;
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
  return delta !== 0 && delta === expected ? hasOwnDecisions(record, result) : false;
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
 * Checks that the reported decisions are those that the player made, as far as they were made here.
 *
 * @param {GameRecord} record
 * @param {Result} result
 */
function hasOwnDecisions(record, { decisions }) {
  const last = record.hands.length - 1;
  const own = record.hands.map((_, at) => isOwnDecision(record, at, at < last ? "play" : decisions?.yours));
  if (own.includes(false)) return false;
  return own.includes(null) ? null : true;
}

/**
 * Checks a decision. A timeout can only fold, and only for a player who has not decided. Nothing is
 * known about a decision that another device made: this browser requested none, or the server
 * answered the request of the other device.
 *
 * @param {GameRecord} record
 * @param {number} at
 * @param {Decision | undefined} decision
 */
function isOwnDecision({ decided, sent, requestIds = [] }, at, decision) {
  const reported = decided[at];
  const requested = sent[at] ?? [];
  if (!decision || (reported && reported.decision !== decision)) return false;
  if (requested.includes(decision)) return true;
  if (decision === "fold" && reported?.timed_out === true) return true;
  const isElsewhere = reported?.answers && !requestIds.includes(reported.answers);
  return requested.length === 0 || isElsewhere ? null : false;
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

/**
 * Returns true if a duel is the stored one, is whole, and the table committed to it before its day
 * began.
 *
 * @param {DuelRecord} duel
 * @param {ServedDuel} served
 */
export function isSameDuel(duel, served) {
  const { day, commitment, hands } = served;
  const isSame = duel.day === day && duel.commitment === commitment && `${duel.hands}` === `${hands}`;
  return isSame && hands.length === DUEL_HANDS && served.time_ms < Date.parse(day);
}

/**
 * Returns true if the cards of a stored duel follow from the seed that the table has opened, and
 * that is the one that the table committed to.
 *
 * @param {DuelRecord} duel
 * @param {ServedDuel} opened
 */
export function isFairDuel({ day, commitment, hands }, { seed = "", house = [] }) {
  if (!isHash(seed) || sha256OfHex(seed) !== commitment) return false;
  return hands.every((hand, at) => {
    const game = Number(day.replaceAll("-", "")) * 100 + at + 1;
    const dealt = dealHands("daily/1", game, 1, seed, ["", ""]);
    return `${dealt}` === `${[hand, house[at]?.cards]}`;
  });
}

/**
 * Returns true if the table should have opened a duel, since by its own words a later day than the
 * next one has begun.
 *
 * @param {DuelRecord} duel
 * @param {string | null} today day of the current duel
 */
export function isOverdue({ day }, today) {
  return today !== null && Date.parse(today) - Date.parse(day) > DAY_MS;
}
