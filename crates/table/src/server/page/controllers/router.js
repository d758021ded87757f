// Pages and their addresses. Going back and forward leads from one page to another.

import { store } from "../state/store.js";
import { selectGame } from "./spectator.js";

/** @import { Page, Stage } from "../types.js" */

/**
 * Pages whose address ends in their name. The server answers each with the same document as the
 * home page, whose address ends in a slash. A proxy may put them all below a path of its own, so
 * the page uses relative addresses.
 *
 * @type {Page[]}
 */
const PAGES = ["table", "watch", "daily", "games", "ladder", "how-to-play", "fair", "settings"];

/** Stages at the table. */
const BUSY_STAGES = ["waiting", "starting", "deciding", "decided", "result"];
/** Stages that bring the player to the table from any page. */
const CALLING_STAGES = ["starting", "deciding"];

/**
 * Returns true for the stages at the table, from waiting to the result.
 *
 * @param {Stage} stage
 */
export function isBusy(stage) {
  return BUSY_STAGES.includes(stage);
}

/** Returns the address of the home page, which ends in a slash. */
export function homeAddress() {
  return new URL(".", location.href).href;
}

/** Selects the page of the current address. */
export function readLocation() {
  store.page = PAGES.find((page) => location.pathname.endsWith(`/${page}`)) ?? "home";
  if (store.page !== "watch") return;
  const game = Number(new URLSearchParams(location.search).get("game"));
  if (Number.isSafeInteger(game) && game > 0) selectGame(game);
  else store.page = "home";
}

/**
 * Goes to the page that shows a game of other players.
 *
 * @param {number} game
 */
export function goToGame(game) {
  selectGame(game);
  store.page = "watch";
  history.pushState(null, "", `watch?game=${game}`);
}

/**
 * Goes to a page. With `replace`, going back skips the current page.
 *
 * @param {Page} page
 */
export function goToPage(page, replace = false) {
  if (page === store.page) return;
  const path = page === "home" ? "." : page;
  store.page = page;
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
}

/**
 * Goes to the table when something starts there, and leaves the table when the game is over. If the
 * stage is not new, players on other pages stay there. Players who come back find the lobby, not a
 * result, unless they load the table again soon after the game.
 *
 * @param {Stage} stage
 * @param {boolean} isNew
 * @param {boolean} isFirst
 * @param {boolean} isOld true if the result is no longer recent
 */
export function followStage(stage, isNew, isFirst, isOld) {
  const isReturn = isFirst && stage === "result";
  if (store.page === "table") {
    if ((!isBusy(stage) && stage !== "arriving") || (isReturn && isOld)) goToPage("home", true);
  } else if (
    isNew &&
    (CALLING_STAGES.includes(stage) || (isBusy(stage) && store.page === "home" && !isReturn))
  ) {
    goToPage("table", isFirst);
  }
}
