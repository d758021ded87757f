// Queries for the games of others, sent regularly while the player is looking at them.

import { store, visibleStage } from "../state/store.js";

/** @import { MessageOf } from "../types.js" */

/** Interval of queries for the watched game. */
const GAME_INTERVAL_MS = 2_000;
/** Interval of queries for the list of games that may be watched. */
const LIST_INTERVAL_MS = 5_000;
/** Stages in which the player is not playing. */
const IDLE_STAGES = ["lobby", "waiting", "result"];

/**
 * Selects the game to watch.
 *
 * @param {number} game
 */
export function selectGame(game) {
  store.spectator = {
    ...store.spectator,
    game,
    snapshot: null,
    isLoaded: false,
    requestId: null,
    requestedAt: -Infinity,
  };
}

/** Sends the next query, if it is due. */
export function poll() {
  const { connection, connectionStatus, page, spectator } = store;
  if (document.hidden || connectionStatus.state !== "open" || !IDLE_STAGES.includes(visibleStage())) return;
  const isWatching = page === "watch";
  if (isWatching ? spectator.snapshot?.result : page !== "home") return;
  if (performance.now() - spectator.requestedAt < (isWatching ? GAME_INTERVAL_MS : LIST_INTERVAL_MS)) return;
  const id = connection?.query("watch", isWatching ? { game_id: spectator.game } : {}) ?? null;
  store.spectator = {
    ...spectator,
    requestId: isWatching ? id : null,
    requestedAt: performance.now(),
  };
}

/**
 * Stores the result of a query.
 *
 * @param {MessageOf<"watched">} message
 */
export function receiveGames({ games, in_reply_to: id }) {
  const { spectator } = store;
  if (id === spectator.requestId)
    store.spectator = { ...spectator, isLoaded: true, snapshot: games[0] ?? null };
  else if (store.page !== "watch") store.spectator = { ...spectator, openGames: games };
}
