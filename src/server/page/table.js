// The page of the card table: the line to the server, the state that it shows, and what
// the player does.

import { names } from "./cards.js";
import { Connection, random } from "./connection.js";
import { check } from "./fair.js";
import { apply, free } from "./state.js";
import * as storage from "./storage.js";
import * as view from "./view.js";
import { LANGS, language, load, preferred, say, speak } from "./words.js";

/** The seconds left at which a screen reader says so. */
const TOLD_SECONDS = [20, 10, 5];
/** What a screen reader says about a line that is not there, once. */
const LINES_TOLD = { lost: "link-lost-told", crowded: "link-crowded-told" };
const MODIFIERS = ["Shift", "Control", "Alt", "AltGraph", "Meta"];
/** When the result of a deadline is this late, the line is taken for dead. */
const LATE_MS = 5_000;
const ASLEEP_MS = 60_000;
/** Nobody has seen new cards sooner than this. */
const EARLY_MS = 500;
/** What the player need not hear: the game went on before the table heard of it. */
const UNTOLD = ["seed", "cancel"];
/** The most characters of a name, counted as the server does: as Unicode's, not as UTF-16. */
const LONGEST_NAME = 32;

let me = storage.person();
let state = free(me?.settled ?? 0, null);
let connection = null;
let line = { state: "none" };
let error = null;
/** Whether the keys for a decision are on. */
let keys = storage.keys();
/** The key of what is wrong with taking a seat. */
let warning = null;
let verdict = { good: false, checks: [] };
/** The server's clock is ahead of this one by so many milliseconds. */
let ahead = 0;
/** The stage that was shown last, with its deal: another one is announced and focused. */
let shown = "";
let toldSeconds = Infinity;
/** The key of what a screen reader said about a line that is not there. */
let lineTold = null;
let hiddenSince = Infinity;
/** Until when the cards are too new to decide, by the clock of `performance`. */
let earlyUntil = 0;
/** Whether the page knows where the player is, so that there is something to show. */
let arrived = false;

await load();
view.loaded();
speak(preferred([storage.lang() ?? "", ...navigator.languages]));
view.decorate();
listen();
if (me) connect();
show();
setInterval(tick, 200);

/**
 * Shows the state as it is now. The model: `stage`, `state`, the player's `name`, the
 * `line` to the server, an `error` text of the server, the `warning` on taking a seat,
 * the game that is `wanted` and whether that is `unheard` at the table, whether the page is
 * `asking` for a game, `withdrawing` from one or `sending` a decision, whether it is too
 * `early` for one, the `verdict` on the deals, and whether the `keys` for a decision are on.
 */
function show() {
  const stage = stageShown();
  const now = `${stage} ${state.game?.id} ${state.game?.hands.length}`;
  if (now !== shown && stage === "deciding") beginEarly();
  const asks = (type) => connection?.awaits(type) ?? false;
  view.render({
    stage,
    state,
    name: me?.name ?? "",
    line,
    error,
    warning,
    wanted: connection?.awaited("choose")?.game ?? state.kind,
    unheard: asks("choose"),
    asking: asks("choose") || asks("cancel"),
    withdrawing: asks("cancel"),
    sending: asks("decide"),
    early: isEarly(),
    verdict,
    keys,
  });
  if (stage === "deciding") view.clock(left(), me.given);
  if (now === shown) return;
  const first = shown === "";
  shown = now;
  if (!first) view.focus();
  announce(stage);
}

/** Who asks for a game while the line is lost waits already, and may stop. */
function stageShown() {
  if (!arrived) return me?.token ? "arriving" : "join";
  const unheard = line.state !== "open" && connection?.awaits("choose");
  return unheard ? "waiting" : state.stage;
}

/** Cards that were just dealt have to be seen before there is anything to decide. */
function beginEarly() {
  earlyUntil = performance.now() + EARLY_MS;
  setTimeout(show, EARLY_MS + 1);
}

function isEarly() {
  return performance.now() < earlyUntil;
}

function announce(stage) {
  toldSeconds = Infinity;
  if (stage !== "deciding") {
    view.tell(stage === "result" ? view.outcome() : "");
    return;
  }
  const seconds = say("seconds", { n: Math.max(1, Math.round(left() / 1000)) });
  view.tell(say("dealt-told", { cards: names(state.game.hands.at(-1)), seconds }));
}

function connect() {
  error = null;
  connection = new Connection({ ...me, lang: language() }, me.settled, {
    link: linked,
    welcome: welcomed,
    message: received,
    error: refused,
    ready,
    forgotten: () => {
      state = free(0, null);
    },
  });
}

function linked(now) {
  line = now;
  const key = LINES_TOLD[now.state];
  if (key && key !== lineTold) {
    lineTold = key;
    view.tell(say(key));
  }
  if (now.state === "open" && lineTold) {
    lineTold = null;
    view.tell(say("link-back"));
  }
  if (now.state !== "open") show();
}

function welcomed({ token, balance, now_ms }) {
  ahead = now_ms - Date.now();
  warning = null;
  me = { ...me, token };
  if (state.balance === null) state = { ...state, balance };
  remember();
}

