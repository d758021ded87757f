// The page of the card table: the line to the server, the state that it shows, and what
// the player does.

import { names } from "./card-names.js";
import { Connection, random } from "./connection.js";
import { listen } from "./controls.js";
import { decorate, named } from "./dom.js";
import { highestFirst } from "./games.js";
import * as logbook from "./logbook.js";
import { Referee } from "./referee.js";
import * as seeds from "./seeds.js";
import { apply, free } from "./state.js";
import * as storage from "./storage.js";
import * as view from "./view.js";
import { clock } from "./view-game.js";
import { copy, number } from "./view-log.js";
import { LANGS, language, load, preferred, say, speak } from "./words.js";

/** The seconds left at which a screen reader says so. */
const TOLD_SECONDS = [20, 10, 5];
/** What a screen reader says about a line that is not there, once. */
const LINES_TOLD = { lost: "link-lost-told", crowded: "link-crowded-told" };
/** When the result of a deadline is this late, the line is taken for dead. */
const LATE_MS = 5_000;
/** A seed that is sent with less time left may come too late. */
const ROUND_TRIP_MS = 1_000;
/** Nobody has seen new cards sooner than this. */
const EARLY_MS = 500;
/** What the player need not hear: the game went on before the table heard of it. */
const UNTOLD = ["seed", "cancel"];
/** The most characters of a name, counted as the server does: as Unicode's, not as UTF-16. */
const LONGEST_NAME = 32;
const TOKEN_BYTES = 32;

let me = storage.person();
let state = free(me?.settled ?? 0, me?.balance ?? null);
let connection = null;
let line = { state: "none" };
/** What the table said of a request, as `text`, or what the page says, by its `key`. */
let error = null;
/** Whether the keys for a decision are on. */
let keys = storage.keys();
/** The key of what is wrong with taking a seat. */
let warning = null;
/** The stage that was shown last, with its deal: another one is announced and focused. */
let shown = "";
let toldSeconds = Infinity;
/** The key of what a screen reader said about a line that is not there. */
let lineTold = null;
/** Until when the cards are too new to decide, by the clock of `performance`. */
let earlyUntil = 0;
/** Whether the page knows where the player is, so that there is something to show. */
let arrived = false;
/** The game whose seed is being opened. */
let opening = null;

await load();
view.loaded();
speak(preferred([storage.lang() ?? "", ...navigator.languages]));
decorate();
const referee = new Referee(() => show());
listen({
  sit, choose, decide, cancel, leave, use, switchKeys, copy,
  again: () => choose(state.kind),
  keys: () => keys,
  connect: () => (line.state === "old" ? location.reload() : connection?.open()),
  open: number,
  back: (asleep) => {
    if (line.state === "lost" || asleep) connection?.open();
  },
  seen: () => {
    logbook.accept();
    connection?.open();
    show();
  },
  dismiss: () => {
    error = null;
    show();
  },
});
if (me) connect();
show();
setInterval(tick, 200);

/**
 * Shows the state as it is now. The model: `stage`, `state`, the player's `name` and number,
 * the `line` to the server, an `error` of a request, the `warning` on taking a seat,
 * the game that is `wanted` and whether that is `unheard` at the table, whether the page is
 * `asking` for a game, `withdrawing` from one or `sending` a decision, whether it is too
 * `early` for one, the `verdict` on the result, what is `wrong` by the player's own knowledge,
 * and whether the `keys` for a decision are on.
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
    player: me?.player,
    line,
    error,
    warning,
    wanted: connection?.awaited("choose")?.game ?? state.kind,
    unheard: asks("choose"),
    asking: asks("choose") || asks("cancel"),
    withdrawing: asks("cancel"),
    sending: asks("decide"),
    early: isEarly(),
    verdict: referee.verdict,
    wrong: referee.wrong(stage),
    keys,
  });
  if (stage === "deciding") clock(left(), me.given);
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
  view.tell(say("dealt-told", { cards: names(highestFirst(state.game.hands.at(-1))), seconds }));
}

function connect() {
  error = null;
  connection = new Connection({ ...me, lang: language() }, me.settled, {
    link: linked,
    welcome: welcomed,
    message: received,
    error: refused,
    ready,
    resync: ({ seq, balance }) => {
      state = free(seq, balance);
      me = { ...me, balance };
      referee.forget();
    },
    forgotten: () => {
      state = free(0, null);
      me = { ...me, player: null };
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

/** A table that gives another number to the player who came before has forgotten them. */
function welcomed(welcome) {
  const { player, balance, seq, name = me.name } = welcome;
  const forgotten = me.player !== undefined && me.player !== player;
  warning = null;
  if (forgotten) {
    error = { key: "forgotten", values: { player: String(player) } };
    state = free(0, balance);
    referee.forget();
  }
  const first = forgotten || (me.balance === undefined && me.settled === seq);
  me = { ...me, name, player, welcome, welcomed: performance.now(), balance: first ? balance : me.balance };
  if (state.balance === null) state = { ...state, balance };
  remember();
}

