// Shows the state of the table: the frame of the page, and what there is before a game.

import { all, byId, element } from "../widgets/dom.js";
import { GAMES } from "../state/rules.js";
import { count } from "../widgets/animation.js";
import { isBusy } from "../controllers/router.js";
import { meanwhile, offers, people } from "./lobby.js";
import { game } from "./game.js";
import { key } from "./account-key.js";
import { elsewhere } from "./settings.js";
import { log } from "./log.js";
import { past } from "./history.js";
import { result, WRONG } from "./result.js";
import { title } from "./title.js";
import { watching } from "./spectator.js";
import { language, say } from "../widgets/words.js";

/**
 * @import { Kind } from "../protocol/messages.js"
 * @import { Line, Model, Stage, Word } from "../types.js"
 */

/** The tokens that a new player gets. */
const OPENING_BALANCE = 1000;

/**
 * What an element is called that shows a stage; several stages may share one.
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

/** The pages that the table shows to players alone. */
const OF_PLAYERS = ["watch", "games", "ladder"];

/** @type {Record<Kind, Word>} */
const GAME_NAMES = {
  "single-card-game": "game-single",
  "double-card-game": "game-double",
};

/**
 * Shows everything.
 *
 * @param {Model} model
 */
export function render(model) {
  const { page, stage, state } = model;
  const section = sectionOf(model);
  document.body.dataset.stage = stage;
  document.body.dataset.page = page;
  document.body.dataset.early = String(model.early);
  for (const other of all("main > section", HTMLElement)) other.hidden = other.dataset.stage !== section;
  for (const button of all("[data-lang]", HTMLButtonElement)) {
    button.setAttribute("aria-pressed", String(button.dataset.lang === language()));
  }
  byId("balance").hidden = state.balance === null;
  count(state.balance);
  title(page, stage);
  alarm(model);
  error(model);
  link(model.line);
  keys(model);
  elsewhere(model);
  key(model);
  for (const table of all("[data-stakes]", HTMLTableElement)) stakes(table);
  log(model);
  people(model);
  past(model);
  watching(model);
  away(model);
  if (section === "join") join(model);
  else if (section === "lobby") lobby(model);
  else if (section === "waiting") waiting(model);
  else if (section === "result" && state.stage === "result") result({ ...model, state });
  else if (section === "game" && state.game !== null && state.stage !== "result") game({ ...model, state });
}

/**
 * What is shown: a page of its own, or what there is at the table. Those who left a game for the
 * lobby see the lobby.
 *
 * @param {Model} model
 */
function sectionOf({ page, stage }) {
  const absent = stage === "join" || stage === "arriving";
  if (OF_PLAYERS.includes(page) && absent) return SECTIONS[stage];
  if (page !== "home" && page !== "table") return page;
  return page === "home" && isBusy(stage) ? "lobby" : SECTIONS[stage];
}

/**
 * Leads back to a game that goes on.
 *
 * @param {Model} model
 */
function away({ page, stage }) {
  byId("away").hidden = page === "table" || !isBusy(stage) || stage === "result";
  byId("away-text").textContent = say(stage === "deciding" ? "away-turn" : "away-game");
}

/** Takes away what stands there until the page can say something. */
export function loaded() {
  byId("loading").remove();
}

/** Moves the keyboard and the screen reader to the heading of what is shown. */
export function focus() {
  all("main > section:not([hidden]) h1", HTMLElement)[0]?.focus();
}

/**
 * Has a screen reader say this when it is done with what it says now.
 *
 * @param {string} text
 */
export function tell(text) {
  byId("told").textContent = text;
}

/** What is shown of a result below its heading. */
export function outcome() {
  return `${byId("result-lead").textContent} ${byId("result-balance").textContent}`;
}

/**
 * Shows how the line is; a part of `render` that time changes too.
 *
 * @param {Line} line
 */
export function link(line) {
  const bar = byId("link");
  bar.hidden = line.state === "open" || line.state === "none";
  if (bar.hidden) return;
  const seconds = Math.max(1, Math.ceil(((line.until ?? 0) - Date.now()) / 1000));
  const text = say(linkWord(line), { n: seconds });
  if (byId("link-text").textContent !== text) byId("link-text").textContent = text;
  byId("link-now").hidden = line.state === "trying";
  byId("link-now").textContent = say(line.state === "old" ? "link-reload" : "link-now");
}

