// Rendering of the whole page: selects the section, and renders the bars around it.

import { isBusy } from "../controllers/router.js";
import { isAlertSupported } from "../widgets/alerts.js";
import { countBalance } from "../widgets/animation.js";
import { all, byId, createElement, hasChanged } from "../widgets/dom.js";
import { playerName } from "../widgets/labels.js";
import { language, say } from "../widgets/words.js";
import { renderKey } from "./account-key.js";
import { renderCoach, renderMistakes } from "./coach.js";
import { renderDaily } from "./daily.js";
import { renderGame } from "./game.js";
import { renderHistory } from "./history.js";
import { invitationText } from "./lobby.js";
import { renderJoin, renderLobby, renderPeople, renderStakes, renderWaiting } from "./lobby.js";
import { renderLog } from "./log.js";
import { FAILED_CHECKS, renderResult, resultTitle } from "./result.js";
import { renderSettings } from "./settings.js";
import { renderSpectator } from "./spectator.js";

/** @import { ConnectionStatus, Page, Stage, ViewModel, Word } from "../types.js" */

/**
 * Section of each stage.
 *
 * @type {Record<Stage, string>}
 */
const SECTIONS = {
  join: "join",
  arriving: "arriving",
  lobby: "lobby",
  waiting: "waiting",
  starting: "game",
  deciding: "game",
  decided: "game",
  result: "result",
};

/** Pages that only players see. */
const PLAYER_PAGES = ["watch", "games", "ladder"];

/** @type {Record<Page, Word>} */
const TITLES = {
  home: "page-title",
  table: "title-table",
  watch: "title-watch",
  games: "title-games",
  ladder: "title-ladder",
  daily: "title-daily",
  "how-to-play": "title-how",
  fair: "title-fair",
  settings: "title-settings",
};

/**
 * Renders everything.
 *
 * @param {ViewModel} model
 */
export function render(model) {
  const { page, stage, state } = model;
  const section = sectionOf(model);
  document.body.dataset.stage = stage;
  document.body.dataset.page = page;
  document.body.dataset.early = String(model.isInputBlocked);
  for (const other of all("main > section", HTMLElement)) other.hidden = other.dataset.stage !== section;
  for (const button of all("[data-lang]", HTMLButtonElement)) {
    button.setAttribute("aria-pressed", String(button.dataset.lang === language()));
  }
  byId("balance").hidden = state.balance === null;
  countBalance(state.balance);
  renderTitle(page, stage);
  renderAlarm(model);
  renderUnchecked(model);
  renderError(model);
  renderConnection(model.connectionStatus);
  renderShortcuts(model);
  renderSettings(model);
  renderKey(model);
  for (const table of all("[data-stakes]", HTMLTableElement)) renderStakes(table);
  renderLog(model);
  renderPeople(model);
  renderHistory(model);
  if (page === "games") renderMistakes(model);
  if (page === "daily") renderDaily(model);
  renderSpectator(model);
  renderReturnBar(model);
  renderOffer(model);
  if (section === "join") renderJoin(model);
  else if (section === "lobby") renderLobby(model);
  else if (section === "waiting") renderWaiting(model);
  else if (section === "result" && state.stage === "result") {
    renderResult({ ...model, state });
    renderCoach({ ...model, state });
  } else if (section === "game" && state.game !== null && state.stage !== "result")
    renderGame({ ...model, state });
}

/**
 * Returns the section to show: the section of the stage for the home page and the table, the page's
 * own section otherwise. Players who left a game for the home page see the lobby there.
 *
 * @param {ViewModel} model
 */
function sectionOf({ page, stage }) {
  const isUnknown = stage === "join" || stage === "arriving";
  if (PLAYER_PAGES.includes(page) && isUnknown) return SECTIONS[stage];
  if (page !== "home" && page !== "table") return page;
  return page === "home" && isBusy(stage) ? "lobby" : SECTIONS[stage];
}

/**
 * Renders the title, which alerts players who are looking elsewhere to their turn. If the page is
 * installed, its icon has a badge for the same purpose.
 *
 * @param {Page} page
 * @param {Stage} stage
 */
function renderTitle(page, stage) {
  const isTurn = stage === "deciding" && (document.hidden || page !== "table");
  const text = say(isTurn ? "title-turn" : TITLES[page]);
  if (document.title !== text) document.title = text;
  const { dataset } = document.body;
  if (dataset.turn === String(isTurn)) return;
  dataset.turn = String(isTurn);
  // Not every browser supports badges.
  const badge = isTurn ? navigator.setAppBadge?.() : navigator.clearAppBadge?.();
  badge?.catch(() => {});
}

/**
 * Renders the bar that leads back to a running game, to its result, or to a friend who waits.
 *
 * @param {ViewModel} model
 */
