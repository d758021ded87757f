// Shows the state of the table. Whatever came from people is only ever shown as text.

import { back, face, names } from "./cards.js";
import { GAMES } from "./games.js";
import { language, number, say } from "./words.js";

/** The tokens that a new player gets. */
const OPENING_BALANCE = 1000;

/** What an element is called that shows a stage; several stages may share one. */
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

export const GAME_NAMES = {
  "single-card-game": "game-single",
  "double-card-game": "game-double",
};

const byId = (id) => document.getElementById(id);

/** Shows everything; `model` is described where it is made, in `table.js`. */
export function render(model) {
  const { stage, state } = model;
  document.body.dataset.stage = stage;
  for (const section of document.querySelectorAll("section")) {
    section.hidden = section.dataset.stage !== SECTIONS[stage];
  }
  for (const button of document.querySelectorAll("[data-lang]")) {
    button.setAttribute("aria-pressed", String(button.dataset.lang === language()));
  }
  byId("balance").hidden = state.balance === null;
  byId("balance-tokens").textContent = number(state.balance ?? 0);
  error(model);
  link(model);
  keys(model);
  ({ join, lobby, waiting, game, result })[SECTIONS[stage]]?.(model);
}

/** Takes away what stands there until the page can say something. */
export function loaded() {
  byId("loading").remove();
}

/** Moves the keyboard and the screen reader to the heading of what is shown. */
export function focus() {
  document.querySelector("section:not([hidden]) h1")?.focus();
}

/** Has a screen reader say this when it is done with what it says now. */
export function tell(text) {
  byId("told").textContent = text;
}

/** What is shown of a result below its heading. */
export function outcome() {
  return `${byId("result-lead").textContent} ${byId("result-balance").textContent}`;
}

/** Shows the time that is left, of the time that was given, in milliseconds. */
export function clock(left, given) {
  const seconds = Math.ceil(Math.max(0, left) / 1000);
  const text = seconds > 0 ? say("seconds", { n: seconds }) : say("time-up");
  if (byId("time-left").textContent !== text) byId("time-left").textContent = text;
  byId("fill").style.transform = `scaleX(${Math.max(0, Math.min(1, left / given))})`;
  byId("clock").classList.toggle("short", seconds <= 5);
}

/** Shows how the line is; a part of `render` that time changes too. */
export function link({ line }) {
  const bar = byId("link");
  bar.hidden = line.state === "open" || line.state === "none";
  if (bar.hidden) return;
  const seconds = Math.max(1, Math.ceil((line.until - Date.now()) / 1000));
  const texts = {
    trying: () => say("link-trying"),
    lost: () => say("link-lost", { n: seconds }),
    crowded: () => say("link-crowded", { n: seconds }),
  };
  const text = texts[line.state]();
  if (byId("link-text").textContent !== text) byId("link-text").textContent = text;
  byId("link-now").hidden = line.state === "trying";
}

function error({ error }) {
  byId("error").hidden = !error;
  byId("error-text").textContent = error ?? "";
}

/** Shows whether the keys decide, and which of them only where they do. */
function keys({ keys }) {
  for (const box of document.querySelectorAll("[data-keys]")) box.checked = keys;
  for (const id of ["play", "fold"]) {
    const key = byId(id).querySelector("kbd");
    key.hidden = !keys;
    if (keys) byId(id).setAttribute("aria-keyshortcuts", key.textContent);
    else byId(id).removeAttribute("aria-keyshortcuts");
  }
}

function join({ warning, line }) {
  byId("join-lead").textContent = say("join-lead", { tokens: say("tokens", { n: OPENING_BALANCE }) });
  byId("join-warning").hidden = warning === null;
  byId("join-warning").textContent = warning ? say(warning) : "";
  byId("join").querySelector("button").disabled = line.state !== "none";
}

function lobby({ name, asking }) {
  byId("greeting").textContent = say("lobby-greeting", { name });
  for (const table of document.querySelectorAll("[data-stakes]")) stakes(table);
  for (const button of document.querySelectorAll("[data-game]")) button.disabled = asking;
}

function stakes(table) {
  const game = table.dataset.stakes;
  const { bothFold, oneFolds, showdown } = GAMES[game];
  const rows = [
    [say("both-play"), say("stake-won-or-lost", { n: showdown })],
    [say("one-folds"), say("stake-won-or-lost", { n: oneFolds })],
    [say("both-fold"), say("stake-lost", { n: bothFold })],
  ];
  table.setAttribute("aria-label", say("stakes-of", { game: say(GAME_NAMES[game]) }));
  table.replaceChildren(...rows.map(([what, tokens]) => {
    const row = document.createElement("tr");
    const head = element("th", what);
    head.scope = "row";
    row.append(head, element("td", tokens));
    return row;
  }));
}

function waiting({ wanted, unheard, withdrawing }) {
  const lead = unheard ? "waiting-unheard" : "waiting-lead";
  byId("waiting-lead").textContent = say(lead, { game: say(GAME_NAMES[wanted]) });
  byId("cancel").disabled = withdrawing;
}

function game({ stage, state, sending, early }) {
  const { game, kind } = state;
  const { opponent } = game;
  const cards = game.hands.at(-1);
  byId("opponent").textContent = say("against", { opponent });
  byId("game-theirs").setAttribute("aria-label", say("their-cards", { opponent }));
  hand("game-theirs", Array(GAMES[kind].cards).fill("back"));
  hand("game-yours", stage === "starting" ? Array(GAMES[kind].cards).fill("back") : cards);
  byId("game-title").textContent = gameTitle(stage, game);
  byId("game-lead").textContent = gameLead(stage, game, sending);
  for (const part of document.querySelectorAll("[data-deciding]")) part.hidden = stage !== "deciding";
  for (const id of ["play", "fold"]) {
    byId(id).setAttribute("aria-disabled", String(sending || early));
    byId(id).classList.toggle("early", early);
  }
  atStake(GAMES[kind]);
}