function received(message) {
  state = apply(state, message);
  if (message.type === "result") examine(state);
  if (message.type === "dealt" || message.type === "redealt") {
    me.given = Math.max(left(), me.given ?? 0);
  }
  if (line.state === "open") {
    error = null;
    afterwards();
  }
}

/** All that was missed is there: what the page owes the server can be known. */
function ready() {
  arrived = true;
  afterwards();
}

function afterwards() {
  const waits = state.stage === "starting" && state.game.seed === null;
  if (waits && !connection.awaits("seed")) connection.ask("seed", { value: random(16) });
  remember();
  show();
}

function examine({ game, result }) {
  const checks = check(game, result);
  verdict = { good: checks.every(({ right }) => right), checks };
}

function refused({ code, message }, request) {
  if (request?.type === "hello") {
    standUp(code);
  } else if (!UNTOLD.includes(request?.type)) {
    error = message;
  }
  show();
}

/** A player who can't be greeted is not at the table: an unknown token, or a bad name. */
function standUp(code) {
  const warnings = { unknown_token: "join-unknown", bad_message: "join-refused" };
  warning = warnings[code] ?? null;
  connection.close();
  connection = null;
  line = { state: "none" };
  if (code === "unknown_token") storage.forget();
  me = null;
  arrived = false;
  state = free(0, null);
}

function remember() {
  me.settled = state.settled;
  storage.keep(me);
}

function left() {
  return state.game.deadline - (Date.now() + ahead);
}

function tick() {
  if (line.until) view.link({ line });
  if (state.stage === "decided" && left() < -LATE_MS) hurry();
  if (state.stage !== "deciding") return;
  view.clock(left(), me.given);
  const seconds = Math.ceil(left() / 1000);
  const next = TOLD_SECONDS.filter((at) => at < toldSeconds && seconds <= at).at(-1);
  if (next !== undefined) {
    toldSeconds = next;
    if (seconds === next) view.tell(say("left-told", { seconds: say("seconds", { n: seconds }) }));
  }
  if (left() < -LATE_MS) hurry();
}

/** A line that should have reported a deadline is opened again, once for each. */
function hurry() {
  if (line.state !== "open" || state.game.hurried) return;
  state = { ...state, game: { ...state.game, hurried: true } };
  connection.open();
}

function ask(type, fields) {
  error = null;
  connection.ask(type, fields);
  show();
}

function choose(kind) {
  if (!connection.awaits("choose")) ask("choose", { game: kind });
}

function decide(decision) {
  if (state.stage !== "deciding" || isEarly() || connection.awaits("decide")) return;
  ask("decide", { decision });
}

function cancel() {
  if (stageShown() !== "waiting" || connection.awaits("cancel")) return;
  const waits = state.stage === "waiting";
  if (connection.withdraw("choose") || waits) ask("cancel");
  else show();
}

/** Leaves the result behind, for good. */
function leave() {
  state = free(state.result.seq, state.balance);
  remember();
  show();
}

function sit(event) {
  event.preventDefault();
  const name = event.target.elements.name.value.trim().normalize("NFC");
  if (!name || connection) return;
  if ([...name].length > LONGEST_NAME) {
    warning = "join-refused";
    show();
    return;
  }
  me = { name, settled: 0 };
  state = free(0, null);
  connect();
}

function listen() {
  const on = (id, act) => document.getElementById(id).addEventListener("click", act);
  document.getElementById("join").addEventListener("submit", sit);
  on("play", () => decide("play"));
  on("fold", () => decide("fold"));
  on("cancel", cancel);
  on("again", () => choose(state.kind));
  on("another", leave);
  on("link-now", () => connection.open());
  on("dismiss", () => {
    error = null;
    show();
  });
  for (const button of document.querySelectorAll("[data-game]")) {
    button.addEventListener("click", () => choose(button.dataset.game));
  }
  for (const button of document.querySelectorAll("[data-lang]")) {
    button.addEventListener("click", () => use(button.dataset.lang));
  }
  for (const box of document.querySelectorAll("[data-keys]")) {
    box.addEventListener("change", () => switchKeys(box.checked));
  }
  document.addEventListener("keydown", pressed);
  window.addEventListener("online", () => connection?.open());
  document.addEventListener("visibilitychange", seen);
}

/** A line of a page that nobody saw for long, as on a computer that slept, may be dead. */
function seen() {
  if (document.hidden) {
    hiddenSince = Date.now();
  } else if (line.state === "lost" || Date.now() - hiddenSince > ASLEEP_MS) {
    connection?.open();
  }
}

function use(lang) {
  if (lang === language() || !LANGS.includes(lang)) return;
  storage.keepLang(lang);
  speak(lang);
  view.decorate();
  connection?.speak(lang);
  show();
}

function switchKeys(on) {
  keys = on;
  storage.keepKeys(on);
  show();
}

/** Nobody decides by a key that was meant for something else, or held too long. */
function pressed(event) {
  const { key, repeat, target } = event;
  const modified = MODIFIERS.some((modifier) => event.getModifierState(modifier));
  if (repeat || modified || target instanceof HTMLInputElement) return;
  if (key === "Escape") cancel();
  if (!keys) return;
  const typed = (word) => key.toUpperCase() === word;
  if (typed(say("key-play"))) decide("play");
  if (typed(say("key-fold"))) decide("fold");
}
