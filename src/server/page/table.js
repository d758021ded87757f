// The page of the card table: what the line to the server tells, and the state that it shows.

import { acts } from "./acts.js";
import { Announcer } from "./announcer.js";
import { listen } from "./controls.js";
import { decorate } from "./dom.js";
import { Referee } from "./referee.js";
import { apply, free } from "./state.js";
import * as storage from "./storage.js";
import { isEarly, left, now, remember, stageShown } from "./store.js";
import * as view from "./view.js";
import { clock } from "./view-game.js";
import { load, preferred, say, speak } from "./words.js";

/** When the result of a deadline is this late, the line is taken for dead. */
const LATE_MS = 5_000;
/** A seed that is sent with less time left may come too late. */
const ROUND_TRIP_MS = 1_000;
/** Nobody has seen what is new sooner than this. */
const EARLY_MS = 500;
/** What the player need not hear: the game went on before the table heard of it. */
const UNTOLD = ["seed", "cancel"];

const wanted = preferred([storage.lang() ?? "", ...navigator.languages]);
await load(wanted, (lang) => act.use(lang));
view.loaded();
speak(wanted);
decorate();
const announcer = new Announcer();
const referee = new Referee(() => show());
const act = acts(referee, show, {
  link: linked,
  welcome: welcomed,
  message: received,
  error: refused,
  ready,
  resync: ({ seq, balance }) => {
    now.state = free(seq, balance);
    now.me = { ...now.me, balance };
    referee.forget();
  },
  forgotten: () => {
    now.state = free(0, null);
    now.me = { ...now.me, player: null };
  },
  expired: () => {
    now.error = { key: "request-old" };
  },
});
listen(act);
if (now.me) act.connect();
show();
setInterval(tick, 200);

/**
 * Shows the state as it is now. The model: `stage`, `state`, the player's `name` and number,
 * the `line` to the server, an `error` of a request, the `warning` on taking a seat,
 * the game that is `wanted` and whether that is `unheard` at the table, whether the page is
 * `asking` for a game, `withdrawing` from one or `sending` a decision, whether what is shown is
 * too `early` to answer, the `verdict` on the result, what is `wrong` by the player's own
 * knowledge, whether the `keys` for a decision are on, and the game whose folded cards the
 * player has `peeked` at; `guided` are those who have finished a game.
 */
function show() {
  const { me, state, line, error, warning, keys, peeked, connection } = now;
  const stage = stageShown();
  const shown = `${stage} ${state.game?.id} ${state.game?.hands.length}`;
  const before = now.shown;
  now.shown = shown;
  if (shown !== before && (before !== "" || stage === "deciding")) beginEarly();
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
    peeked,
    guided: storage.guided(),
  });
  if (["deciding", "decided"].includes(stage)) clock(left(), me.given);
  if (shown === before) return;
  if (before !== "") view.focus();
  announcer.stage(stage, state, stage === "deciding" ? left() : 0);
}

/** What was just shown has to be seen before there is anything to answer. */
function beginEarly() {
  now.earlyUntil = performance.now() + EARLY_MS;
  setTimeout(show, EARLY_MS + 1);
}

function linked(line) {
  now.line = { ...line, offline: now.offline };
  announcer.line(line.state);
  if (line.state !== "open") show();
}

/** A table that gives another number to the player who came before has forgotten them. */
function welcomed(welcome) {
  const { me } = now;
  const { player, balance, seq, name = me.name } = welcome;
  const forgotten = me.player !== undefined && me.player !== player;
  now.warning = null;
  if (forgotten) {
    now.error = { key: "forgotten", values: { player: String(player) } };
    now.state = free(0, balance);
    referee.forget();
  }
  const first = forgotten || (me.balance === undefined && me.settled === seq);
  now.me = { ...me, name, player, welcome, welcomed: performance.now(), balance: first ? balance : me.balance };
  if (now.state.balance === null) now.state = { ...now.state, balance };
  remember();
}

function received(message) {
  const { me, line } = now;
  referee.hear(message, me);
  now.state = apply(now.state, { ...message, left_ms: leftBy(message) }, performance.now());
  if (["result", "adjusted"].includes(message.type)) me.balance = message.balance;
  if (message.type === "result") storage.keepGuided();
  if (message.type === "dealt" || message.type === "redealt") {
    me.given = Math.max(left(), me.given ?? 0);
  }
  if (line.state !== "open") return;
  now.error = said(message);
  if (message.type === "opponent_decided") announcer.opponent(now.state.game);
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
  if (now.line.state === "open") return left_ms;
  const { welcome, welcomed } = now.me;
  return Math.min(left_ms, deadline_ms - welcome.now_ms - (performance.now() - welcomed));
}

/** All that was missed is there: what the page owes the server can be known. */
function ready() {
  const { me } = now;
  now.arrived = true;
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
  const { stage, game } = now.state;
  if (stage !== "starting" || game.seeded || now.opening === game.id || now.connection.awaits("seed")) return;
  now.opening = game.id;
  const value = await referee.seed();
  now.opening = null;
  const starts = now.state.stage === "starting" && now.state.game.id === game.id;
  if (value !== null && starts && now.connection) {
    referee.opens(left() - ROUND_TRIP_MS);
    now.connection.ask("seed", { game_id: game.id, value });
  }
  show();
}

function refused({ code, message }, request) {
  if (request?.type === "hello") {
    notGreeted(code, message);
  } else if (!UNTOLD.includes(request?.type)) {
    now.error = { text: message };
  }
  show();
}

function notGreeted(code, message) {
  if (code === "bad_message") {
    standUp();
  } else if (code === "banned") {
    standUp();
    now.warning = null;
    now.error = { text: message };
  } else if (code === "old_protocol") {
    now.connection.close();
    now.line = { state: "old" };
  } else {
    now.error = { text: message };
  }
}

/** A player whose name is refused is not at the table. */
function standUp() {
  now.connection.close();
  Object.assign(now, {
    warning: "join-refused",
    connection: null,
    line: { state: "none" },
    me: null,
    arrived: false,
    state: free(0, null),
  });
}

function tick() {
  const { line, state } = now;
  if (line.until) view.link({ line });
  if (line.state === "lost" && now.connection?.expire()) show();
  if (["starting", "deciding", "decided"].includes(state.stage) && left() < -LATE_MS) hurry();
  if (!["deciding", "decided"].includes(state.stage)) return;
  clock(left(), now.me.given);
  if (state.stage === "deciding") announcer.time(left());
}

/** A line that should have reported a deadline is opened again, once for each. */
function hurry() {
  const { line, state } = now;
  if (line.state !== "open" || state.game.hurried) return;
  now.state = { ...state, game: { ...state.game, hurried: true } };
  now.connection.open();
}
