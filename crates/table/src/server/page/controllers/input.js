// Input of the player: buttons, forms, keys, links, and the visibility of the page.

import { copyText, downloadKey } from "../views/settings.js";
import { finishAnimations } from "../widgets/animation.js";
import { all, byId } from "../widgets/dom.js";
import { say } from "../widgets/words.js";
import { queryLadder, queryOlderGames } from "./history.js";

/**
 * @import { Kind, Span } from "../protocol/messages.js"
 * @import { Alert, Lang, Page } from "../types.js"
 * @import { createActions } from "./actions.js"
 *
 * @typedef {ReturnType<typeof createActions>} Actions
 */

const MODIFIERS = ["Shift", "Control", "Alt", "AltGraph", "Meta"];
/**
 * Time for which the page must have been hidden to reconnect when it is shown again: the computer
 * may have slept.
 */
const ASLEEP_MS = 60_000;

/**
 * Starts listening to all input.
 *
 * @param {Actions} actions
 */
export function listen(actions) {
  byId("join").addEventListener("submit", (event) => {
    event.preventDefault();
    actions.join(byId("name", HTMLInputElement).value.trim().normalize("NFC"));
  });
  onClick("play", () => actions.decide("play"));
  onClick("fold", () => actions.decide("fold"));
  onClick("daily-play", () => actions.decide("play"));
  onClick("daily-fold", () => actions.decide("fold"));
  onClick("cancel", actions.cancel);
  onClick("again", actions.playAgain);
  onClick("rematch", actions.requestRematch);
  onClick("house", actions.playHouse);
  onClick("friend-instead", actions.inviteFriendInstead);
  onClick("invited-accept", actions.acceptInvitation);
  onClick("invited-decline", actions.declineInvitation);
  onClick("invite-copy", actions.copyFriendAddress);
  onClick("invite-share", actions.shareFriendAddress);
  onClick("house-instead", actions.playHouse);
  byId("links").addEventListener("click", ({ target }) => {
    const { link } = target instanceof HTMLElement ? target.dataset : {};
    if (link) actions.revokeLink(link);
  });
  onClick("another", actions.leaveResult);
  onClick("peek", actions.peek);
  onClick("link-now", actions.reconnect);
  onClick("dismiss", actions.dismissError);
  onClick("alarm-seen", actions.acknowledgeAlarms);
  onClick("log-copy", actions.copyCheckpoint);
  byId("log").addEventListener("toggle", actions.renderKeyId);
  listenToHistory();
  for (const button of all("[data-game]", HTMLButtonElement)) {
    button.addEventListener("click", () => actions.requestGame(/** @type {Kind} */ (button.dataset.game)));
  }
  for (const button of all("[data-friend]", HTMLButtonElement)) {
    button.addEventListener("click", () => actions.inviteFriend(/** @type {Kind} */ (button.dataset.friend)));
  }
  for (const button of all("[data-lang]", HTMLButtonElement)) {
    button.addEventListener("click", () => actions.chooseLanguage(/** @type {Lang} */ (button.dataset.lang)));
  }
  for (const box of all("[data-keys]", HTMLInputElement)) {
    box.addEventListener("change", () => actions.setShortcuts(box.checked));
  }
  listenToPages(actions);
  for (const type of ["pointerdown", "keydown"]) {
    document.addEventListener(type, finishAnimations);
    document.addEventListener(type, actions.endTie);
  }
  document.addEventListener("keydown", (event) => handleKey(event, actions));
  byId("table").addEventListener("click", (event) => actions.isUnmeant(event) && suppress(event), true);
  window.addEventListener("hashchange", actions.readFragment);
  window.addEventListener("storage", actions.handleStorage);
  window.addEventListener("online", actions.handleOnline);
  window.addEventListener("offline", actions.handleOffline);
  listenToVisibility(actions);
}

/**
 * @param {string} id
 * @param {() => void} action
 */
function onClick(id, action) {
  byId(id).addEventListener("click", action);
}

/** Listens to the buttons on the pages of the history and the ladder. */
function listenToHistory() {
  byId("past-more").addEventListener("click", queryOlderGames);
  for (const button of all("[data-span]", HTMLButtonElement)) {
    button.addEventListener("click", () => queryLadder(/** @type {Span} */ (button.dataset.span)));
  }
}

