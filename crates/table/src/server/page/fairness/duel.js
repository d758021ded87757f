// Verification of daily duels against what this browser has stored.

import { isHash, sha256OfHex } from "../sha256.js";
import { dealHands } from "./deal.js";

/** @import { DuelRecord, ServedDuel } from "../types.js" */

/**
 * Returns true if a duel is the stored one, and the table committed to it before its day began.
 *
 * @param {DuelRecord} duel
 * @param {ServedDuel} served
 */
export function isSameDuel(duel, served) {
  const isInTime = served.time_ms < Date.parse(served.day);
  return isInTime && duel.commitment === served.commitment && `${duel.hands}` === `${served.hands}`;
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
