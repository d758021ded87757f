// What people do with the page: buttons, keys, languages, and looking away.

import { all, byId } from "../widgets/dom.js";
import { skip } from "../widgets/animation.js";
import { openLadder, openMore } from "./history.js";
import { copyOf, saveKey } from "../views/settings.js";
import { say } from "../widgets/words.js";

/**
 * @import { acts } from "./actions.js"
 * @import { Kind, Span } from "../protocol/messages.js"
 * @import { Alert, Lang, Page } from "../types.js"
 *
 * @typedef {ReturnType<typeof acts>} Acts
 */

const MODIFIERS = ["Shift", "Control", "Alt", "AltGraph", "Meta"];
const ASLEEP_MS = 60_000;

/**
 * Listens from now on; `act` has what each of them does.
 *
 * @param {Acts} act
 */
export function listen(act) {
  const on = (/** @type {string} */ id, /** @type {() => void} */ done) =>
    byId(id).addEventListener("click", done);
  byId("join").addEventListener("submit", (event) => {
    event.preventDefault();
    act.sit(byId("name", HTMLInputElement).value.trim().normalize("NFC"));
  });
  on("play", () => act.decide("play"));
  on("fold", () => act.decide("fold"));
  on("cancel", act.cancel);
  on("again", act.again);
  on("rematch", act.rematch);
  on("house", act.house);
  on("friend-instead", act.friendInstead);
  on("invited-accept", act.acceptInvitation);
  on("invited-decline", act.declineInvitation);
  on("invite-copy", act.copyLink);
  on("invite-share", act.shareLink);
  on("another", act.leave);
  on("peek", act.peek);
  on("link-now", act.retry);
  on("dismiss", act.dismiss);
  on("alarm-seen", act.seen);
  on("log-copy", act.copy);
  byId("log").addEventListener("toggle", act.open);
  listenToPast();
  for (const button of all("[data-game]", HTMLButtonElement)) {
    button.addEventListener("click", () => act.choose(/** @type {Kind} */ (button.dataset.game)));
  }
  for (const button of all("[data-friend]", HTMLButtonElement)) {
    button.addEventListener("click", () => act.friend(/** @type {Kind} */ (button.dataset.friend)));
  }
  for (const button of all("[data-lang]", HTMLButtonElement)) {
    button.addEventListener("click", () => act.wish(/** @type {Lang} */ (button.dataset.lang)));
  }
  for (const box of all("[data-keys]", HTMLInputElement)) {
    box.addEventListener("change", () => act.switchKeys(box.checked));
  }
  listenToPages(act, on);
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, skip);
  document.addEventListener("keydown", (event) => pressed(event, act));
  byId("table").addEventListener("click", (event) => act.isEarly() && ignore(event), true);
  window.addEventListener("hashchange", act.readAddress);
  window.addEventListener("online", act.online);
  window.addEventListener("offline", act.offline);
  listenToSight(act);
}

/** Listens to what there is to look back on. */
function listenToPast() {
  byId("past-more").addEventListener("click", openMore);
  for (const button of all("[data-span]", HTMLButtonElement)) {
    button.addEventListener("click", () => openLadder(/** @type {Span} */ (button.dataset.span)));
  }
}

/**
 * Listens to what there is beside the table.
 *
 * @param {Acts} act
 * @param {(id: string, done: () => void) => void} on
 */
function listenToPages(act, on) {
  window.addEventListener("popstate", act.visit);
  document.addEventListener("click", (event) => follow(event, act));
  for (const button of all("[data-copy]", HTMLButtonElement)) {
    button.addEventListener("click", () => copyOf(button));
  }
  for (const box of all("[data-calm]", HTMLInputElement)) {
    box.addEventListener("change", () => act.switchCalm(box.checked));
  }
  const watchable = byId("settings-watchable", HTMLInputElement);
  watchable.addEventListener("change", () => act.switchWatchable(watchable.checked));
  for (const box of all("[data-alert]", HTMLInputElement)) {
    const alert = /** @type {Alert} */ (box.dataset.alert);
    box.addEventListener("change", () => act.switchAlert(alert, box.checked));
  }
  on("away-back", () => act.go("table"));
  on("forget", () => act.leaveForGood("asked"));
  on("forget-no", () => act.leaveForGood("no"));
  on("forget-yes", () => act.leaveForGood("yes"));
  on("key-show", act.showKey);
  on("offered-take", act.takeOffered);
  on("offered-leave", act.leaveOffered);
  byId("offered").addEventListener("cancel", act.leaveOffered);
  on("key-save", () => saveKey(act.keyFile()));
  byId("settings-form").addEventListener("submit", (event) => {
    event.preventDefault();
    act.rename(byId("settings-name", HTMLInputElement).value.trim().normalize("NFC"));
  });
  const file = byId("key-file", HTMLInputElement);
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    if (chosen) act.takeFile(await chosen.text());
    file.value = "";
  });
}

/**
 * Follows a link to another page of the table without loading it: the line and the game stay.
 *
 * @param {MouseEvent} event
 * @param {Acts} act
 */
function follow(event, act) {
  const link = event.target instanceof Element ? event.target.closest("a[data-go]") : null;
  const elsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (!(link instanceof HTMLAnchorElement) || elsewhere) return;
  event.preventDefault();
  if (link.dataset.watch) act.watch(Number(link.dataset.watch));
  else act.go(/** @type {Page} */ (link.dataset.go));
}

/**
 * A second tap was meant for what lay there before.
 *
 * @param {Event} event
 */
function ignore(event) {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * A line of a page that nobody saw for long, as on a computer that slept, may be dead.
 *
 * @param {Acts} act
 */
function listenToSight(act) {
  let hiddenSince = Infinity;
  document.addEventListener("visibilitychange", () => {
    act.looked();
    if (document.hidden) hiddenSince = Date.now();
    else act.back(Date.now() - hiddenSince > ASLEEP_MS);
  });
}

/**
 * Nobody decides by a key that was meant for something else, or held too long.
 *
 * @param {KeyboardEvent} event
 * @param {Acts} act
 */
function pressed(event, act) {
  const { key, repeat, target } = event;
  const modified = MODIFIERS.some((modifier) => event.getModifierState(modifier));
  if (repeat || modified || target instanceof HTMLInputElement) return;
  if (key === "Escape") act.cancel();
  if (!act.keys()) return;
  const typed = (/** @type {string} */ word) => key.toUpperCase() === word;
  if (typed(say("key-play"))) act.decide("play");
  if (typed(say("key-fold"))) act.decide("fold");
}
