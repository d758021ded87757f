// The pages of the table and their addresses: back and forward lead from one to another.

import { now } from "../state/store.js";
import { watch } from "./spectator.js";

/** @import { Page, Stage } from "../types.js" */

/**
 * The pages by their addresses; the server has the same file at each of them.
 *
 * @type {Record<string, Page>}
 */
const PAGES = {
  "/": "home",
  "/table": "table",
  "/watch": "watch",
  "/games": "games",
  "/ladder": "ladder",
  "/how-to-play": "how-to-play",
  "/fair": "fair",
  "/settings": "settings",
};

/** The stages in which there is something at the table. */
const BUSY = ["waiting", "starting", "deciding", "decided", "result"];
/** The stages that call the player, wherever they are. */
const CALLING = ["starting", "deciding"];

/**
 * Whether a stage is at the table, and not before it.
 *
 * @param {Stage} stage
 */
export function isBusy(stage) {
  return BUSY.includes(stage);
}

/** Shows the page of the address. */
export function arrive() {
  now.page = PAGES[location.pathname] ?? "home";
  if (now.page !== "watch") return;
  const game = Number(new URLSearchParams(location.search).get("game"));
  if (Number.isSafeInteger(game) && game > 0) watch(game);
  else now.page = "home";
}

/**
 * Goes to a game that somebody else plays.
 *
 * @param {number} game
 */
export function goWatch(game) {
  watch(game);
  now.page = "watch";
  history.pushState(null, "", `/watch?game=${game}`);
}

/**
 * Goes to a page; `quietly` leaves no step back to where the player was.
 *
 * @param {Page} page
 */
export function go(page, quietly = false) {
  if (page === now.page) return;
  const [path = "/"] = Object.entries(PAGES).find(([, other]) => other === page) ?? [];
  now.page = page;
  if (quietly) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
}

/**
 * Goes along with the game: to the table when something begins there, and away from it when
 * nothing is left. A stage that is not `fresh` leaves those who went elsewhere where they are.
 *
 * @param {Stage} stage
 * @param {boolean} fresh
 * @param {boolean} first
 */
export function follow(stage, fresh, first) {
  if (now.page === "table") {
    if (!isBusy(stage) && stage !== "arriving") go("home", true);
  } else if (fresh && (CALLING.includes(stage) || (isBusy(stage) && now.page === "home"))) {
    go("table", first);
  }
}
