// Shows the pages beside the table: how the table can be held to what it says, and settings.

import { canAlert } from "../widgets/alerts.js";
import { all, byId } from "../widgets/dom.js";
import { now } from "../state/store.js";
import { say } from "../widgets/words.js";

/** @import { Alert, Model } from "../types.js" */

/**
 * Shows what changes on these pages.
 *
 * @param {Model} model
 */
export function elsewhere(model) {
  document.documentElement.dataset.motion = model.calm ? "less" : "";
  for (const box of all("[data-calm]", HTMLInputElement)) box.checked = model.calm;
  for (const box of all("[data-alert]", HTMLInputElement)) {
    const alert = /** @type {Alert} */ (box.dataset.alert);
    box.checked = model.alerts[alert];
    if (box.parentElement) box.parentElement.hidden = !canAlert(alert);
  }
  if (model.page === "settings") settings(model);
  if (model.page === "fair") held(model);
}

/** @param {Model} model */
function settings({ name, player, watchable, leaving, stage }) {
  byId("settings-watchable", HTMLInputElement).checked = watchable;
  const known = typeof player === "number";
  const plays = ["starting", "deciding", "decided"].includes(stage);
  byId("forget").hidden = !known || leaving !== "no";
  byId("forget", HTMLButtonElement).disabled = plays;
  byId("forget-sure").hidden = leaving === "no";
  byId("forget-yes", HTMLButtonElement).disabled = leaving === "yes" || plays;
  for (const part of all("[data-known]", HTMLElement)) part.hidden = !known;
  const field = byId("settings-name", HTMLInputElement);
  // What is being typed stays until the table calls the player otherwise.
  if (field.dataset.name !== name) field.value = name;
  field.dataset.name = name;
  byId("settings-player").textContent = say("settings-player", { player: String(player) });
}

/**
 * Shows what the table and both players were committed to when the game began, also before its end.
 *
 * @param {Model} model
 */
function held({ verdict }) {
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
 * Copies the text of an element, or selects it where the browser does not let the page copy.
 *
 * @param {HTMLButtonElement} button
 */
export async function copyOf(button) {
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
 * Saves the key of the account as a file.
 *
 * @param {string} text
 */
export function saveKey(text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = `war-key-${now.me?.player ?? ""}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
