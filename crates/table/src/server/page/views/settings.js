// Rendering of the settings, and of the commitments on the page about fairness.

import { store } from "../state/store.js";
import { isAlertSupported } from "../widgets/alerts.js";
import { all, byId, createElement, hasChanged } from "../widgets/dom.js";
import { GAME_NAMES } from "../widgets/labels.js";
import { language, say } from "../widgets/words.js";

/** @import { Alert, ViewModel } from "../types.js" */

/** @param {ViewModel} model */
export function renderSettings(model) {
  document.documentElement.dataset.motion = model.isMotionReduced ? "less" : "";
  for (const box of all("[data-calm]", HTMLInputElement)) box.checked = model.isMotionReduced;
  for (const box of all("[data-alert]", HTMLInputElement)) {
    const alert = /** @type {Alert} */ (box.dataset.alert);
    box.checked = model.alerts[alert];
    if (box.parentElement) box.parentElement.hidden = !isAlertSupported(alert);
  }
  if (model.page === "settings") renderAccount(model);
  if (model.page === "fair") renderCommitments(model);
}

/** @param {ViewModel} model */
function renderAccount({ name, player, isWatchable, deletion, stage, links }) {
  byId("settings-watchable", HTMLInputElement).checked = isWatchable;
  const isKnown = typeof player === "number";
  const isPlaying = ["starting", "deciding", "decided"].includes(stage);
  byId("forget").hidden = !isKnown || deletion !== "none";
  byId("forget", HTMLButtonElement).disabled = isPlaying;
  byId("forget-sure").hidden = deletion === "none";
  byId("forget-yes", HTMLButtonElement).disabled = deletion === "confirmed" || isPlaying;
  for (const part of all("[data-known]", HTMLElement)) part.hidden = !isKnown;
  const field = byId("settings-name", HTMLInputElement);
  // Text that is being typed stays until the server confirms a new name.
  if (field.dataset.name !== name) field.value = name;
  field.dataset.name = name;
  renderLinks(links);
  byId("settings-player").textContent = say("settings-player", { player: String(player) });
}

/**
 * Renders the player's friend links, each with a button that revokes it.
 *
 * @param {ViewModel["links"]} links
 */
function renderLinks(links) {
  byId("links-part").hidden = !links?.length;
  if (!hasChanged(byId("links"), language(), links)) return;
  const items = (links ?? []).map(({ link, game }) => {
    const button = createElement("button", say("link-revoke"));
    button.className = "second";
    button.dataset.link = link;
    const item = createElement("li", `${say(GAME_NAMES[game])} (${link.slice(0, 4)}…) `);
    item.append(button);
    return item;
  });
  byId("links").replaceChildren(...items);
}

/**
 * Renders the commitments of the table and both players, even before the game is over.
 *
 * @param {ViewModel} model
 */
function renderCommitments({ verdict }) {
  const { game } = verdict;
  byId("held").hidden = game === null;
  byId("held-none").hidden = game !== null;
  if (game === null) return;
  byId("held-game").textContent = say("held-game", { game: String(game.id) });
  byId("held-commitment").textContent = game.commitment;
  byId("held-yours").textContent = game.seedHashes[game.seat - 1] ?? say("fair-none");
  byId("held-theirs").textContent = game.seedHashes[2 - game.seat] ?? say("fair-none");
}

/**
 * Copies the text of the element that a button names, or selects it if the browser does not allow
 * copying.
 *
 * @param {HTMLButtonElement} button
 */
export async function copyText(button) {
  const source = byId(button.dataset.copy ?? "");
  try {
    await navigator.clipboard.writeText(source.textContent ?? "");
    for (const other of all("[data-copy]", HTMLButtonElement)) other.textContent = say("copy-this");
    button.textContent = say("copied");
  } catch {
    getSelection()?.selectAllChildren(source);
  }
}

/**
 * Downloads the account key as a file.
 *
 * @param {string} text
 */
export function downloadKey(text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = `war-key-${store.profile?.player ?? ""}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