function received(message) {
  referee.hear(message, me);
  state = apply(state, { ...message, left_ms: leftBy(message) }, performance.now());
  if (["result", "adjusted"].includes(message.type)) me.balance = message.balance;
  if (message.type === "dealt" || message.type === "redealt") {
    me.given = Math.max(left(), me.given ?? 0);
  }
  if (line.state !== "open") return;
  error = said(message);
  if (message.type === "opponent_decided") {
    view.tell(say("they-decided", { opponent: named(state.game.opponent) }));
  }
  afterwards();
}

/** What the page has to say of a message besides what it shows. */
function said({ type, tokens, reason }) {
  if (type === "draining") return { key: "draining" };
  if (type !== "adjusted") return null;
  const key = tokens > 0 ? "adjusted-given" : "adjusted-taken";
  return { key, values: { tokens: say("tokens", { n: Math.abs(tokens) }), reason } };
}

/** A message that comes again says how much time was left when it came first. */
function leftBy({ left_ms, deadline_ms }) {
  if (line.state === "open") return left_ms;
  const { welcome, welcomed } = me;
  return Math.min(left_ms, deadline_ms - welcome.now_ms - (performance.now() - welcomed));
}

/** All that was missed is there: what the page owes the server can be known. */
function ready() {
  arrived = true;
  referee.welcomed(me.welcome, me.balance ?? null);
  me.balance = me.welcome.balance;
  afterwards();
}

function afterwards() {
  openSeed();
  remember();
  show();
}

/** Opens the seed, where the game has started as it should; nobody sends it twice. */
async function openSeed() {
  const { stage, game } = state;
  if (stage !== "starting" || game.seeded || opening === game.id || connection.awaits("seed")) return;
  opening = game.id;
  const value = await referee.seed();
  opening = null;
  const starts = state.stage === "starting" && state.game.id === game.id;
  if (value !== null && starts && connection) {
    referee.opens(left() - ROUND_TRIP_MS);
    connection.ask("seed", { game_id: game.id, value });
  }
  show();
}

function refused({ code, message }, request) {
  if (request?.type === "hello") {
    notGreeted(code, message);
  } else if (!UNTOLD.includes(request?.type)) {
    error = { text: message };
  }
  show();
}

function notGreeted(code, message) {
  if (code === "bad_message") {
    standUp();
  } else if (code === "banned") {
    standUp();
    warning = null;
    error = { text: message };
  } else if (code === "old_protocol") {
    connection.close();
    line = { state: "old" };
  } else {
    error = { text: message };
  }
}

/** A player whose name is refused is not at the table. */
function standUp() {
  warning = "join-refused";
  connection.close();
  connection = null;
  line = { state: "none" };
  me = null;
  arrived = false;
  state = free(0, null);
}

function remember() {
  me.settled = state.settled;
  storage.keep(me);
}

function left() {
  return state.game.deadline - performance.now();
}

function tick() {
  if (line.until) view.link({ line });
  if (["starting", "deciding", "decided"].includes(state.stage) && left() < -LATE_MS) hurry();
  if (state.stage !== "deciding") return;
  clock(left(), me.given);
  const seconds = Math.ceil(left() / 1000);
  const next = TOLD_SECONDS.filter((at) => at < toldSeconds && seconds <= at).at(-1);
  if (next !== undefined) {
    toldSeconds = next;
    if (seconds === next) view.tell(say("left-told", { seconds: say("seconds", { n: seconds }) }));
  }
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
  if (!connection.awaits("choose")) ask("choose", { game: kind, seed_hash: seeds.draw() });
}

function decide(decision) {
  if (state.stage !== "deciding" || isEarly() || connection.awaits("decide")) return;
  const { id, hands } = state.game;
  referee.decides(hands.length, decision);
  ask("decide", { game_id: id, deal: hands.length, decision });
}

function cancel() {
  if (stageShown() !== "waiting" || connection.awaits("cancel")) return;
  const game = connection.awaited("choose")?.game ?? state.kind;
  const waits = state.stage === "waiting";
  if (connection.withdraw("choose") || waits) ask("cancel", { game });
  else show();
}

/** Leaves the result behind, for good. */
function leave() {
  state = free(state.result.seq, state.balance);
  remember();
  show();
}

/** Takes a seat: the secret by which the table knows the player is drawn and kept first. */
function sit(name) {
  if (!name || connection) return;
  if ([...name].length > LONGEST_NAME) {
    warning = "join-refused";
    show();
    return;
  }
  me = { token: random(TOKEN_BYTES), settled: 0, ...storage.person(), name };
  storage.keep(me);
  state = free(me.settled, me.balance ?? null);
  connect();
}

function use(lang) {
  if (lang === language() || !LANGS.includes(lang)) return;
  storage.keepLang(lang);
  speak(lang);
  decorate();
  connection?.speak(lang);
  show();
}

function switchKeys(on) {
  keys = on;
  storage.keepKeys(on);
  show();
}
