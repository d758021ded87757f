// Entry point of the card table's page: starts it, renders its state, and drives its clocks.

import { createActions } from "./controllers/actions.js";
import { createConnectionListener } from "./controllers/connection-listener.js";
import { loadDuels } from "./controllers/daily.js";
import { isFriendGame, restoreFriend } from "./controllers/friends.js";
import { loadHandValues } from "./controllers/history.js";
import { listen } from "./controllers/input.js";
import { followStage, readLocation } from "./controllers/router.js";
import { poll } from "./controllers/spectator.js";
import { Referee } from "./fairness/referee.js";
import { idleState } from "./state/reducer.js";
import * as storage from "./state/storage.js";
import { blockInput, isInputBlocked, isTieShown, store, timeLeft, visibleStage } from "./state/store.js";
import { renderClock } from "./views/game.js";
import * as view from "./views/page.js";
import { alertPlayer } from "./widgets/alerts.js";
import { Announcer } from "./widgets/announcer.js";
import { renderFans } from "./widgets/hands.js";
import { preferredLanguage, readTexts } from "./widgets/words.js";

/** @import { QueuedRequest } from "./types.js" */

/** Time after a deadline from which the connection counts as dead, if nothing has arrived. */
const LATE_MS = 5_000;
/** Time for which tied cards are shown before the new ones. */
const TIE_MS = 1_200;
/** Time after a game from which its result is no longer what the player comes back for. */
const RESULT_MS = 300_000;
/** Interval of queries for the number of people. */
const PEOPLE_INTERVAL_MS = 5_000;
/** Interval at which the clocks are rendered. */
const TICK_MS = 200;

start();

/** Starts the page. */
function start() {
  const announcer = new Announcer();
  const update = () => render(referee, announcer, update);
  const referee = new Referee(update);
  const actions = createActions(referee, update, createConnectionListener(referee, announcer, update));
  restore();
  readTexts();
  view.removeLoadingNotice();
  renderFans();
  listen(actions);
  restoreFriend();
  actions.readFragment();
  actions.useLanguage(preferredLanguage([storage.language() ?? "", ...navigator.languages]));
  if (store.profile) actions.connect();
  update();
  setInterval(() => tick(referee, announcer, update), TICK_MS);
}

/** Restores the state that the browser has stored. */
function restore() {
  store.profile = storage.profile();
  store.state = idleState(store.profile?.settled ?? 0, store.profile?.balance ?? null);
  storage.readSettings();
  readLocation();
}

/**
 * Renders the current state.
 *
 * @param {Referee} referee
 * @param {Announcer} announcer
 * @param {() => void} update
 */
function render(referee, announcer, update) {
  const { profile, state, connection } = store;
  const stage = visibleStage();
  const shownStage = `${stage} ${state.game?.id} ${state.game?.hands.length}`;
  const [previousStage, previousView] = [store.shownStage, store.shownView];
  store.shownStage = shownStage;
  const isFirst = ["", "arriving", "join"].includes(previousStage.split(" ")[0]);
  followStage(stage, shownStage !== previousStage, isFirst, isOldResult());
  store.shownView = `${store.page} ${shownStage}`;
  const isNewView = store.shownView !== previousView;
  if (isNewTie(previousStage)) showTie(update);
  else if (isNewView && (previousView !== "" || stage === "deciding")) blockInput(update);
  if (state.result && store.page === "table" && !document.hidden) storage.saveSeenGame(state.result.game_id);
  const isPending = (/** @type {QueuedRequest["type"]} */ type) => connection?.isPending(type) ?? false;
  const isRequestingGame = connection?.isRequestingGame() ?? false;
  view.render({
    page: store.page,
    stage,
    state,
    name: profile?.name ?? "",
    player: profile?.player,
    connectionStatus: store.connectionStatus,
    error: store.error,
    joinWarning: store.joinWarning,
    wanted: connection?.pending("choose")?.game ?? state.kind,
    isRequestingGame,
    isRequesting: isRequestingGame || isPending("cancel"),
    isWithdrawing: isPending("cancel"),
    isSendingDecision: isPending("decide"),
    isInputBlocked: isInputBlocked(),
    isTieShown: isTieShown(),
    isResultSeen: storage.seenGame() === String(state.game?.id),
    isOfferDue: store.isOfferDue,
    verdict: referee.verdict,
    problems: referee.problems(stage),
    isMotionReduced: store.isMotionReduced,
    alerts: store.alerts,
    key: store.isKeyShown ? (profile?.token ?? null) : null,
    deletion: store.deletion,
    hasShortcuts: store.hasShortcuts,
    peekedGame: store.peekedGame,
    hasFinishedGame: storage.hasFinishedGame(),
    friend: store.friend,
    isFriendGame: isFriendGame(),
    whom: storage.matchRequest()?.whom ?? null,
    links: store.links,
    score: store.score,
    offeredKey: store.offeredKey,
    people: store.people,
    gameHistory: store.gameHistory,
    handValues: store.handValues,
    duels: visibleDuels(),
    spectator: store.spectator,
    isWatchable: store.isWatchable,
  });
  if (["deciding", "decided"].includes(stage)) renderClock(timeLeft(), profile?.given);
  if (stage === "result" || ["games", "daily"].includes(store.page)) loadHandValues(update);
  if (isNewView && previousView !== "") view.focusHeading();
  if (shownStage === previousStage) return;
  if (previousStage !== "") alertPlayer(stage, state);
  announcer.announceStage(stage, state, stage === "deciding" ? timeLeft() : 0);
}

