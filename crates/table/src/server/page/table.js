// The page of the card table: starts it, and shows its state.

import { acts } from "./controllers/actions.js";
import { call } from "./widgets/alerts.js";
import { Announcer } from "./widgets/announcer.js";
import { listen } from "./controllers/input.js";
import { decorate } from "./widgets/dom.js";
import { hear } from "./controllers/connection-listener.js";
import { arrive, follow } from "./controllers/router.js";
import { Referee } from "./fairness/referee.js";
import { free } from "./state/reducer.js";
import * as storage from "./state/storage.js";
import { isEarly, left, now, stageShown } from "./state/store.js";
import * as view from "./views/page.js";
import { clock } from "./views/game.js";
import { look } from "./controllers/spectator.js";
import { load, preferred, speak } from "./widgets/words.js";

/** @import { Asked, Lang } from "./types.js" */

/** When the result of a deadline is this late, the line is taken for dead. */
const LATE_MS = 5_000;
/** Nobody has seen what is new sooner than this. */
const EARLY_MS = 500;
/** How often people are counted. */
const COUNT_MS = 5_000;
/** How often the clocks are shown anew. */
const TICK_MS = 200;

await start();

/** Starts the page, when there are words for it. */
async function start() {
  const announcer = new Announcer();
  const show = () => render(referee, announcer, show);
  const referee = new Referee(show);
  const act = acts(referee, show, hear(referee, announcer, show));
  remembered();
  const wanted = preferred([storage.lang() ?? "", ...navigator.languages]);
  await load(wanted, (/** @type {Lang} */ lang) => act.use(lang));
  view.loaded();
  speak(wanted);
  decorate();
  listen(act);
  act.readAddress();
  if (now.me) act.connect();
  show();
  setInterval(() => tick(announcer, show), TICK_MS);
}

/** Begins with what the browser kept. */
function remembered() {
  now.me = storage.person();
  now.state = free(now.me?.settled ?? 0, now.me?.balance ?? null);
  now.keys = storage.keys();
  now.calm = storage.calm();
  now.watchable = storage.watchable();
  now.alerts = storage.alerts();
  arrive();
}

/**
 * Shows the state as it is now.
 *
 * @param {Referee} referee
 * @param {Announcer} announcer
 * @param {() => void} show
 */
function render(referee, announcer, show) {
  const { me, state, line, error, warning, keys, peeked, connection, invited, people, past } = now;
  const stage = stageShown();
  const shown = `${stage} ${state.game?.id} ${state.game?.hands.length}`;
  const [before, placeBefore] = [now.shown, now.place];
  now.shown = shown;
  follow(stage, shown !== before, ["", "arriving", "join"].includes(before.split(" ")[0]));
  now.place = `${now.page} ${shown}`;
  const moved = now.place !== placeBefore;
  if (moved && (placeBefore !== "" || stage === "deciding")) beginEarly(show);
  const asks = (/** @type {Asked["type"]} */ type) => connection?.awaits(type) ?? false;
  view.render({
    page: now.page,
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
    calm: now.calm,
    alerts: now.alerts,
    key: now.keyShown ? (me?.token ?? null) : null,
    leaving: now.leaving,
    keys,
    peeked,
    guided: storage.guided(),
    invited,
    offered: now.offered,
    people,
    past,
    watched: now.watched,
    watchable: now.watchable,
  });
  if (["deciding", "decided"].includes(stage)) clock(left(), me?.given);
  if (moved && placeBefore !== "") view.focus();
  if (shown === before) return;
  if (before !== "") call(stage, state);
  announcer.stage(stage, state, stage === "deciding" ? left() : 0);
}

/**
 * What was just shown has to be seen before there is anything to answer.
 *
 * @param {() => void} show
 */
function beginEarly(show) {
  now.earlyUntil = performance.now() + EARLY_MS;
  setTimeout(show, EARLY_MS + 1);
}

/**
 * Time goes by.
 *
 * @param {Announcer} announcer
 * @param {() => void} show
 */
function tick(announcer, show) {
  const { line, state } = now;
  if (line.until) view.link(line);
  count();
  look();
  if (line.state === "lost" && now.connection?.expire()) show();
  if (["starting", "deciding", "decided"].includes(state.stage) && left() < -LATE_MS) hurry();
  if (!["deciding", "decided"].includes(state.stage)) return;
  clock(left(), now.me?.given);
  if (state.stage === "deciding") announcer.time(left());
}

/** Asks how many people are here, as long as somebody looks and does not play. */
function count() {
  const idle = ["lobby", "waiting"].includes(stageShown()) && !document.hidden;
  if (!idle || performance.now() - now.counted < COUNT_MS) return;
  now.counted = performance.now();
  now.connection?.count();
}

/** A line that should have reported a deadline is opened again, once for each. */
function hurry() {
  const { line, state } = now;
  if (line.state !== "open" || state.game === null || state.game.hurried) return;
  now.state = { ...state, game: { ...state.game, hurried: true } };
  now.connection?.open();
}