/**
 * Listens to navigation, and to the pages other than the table.
 *
 * @param {Actions} actions
 */
function listenToPages(actions) {
  window.addEventListener("popstate", actions.handleNavigation);
  document.addEventListener("click", (event) => followLink(event, actions));
  for (const button of all("[data-copy]", HTMLButtonElement)) {
    button.addEventListener("click", () => copyText(button));
  }
  for (const box of all("[data-calm]", HTMLInputElement)) {
    box.addEventListener("change", () => actions.setReducedMotion(box.checked));
  }
  const watchable = byId("settings-watchable", HTMLInputElement);
  watchable.addEventListener("change", () => actions.setWatchable(watchable.checked));
  for (const box of all("[data-alert]", HTMLInputElement)) {
    const alert = /** @type {Alert} */ (box.dataset.alert);
    box.addEventListener("change", () => actions.setAlert(alert, box.checked));
  }
  onClick("away-back", () => actions.goToPage("table"));
  onClick("away-close", actions.leaveResult);
  onClick("offer-take", actions.acceptAlerts);
  onClick("offer-leave", actions.declineAlerts);
  onClick("forget", () => actions.setDeletion("asked"));
  onClick("forget-no", () => actions.setDeletion("none"));
  onClick("forget-yes", () => actions.setDeletion("confirmed"));
  onClick("key-show", actions.toggleKey);
  onClick("offered-take", actions.acceptKey);
  onClick("offered-leave", actions.declineKey);
  byId("offered").addEventListener("cancel", actions.declineKey);
  onClick("key-save", () => downloadKey(actions.keyFile()));
  byId("settings-form").addEventListener("submit", (event) => {
    event.preventDefault();
    actions.rename(byId("settings-name", HTMLInputElement).value.trim().normalize("NFC"));
  });
  const file = byId("key-file", HTMLInputElement);
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    if (chosen) actions.useKeyFile(await chosen.text());
    file.value = "";
  });
}

/**
 * Follows a link to another page of the table without loading it, which keeps the connection.
 *
 * @param {MouseEvent} event
 * @param {Actions} actions
 */
function followLink(event, actions) {
  const link = event.target instanceof Element ? event.target.closest("a[data-go]") : null;
  const opensElsewhere =
    event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (!(link instanceof HTMLAnchorElement) || opensElsewhere) return;
  event.preventDefault();
  if (link.dataset.watch) actions.watchGame(Number(link.dataset.watch));
  else actions.goToPage(/** @type {Page} */ (link.dataset.go));
}

/**
 * Suppresses a tap that was meant for the previous view.
 *
 * @param {Event} event
 */
function suppress(event) {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Reconnects when the page becomes visible after a long time, as on a computer that slept: the
 * connection may be dead.
 *
 * @param {Actions} actions
 */
function listenToVisibility(actions) {
  let hiddenSince = Infinity;
  document.addEventListener("visibilitychange", () => {
    actions.render();
    if (document.hidden) hiddenSince = Date.now();
    else actions.handleReturn(Date.now() - hiddenSince > ASLEEP_MS);
  });
}

/**
 * Handles shortcuts. Keys that are held, modified or typed into a field are ignored.
 *
 * @param {KeyboardEvent} event
 * @param {Actions} actions
 */
function handleKey(event, actions) {
  const { repeat, target } = event;
  const isModified = MODIFIERS.some((modifier) => event.getModifierState(modifier));
  if (repeat || isModified || target instanceof HTMLInputElement) return;
  if (event.key === "Escape") actions.cancel();
  if (!actions.hasShortcuts()) return;
  const letter = typedLetter(event);
  if (letter === say("key-play")) actions.decide("play");
  if (letter === say("key-fold")) actions.decide("fold");
}

/**
 * Returns the capital letter of a key. On a keyboard with another alphabet, it is the letter that a
 * Latin keyboard has at the same place.
 *
 * @param {Pick<KeyboardEvent, "key" | "code">} event
 */
export function typedLetter({ key, code }) {
  return /^\p{Script=Latin}$/u.test(key) ? key.toUpperCase() : code.replace(/^Key/, "");
}