/**
 * Returns true if the game has gone from a decision to new cards since the stage rendered before.
 *
 * @param {string} previousStage
 */
function isNewTie(previousStage) {
  const { stage, game } = store.state;
  return stage === "deciding" && previousStage === `decided ${game.id} ${game.hands.length - 1}`;
}

/**
 * Shows the tied cards for a moment.
 *
 * @param {() => void} update
 */
function showTie(update) {
  store.tieShownUntil = performance.now() + TIE_MS;
  blockInput(update, TIE_MS);
  setTimeout(update, TIE_MS + 1);
}

/** Returns the loaded duels with the stored decisions, which another tab may have made. */
function visibleDuels() {
  const find = (/** @type {string | null} */ wanted) =>
    storage.duels().find(({ day }) => day === wanted) ?? null;
  return { ...store.duels, today: find(store.duels.today), last: find(store.duels.last) };
}

/** Returns true if the last game ended a while ago. */
function isOldResult() {
  const { profile, state } = store;
  const age = (profile?.welcome?.now_ms ?? 0) - (state.result?.time_ms ?? 0);
  return state.result !== null && age > RESULT_MS;
}

/**
 * Updates everything that depends on the time.
 *
 * @param {Referee} referee
 * @param {Announcer} announcer
 * @param {() => void} update
 */
function tick(referee, announcer, update) {
  const { connectionStatus, state } = store;
  if (connectionStatus.until) view.renderConnection(connectionStatus);
  pollPeople();
  poll();
  if (store.page === "daily") {
    loadDuels(() => {
      update();
      referee.pollLog();
    });
  }
  if (connectionStatus.state === "lost" && store.connection?.expire()) update();
  if (["starting", "deciding", "decided"].includes(state.stage) && timeLeft() < -LATE_MS) reconnect();
  if (!["deciding", "decided"].includes(state.stage)) return;
  renderClock(timeLeft(), store.profile?.given);
  if (state.stage === "deciding") announcer.announceTime(timeLeft());
}

/** Queries the number of people while the player is looking and not playing. */
function pollPeople() {
  const isIdle = ["lobby", "waiting"].includes(visibleStage()) && !document.hidden;
  if (!isIdle || performance.now() - store.peopleRequestedAt < PEOPLE_INTERVAL_MS) return;
  store.peopleRequestedAt = performance.now();
  store.connection?.queryPeople();
}

/** Reopens the connection if nothing arrived at a deadline, once for each deadline. */
function reconnect() {
  const { connectionStatus, state } = store;
  if (connectionStatus.state !== "open" || state.game === null || state.game.hasReconnected) return;
  store.state = { ...state, game: { ...state.game, hasReconnected: true } };
  store.connection?.open();
}