/** Says beside each decision what it can bring. */
function atStake({ bothFold, oneFolds, showdown }) {
  const tokens = (n) => say("tokens", { n });
  byId("play-stakes").textContent = say("play-stakes", { showdown: tokens(showdown), won: oneFolds });
  byId("fold-stakes").textContent = say("fold-stakes", { lost: tokens(oneFolds), both: bothFold });
}

function gameTitle(stage, { hands, decision }) {
  if (stage === "starting") return say("starting-title");
  if (stage === "decided") return decidedTitle(decision);
  if (hands.length > 1) return say("tied-title");
  return say("deciding-title", { n: hands[0].length });
}

function decidedTitle({ decision, timed_out }) {
  if (timed_out) return say("decided-late");
  return decision === "play" ? say("decided-play") : say("decided-fold");
}

function gameLead(stage, { hands, opponent }, sending) {
  if (stage === "starting") return "";
  if (stage === "decided") return say("decided-lead", { opponent });
  if (sending) return say("sending");
  if (hands.length > 1) return say("tied-lead", { deal: hands.length });
  return say("deciding-lead", { n: hands[0].length });
}

function result(model) {
  const { game, result } = model.state;
  const { delta, outcome, decisions } = result;
  const n = Math.abs(delta);
  const won = outcome === "won";
  byId("result-title").textContent = won ? say("won-title", { n }) : say("lost-title", { n });
  byId("result-lead").textContent = why(model.state);
  byId("result-balance").textContent = say("new-balance", { tokens: say("tokens", { n: result.balance }) });
  const { opponent } = game;
  byId("theirs-name").textContent = opponent;
  byId("result-theirs").setAttribute("aria-label", say("their-cards", { opponent }));
  byId("did-yours").textContent = did(decisions.yours);
  byId("did-theirs").textContent = did(decisions.theirs);
  hand("result-yours", game.hands.at(-1));
  hand("result-theirs", result.cards?.theirs ?? game.hands.at(-1).map(() => "back"));
  byId("yours").classList.toggle("winner", won);
  byId("theirs").classList.toggle("winner", outcome === "lost");
  byId("again").disabled = model.asking;
  fairness(model);
}

function why({ game, result }) {
  const { opponent } = game;
  const { outcome, decisions } = result;
  const n = game.hands.at(-1).length;
  const late = game.decision?.timed_out;
  if (outcome === "both_folded") return say(late ? "both-folded-late-lead" : "both-folded-lead", { opponent });
  if (outcome === "won") {
    return decisions.theirs === "fold" ? say("won-fold-lead", { opponent }) : say("won-cards-lead", { n });
  }
  if (decisions.yours === "play") return say("lost-cards-lead", { n, opponent });
  return say(late ? "lost-late-lead" : "lost-fold-lead", { opponent });
}

function did(decision) {
  return decision === "play" ? say("did-play") : say("did-fold");
}

function fairness({ state, verdict }) {
  const { game, result } = state;
  const { reveal, game_id } = result;
  byId("verdict").textContent = say(verdict.good ? "fair-good" : "fair-bad");
  byId("verdict").dataset.is = verdict.good ? "good" : "bad";
  const checks = verdict.checks.map(({ key, right }) => {
    const said = say(right ? "check-passed" : "check-failed");
    const item = element("li", `${said} ${say(key)}`);
    item.className = right ? "right" : "wrong";
    return item;
  });
  byId("checks").replaceChildren(...checks);
  const [yours, theirs] = [reveal.client_seeds[game.seat - 1], reveal.client_seeds[2 - game.seat]];
  byId("fair-server").textContent = reveal.seed;
  byId("fair-commitment").textContent = game.commitment;
  byId("fair-yours").textContent = yours || say("fair-none");
  byId("fair-theirs-title").textContent = say("fair-of-them", { opponent: game.opponent });
  byId("fair-theirs").textContent = theirs || say("fair-none");
  byId("fair-deals").textContent = number(reveal.deals);
  byId("journal").textContent = say("journal-link", { game: game_id });
  byId("journal").href = `/games/${game_id}/journal.json?lang=${language()}`;
  byId("journal").download = `game-${game_id}.json`;
  byId("journal-command").textContent = `war replay game-${game_id}.json`;
}

/** Shows a hand; the same cards stay as they are, so that they are dealt only once. */
function hand(id, cards) {
  const list = byId(id);
  const shown = [language(), ...cards].join(" ");
  if (list.dataset.cards === shown) return;
  list.dataset.cards = shown;
  const hidden = cards.includes("back");
  list.replaceChildren(...cards.map((card) => {
    const item = document.createElement("li");
    item.append(hidden ? back() : face(card));
    return item;
  }));
  const caption = byId(`${id}-names`);
  if (caption) caption.textContent = hidden ? "" : names(cards);
}

/** Fills the fans of cards that only decorate. */
export function decorate() {
  for (const fan of document.querySelectorAll("[data-fan]")) {
    const cards = fan.dataset.fan.split(" ");
    fan.replaceChildren(...cards.map((card) => (card === "back" ? back() : face(card))));
  }
}

function element(kind, text) {
  const made = document.createElement(kind);
  made.textContent = text;
  return made;
}

