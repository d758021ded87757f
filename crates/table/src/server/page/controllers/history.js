// What the player looks back on: their games, what came of them, and the ladder. It is asked for each
// time that somebody opens its page.

import { now } from "../state/store.js";
import { watched } from "./spectator.js";

/** @import { Span } from "../protocol/messages.js" */
/** @import { Seen } from "../types.js" */

/** How many games are asked for at once. */
const PAGE = 50;

/** Asks for what the page shows that is open. */
export function open() {
  if (now.page === "games") openGames();
  else if (now.page === "ladder" || (now.page === "home" && now.past.ladder === null)) {
    openLadder(now.past.span);
  }
}

/** Asks for the last games, and for what came of all of them. */
function openGames() {
  now.past = { ...now.past, before: null };
  now.connection?.look("games", { limit: PAGE });
  now.connection?.look("figures", {});
}

/** Asks for the games before those that are shown. */
export function openMore() {
  const last = now.past.games.at(-1);
  if (!last) return;
  now.past = { ...now.past, before: last.game_id };
  now.connection?.look("games", { limit: PAGE, before: last.game_id });
}

/** @param {Span} span */
export function openLadder(span) {
  now.past = { ...now.past, span, ladder: null };
  now.connection?.look("ladder", { span });
}

/**
 * Takes what was asked for.
 *
 * @param {Seen} message
 */
export function seen(message) {
  const { past } = now;
  if (message.type === "watched") watched(message);
  else if (message.type === "figures") now.past = { ...past, figures: message };
  else if (message.type === "ladder") now.past = { ...past, ladder: message };
  else {
    const before = past.before === null ? [] : past.games;
    now.past = { ...past, games: [...before, ...message.games], more: message.games.length === PAGE };
  }
}
