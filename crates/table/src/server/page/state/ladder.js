// Which games count for the ladder. All functions are pure.

/**
 * @import { Opponent, Whom } from "../protocol/messages.js"
 * @import { MessageOf, Values, Word } from "../types.js"
 */

/** Number of games with the same opponent that count on one day. */
export const DAILY_GAMES = 5;
/** Number under which the ladder has all players of the house. */
const HOUSE = 0;
/** Number of games that count from which a player is listed. */
export const LISTED_GAMES = 20;

/**
 * Returns the number of games with an opponent that count today; `null` if it is unknown.
 *
 * @param {MessageOf<"ladder"> | null} ladder
 * @param {Pick<Opponent, "player" | "house"> | null} opponent the house if `null`
 */
export function gamesToday(ladder, opponent) {
  if (!ladder?.today) return null;
  const number = opponent === null || opponent.house ? HOUSE : opponent.player;
  return ladder.today.find(({ player }) => player === number)?.games ?? 0;
}

/**
 * Returns the text that says whether a game counts, and why.
 *
 * @param {Whom | null | undefined} whom the requested opponent
 * @param {Opponent | null} opponent the actual one, once the game has started
 * @param {MessageOf<"ladder"> | null} ladder
 * @returns {[Word, Values]}
 */
export function countingText(whom, opponent, ladder) {
  if (whom) return ["counts-not", {}];
  const games = opponent && gamesToday(ladder, opponent);
  if (games === null) return ["counts-open", { most: DAILY_GAMES }];
  return [games < DAILY_GAMES ? "counts-yes" : "counts-full", { game: games + 1, most: DAILY_GAMES }];
}
