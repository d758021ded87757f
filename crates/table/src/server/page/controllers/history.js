// Queries for the player's history and the ladder, sent whenever their pages are opened, and the
// values by which decisions are assessed.

import { store } from "../state/store.js";
import { receiveGames } from "./spectator.js";

/** @import { Span } from "../protocol/messages.js" */
/** @import { QueryResult } from "../types.js" */

/** Number of games per query. */
const PAGE_SIZE = 50;

/** Queries the data that the current page shows. */
export function queryPage() {
  if (store.page === "settings") store.connection?.query("links", {});
  if (store.page === "games") queryGames();
  else if (store.page === "ladder" || (store.page === "home" && store.gameHistory.ladder === null)) {
    queryLadder(store.gameHistory.span);
  }
}

/** Queries the newest games, and the statistics of all games. */
function queryGames() {
  store.gameHistory = { ...store.gameHistory, before: null };
  store.connection?.query("games", { limit: PAGE_SIZE });
  store.connection?.query("figures", {});
}

/** Queries games older than those that are loaded. */
export function queryOlderGames() {
  const oldest = store.gameHistory.games.at(-1);
  if (!oldest) return;
  store.gameHistory = { ...store.gameHistory, before: oldest.game_id };
  store.connection?.query("games", { limit: PAGE_SIZE, before: oldest.game_id });
}

/** Queries the ladder again, with the games that count today. */
export function refreshLadder() {
  store.connection?.query("ladder", { span: store.gameHistory.span });
}

/** @param {Span} span */
export function queryLadder(span) {
  store.gameHistory = { ...store.gameHistory, span, ladder: null };
  store.connection?.query("ladder", { span });
}

/**
 * Loads the values of hands once, and then updates the page. If they can't be loaded, the next call
 * tries again.
 *
 * @param {() => void} update
 */
export async function loadHandValues(update) {
  if (store.handValues !== null || store.isLoadingHandValues) return;
  store.isLoadingHandValues = true;
  const response = await fetch("hand-values.json").catch(() => null);
  store.handValues = response?.ok ? await response.json().catch(() => null) : null;
  store.isLoadingHandValues = false;
  if (store.handValues !== null) update();
}

/**
 * Stores the result of a query.
 *
 * @param {QueryResult} message
 */
export function receiveQueryResult(message) {
  const { gameHistory } = store;
  if (message.type === "watched") receiveGames(message);
  else if (message.type === "score") store.score = message;
  else if (message.type === "figures") store.gameHistory = { ...gameHistory, figures: message };
  else if (message.type === "ladder") store.gameHistory = { ...gameHistory, ladder: message };
  else {
    const newer = gameHistory.before === null ? [] : gameHistory.games;
    const hasMore = message.games.length === PAGE_SIZE;
    store.gameHistory = { ...gameHistory, games: [...newer, ...message.games], hasMore };
  }
}