/**
 * @param {Line} line
 * @returns {Word}
 */
function linkWord({ state, offline }) {
  if (state === "lost") return offline ? "link-offline" : "link-lost";
  if (state === "crowded") return "link-crowded";
  return state === "old" ? "link-old" : "link-trying";
}

/**
 * Says aloud what is wrong; a screen reader hears it once.
 *
 * @param {Model} model
 */
function alarm({ wrong }) {
  const { game, result, table } = wrong;
  const keys = [...game, ...result, ...table];
  const shown = [language(), ...keys].join(" ");
  const bar = byId("alarm");
  bar.hidden = keys.length === 0;
  bar.dataset.wrong = keys.join(" ");
  byId("alarm-seen").hidden = table.length === 0;
  if (bar.dataset.shown === shown) return;
  bar.dataset.shown = shown;
  byId("alarm-list").replaceChildren(...keys.map((key) => element("li", say(WRONG[key] ?? key))));
}

/**
 * Shows what the table says of a request, or what the page has to say itself.
 *
 * @param {Model} model
 */
function error({ error }) {
  byId("error").hidden = !error;
  byId("error-title").hidden = error?.text === undefined;
  byId("error-text").textContent = error?.text ?? (error?.key ? say(error.key, error.values) : "");
}

/**
 * Shows whether the keys decide, and which of them only where they do.
 *
 * @param {Model} model
 */
function keys({ keys }) {
  for (const box of all("[data-keys]", HTMLInputElement)) box.checked = keys;
  for (const id of ["play", "fold"]) {
    const key = byId(id).querySelector("kbd");
    if (key) key.hidden = !keys;
    if (key && keys) byId(id).setAttribute("aria-keyshortcuts", key.textContent);
    else byId(id).removeAttribute("aria-keyshortcuts");
  }
}

/** @param {Model} model */
function join({ warning, line, invited }) {
  const tokens = say("tokens", { n: OPENING_BALANCE });
  byId("join-lead").textContent = invited
    ? say("join-invited", { game: say(GAME_NAMES[invited.game]), tokens })
    : say("join-lead", { tokens });
  byId("join-warning").hidden = warning === null;
  byId("join-warning").textContent = warning ? say(warning) : "";
  for (const button of all("#join button", HTMLButtonElement)) button.disabled = line.state !== "none";
}

/** @param {Model} model */
function lobby(model) {
  const { stage, name, player, asking, guided, invited } = model;
  guide(guided);
  offers(model, invited ? say(GAME_NAMES[invited.game]) : "");
  byId("greeting").textContent = say("lobby-greeting", { name, player: String(player) });
  const busy = isBusy(stage) && stage !== "result";
  for (const button of all("[data-game]", HTMLButtonElement)) button.disabled = asking || busy;
}

/**
 * Those who have not finished a game are guided; afterwards the guide is theirs to open.
 *
 * @param {boolean} guided
 */
function guide(guided) {
  const state = guided ? "known" : "new";
  if (byId("guide").dataset.for === state) return;
  byId("guide").dataset.for = state;
  byId("guide", HTMLDetailsElement).open = !guided;
}

/** @param {HTMLTableElement} table */
function stakes(table) {
  const game = /** @type {Kind} */ (table.dataset.stakes);
  const { bothFold, oneFolds, showdown } = GAMES[game];
  const rows = [
    [say("both-play"), say("stake-won-or-lost", { n: showdown })],
    [say("one-folds"), say("stake-won-or-lost", { n: oneFolds })],
    [say("both-fold"), say("stake-lost", { n: bothFold })],
  ];
  table.setAttribute("aria-label", say("stakes-of", { game: say(GAME_NAMES[game]) }));
  table.replaceChildren(
    ...rows.map(([what, tokens]) => {
      const row = document.createElement("tr");
      const head = element("th", what);
      head.scope = "row";
      row.append(head, element("td", tokens));
      return row;
    }),
  );
}

/** @param {Model} model */
function waiting(model) {
  const { wanted, withdrawing } = model;
  const lead = meanwhile(model);
  byId("waiting-lead").textContent = say(lead, { game: wanted ? say(GAME_NAMES[wanted]) : "" });
  byId("cancel", HTMLButtonElement).disabled = withdrawing;
}