function renderReturnBar({ page, stage, state, friend, isResultSeen }) {
  const { result, game } = state;
  const isFree = stage === "lobby" || stage === "result";
  // The home page is the lobby, which names the friend.
  const isInvited = isFree && page !== "home" && friend?.presence === "ready";
  const isOffered = result !== null && state.rematchOffer === game?.id;
  const isNews = isBusy(stage) && (result === null || !isResultSeen);
  byId("away").hidden = page === "table" || !(isInvited || isOffered || isNews);
  byId("away-close").hidden = result === null || isInvited;
  byId("away-back").textContent = say(isInvited ? "away-invited" : result ? "away-result-see" : "away-back");
  let text = say(stage === "deciding" ? "away-turn" : "away-game");
  if (result && game)
    text = isOffered
      ? say("rematch-wanted", { opponent: playerName(game.opponent) })
      : say("away-result", { result: resultTitle(result) });
  if (isInvited) text = invitationText(friend) ?? "";
  byId("away-text").textContent = text;
}

/**
 * Offers sounds and vibration after the first game.
 *
 * @param {ViewModel} model
 */
function renderOffer({ isOfferDue, alerts }) {
  byId("offer").hidden = !isOfferDue || alerts.sound || alerts.tremor || !isAlertSupported("sound");
}

/** Removes the notice that is shown until the page has loaded. */
export function removeLoadingNotice() {
  byId("loading").remove();
}

/** Shows the top of the visible section, and moves the focus to its heading. */
export function focusHeading() {
  all("main > section:not([hidden]) h1", HTMLElement)[0]?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/**
 * Announces a text to screen readers, after what they are reading now.
 *
 * @param {string} text
 */
export function announce(text) {
  byId("told").textContent = text;
}

/** Returns the text below the heading of a result, with the opponent's cards if they are shown. */
export function resultSummary() {
  const cards = byId("result-theirs-names").textContent;
  const texts = [byId("result-lead").textContent, cards && say("theirs-told", { cards })];
  return [...texts, byId("result-balance").textContent].filter(Boolean).join(" ");
}

/**
 * Renders the bar about the connection, which also counts down between renderings of the page.
 *
 * @param {ConnectionStatus} status
 */
export function renderConnection(status) {
  const bar = byId("link");
  bar.hidden = status.state === "open" || status.state === "none";
  if (bar.hidden) return;
  const seconds = Math.max(1, Math.ceil(((status.until ?? 0) - Date.now()) / 1000));
  const text = say(connectionText(status), { n: seconds });
  if (byId("link-text").textContent !== text) byId("link-text").textContent = text;
  byId("link-now").hidden = status.state === "trying";
  byId("link-now").textContent = say(status.state === "old" ? "link-reload" : "link-now");
}

/**
 * @param {ConnectionStatus} status
 * @returns {Word}
 */
function connectionText({ state, offline }) {
  if (state === "lost") return offline ? "link-offline" : "link-lost";
  if (state === "crowded") return "link-crowded";
  return state === "old" ? "link-old" : "link-trying";
}

/**
 * Renders the alarm about problems.
 *
 * @param {ViewModel} model
 */
function renderAlarm({ problems }) {
  const { game, result, table } = problems;
  const keys = [...game, ...result, ...table];
  const bar = byId("alarm");
  bar.hidden = keys.length === 0;
  bar.dataset.wrong = keys.join(" ");
  byId("alarm-seen").hidden = table.length === 0;
  if (!hasChanged(bar, language(), keys)) return;
  byId("alarm-list").replaceChildren(
    ...keys.map((key) => createElement("li", say(FAILED_CHECKS[key] ?? key))),
  );
}

/**
 * Renders the notice about a game that can't be checked in this browser, and the number of such
 * games. A cheat could hide in them.
 *
 * @param {ViewModel} model
 */
function renderUnchecked({ problems, stage }) {
  const { isUnchecked, unchecked } = problems;
  const count = unchecked > 0 ? say("unchecked-games", { n: unchecked }) : "";
  byId("unchecked").hidden = !isUnchecked;
  const notice = stage === "result" ? `${say("unchecked-result")} ${count}` : say("unchecked-start");
  const text = isUnchecked ? notice : "";
  if (byId("unchecked-text").textContent !== text) byId("unchecked-text").textContent = text;
  for (const counter of all("[data-unchecked]", HTMLElement)) {
    counter.textContent = count;
    counter.hidden = unchecked === 0;
  }
}

/**
 * Renders the last error or notice.
 *
 * @param {ViewModel} model
 */
function renderError({ error }) {
  byId("error").hidden = !error;
  byId("error-title").hidden = error?.text === undefined;
  byId("error-text").textContent = error?.text ?? (error?.key ? say(error.key, error.values) : "");
}

/**
 * Renders the setting of the shortcuts, and the keys on the buttons if shortcuts are on.
 *
 * @param {ViewModel} model
 */
function renderShortcuts({ hasShortcuts }) {
  for (const box of all("[data-keys]", HTMLInputElement)) box.checked = hasShortcuts;
  for (const id of ["play", "fold"]) {
    const key = byId(id).querySelector("kbd");
    if (key) key.hidden = !hasShortcuts;
    if (key && hasShortcuts) byId(id).setAttribute("aria-keyshortcuts", key.textContent);
    else byId(id).removeAttribute("aria-keyshortcuts");
  }
}
