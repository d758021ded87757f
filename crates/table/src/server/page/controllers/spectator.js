// Games of others: those that may be watched, and the one that the player watches. They are asked for
// as long as somebody looks.

import { now, stageShown } from "../state/store.js";

/** @import { Told } from "../types.js" */

/** How often a game that is watched is asked for. */
const GAME_MS = 2_000;
/** How often it is asked which games may be watched. */
const LIST_MS = 5_000;
/** The stages in which the player has time for the games of others. */
const IDLE = ["lobby", "waiting", "result"];

/**
 * Watches this game from now on.
 *
 * @param {number} game
 */
export function watch(game) {
  now.watched = { ...now.watched, game, seen: null, known: false, request: null, asked: -Infinity };
}

/** Asks for what is looked at, when it is time. */
export function look() {
  const { connection, line, page, watched } = now;
  if (document.hidden || line.state !== "open" || !IDLE.includes(stageShown())) return;
  const one = page === "watch";
  if (one ? watched.seen?.result : page !== "home") return;
  if (performance.now() - watched.asked < (one ? GAME_MS : LIST_MS)) return;
  const request = connection?.look("watch", one ? { game_id: watched.game } : {}) ?? null;
  now.watched = { ...watched, request: one ? request : null, asked: performance.now() };
}

/**
 * Takes what was asked for.
 *
 * @param {Told<"watched">} message
 */
export function watched({ games, in_reply_to: about }) {
  const { watched } = now;
  if (about === watched.request) now.watched = { ...watched, known: true, seen: games[0] ?? null };
  else if (now.page !== "watch") now.watched = { ...watched, open: games };
}
