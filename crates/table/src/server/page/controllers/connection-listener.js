// Reactions of the page to the events of its connection.

import { idleState, reduce } from "../state/reducer.js";
import * as storage from "../state/storage.js";
import { store, timeLeft } from "../state/store.js";
import { say } from "../widgets/words.js";
import * as friends from "./friends.js";
import { queryPage, receiveQueryResult, refreshLadder } from "./history.js";
import { goToPage } from "./router.js";

/**
 * @import { Referee } from "../fairness/referee.js"
 * @import { ConnectionListener, ConnectionStatus, MessageOf, Notice, NumberedMessage, QueuedRequest } from "../types.js"
 * @import { Announcer } from "../widgets/announcer.js"
 */

/** Remaining time below which a seed may arrive too late. */
const ROUND_TRIP_MS = 1_000;
/**
 * Requests whose errors are not shown: such errors mean that the game went on before the server
 * received the request.
 */
const SILENT_REQUESTS = ["seed", "cancel"];

/**
 * Creates a listener that updates the store, the page, `referee` and `announcer`.
 *
 * @param {Referee} referee
 * @param {Announcer} announcer
 * @param {() => void} render
 * @returns {ConnectionListener}
 */
export function createConnectionListener(referee, announcer, render) {
  /** @param {ConnectionStatus} status */
  function setStatus(status) {
    store.connectionStatus = { ...status, offline: store.isOffline };
    if (status.state === "trying") store.connectedSince = { date: Date.now(), time: performance.now() };
    announcer.announceConnection(status.state);
    if (status.state !== "open") render();
  }

  /** @param {MessageOf<"welcome">} welcome */
  function handleWelcome(welcome) {
    const { profile } = store;
    if (profile === null) return;
    const { player, balance, seq, name = profile.name, watchable = store.isWatchable } = welcome;
    // A server that assigns another number to a known player has lost the player.
    const isLost = profile.player !== undefined && profile.player !== player;
    store.joinWarning = null;
    if (isLost) {
      store.error = { key: "forgotten", values: { player: String(player) } };
      store.state = idleState(0, balance);
      referee.reset();
    }
    referee.handleWelcome(welcome);
    const isNew = isLost || (profile.balance === undefined && profile.settled === seq);
    const known = isNew ? balance : profile.balance;
    store.profile = { ...profile, name, player, welcome, welcomedAt: performance.now(), balance: known };
    if (isNew) store.profile.balanceSeq = seq;
    if (store.state.balance === null) store.state = { ...store.state, balance };
    saveSettings(name, watchable);
    storage.saveProgress();
  }

  /** @param {MessageOf<"settings">} message */
  function handleSettings({ name, watchable }) {
    if (store.profile) store.profile.name = name;
    saveSettings(name, watchable);
    render();
  }

  /** @param {NumberedMessage} message */
  function handleMessage(message) {
    const { profile, connectionStatus } = store;
    if (profile === null) return;
    const timed = withElapsedTime(message);
    referee.handleMessage(message, profile);
    if (timed.type === "started") store.startDelay = longestDelay(timed);
    store.state = reduce(store.state, timed, performance.now());
    if (message.type === "result" || message.type === "adjusted")
      Object.assign(profile, { balance: message.balance, balanceSeq: message.seq });
    if (message.type === "started") Object.assign(store, { isOfferDue: false, score: null });
    if (message.type === "started") friends.startGame();
    if (message.type === "result") store.isOfferDue = !storage.hasFinishedGame();
    if (message.type === "dealt" || message.type === "redealt")
      profile.given = Math.max(timeLeft(), profile.given ?? 0);
    if (connectionStatus.state !== "open") return;
    store.error = noticeOf(message);
    if (message.type === "opponent_decided" && store.state.game)
      announcer.announceOpponentDecision(store.state.game);
    if (message.type === "result" && friends.isFriendGame()) friends.finishFriendGame();
    if (message.type === "result") refreshLadder();
    finish();
  }

  /**
   * Handles the arrival of the last missed message: only now is it known whether a seed has to be
   * revealed.
   */
  function handleReady() {
    const { profile } = store;
    store.isSynced = true;
    if (profile?.welcome) {
      referee.handleReady(profile.welcome, profile.balance ?? null);
      Object.assign(profile, { balance: profile.welcome.balance, balanceSeq: profile.welcome.seq });
    }
    // A confirmed deletion is unanswered: either the request or its answer was lost, so the request
    // is sent again.
    if (store.deletion === "confirmed") store.connection?.deletePlayer();
    friends.resumeFriend();
    friends.queryScore();
    queryPage();
    finish();
  }

  function finish() {
    revealSeed();
    storage.saveProgress();
    render();
  }

  /** Reveals the player's seed once, if the game started correctly. */
  async function revealSeed() {
    const { stage, game } = store.state;
    if (
      stage !== "starting" ||
      game.isSeeded ||
      store.revealingGame === game.id ||
      store.connection?.isPending("seed")
    )
      return;
    store.revealingGame = game.id;
    const value = await referee.seedToReveal();
    store.revealingGame = null;
    const isStarting = store.state.stage === "starting" && store.state.game.id === game.id;
    if (value !== null && isStarting && store.connection) {
      referee.recordReveal(timeLeft() - store.startDelay - ROUND_TRIP_MS);
      store.connection.request("seed", { game_id: game.id, value });
    }
    render();
  }

  /**
   * @param {MessageOf<"error">} error
   * @param {QueuedRequest | { type: "hello" | "forget" } | undefined} request
   */
  function handleError(error, request) {
    if (request?.type === "settings" && error.code === "bad_message") {
      store.error = { key: "join-refused" };
    } else if (request?.type === "hello" && error.code === "forgotten" && store.deletion === "confirmed") {
      // The answer to the request was lost.
      handleDeletion();
    } else if (request?.type === "hello") {
      handleHelloError(error);
    } else if (request?.type === "choose" && error.code === "no_link") {
      store.error = store.friend?.isInviter ? null : { text: error.message };
      friends.handleGoneLink();
    } else if (request?.type === "forget") {
      store.deletion = "none";
      store.error = { text: error.message };
    } else if (!request || !SILENT_REQUESTS.includes(request.type)) {
      store.error = { text: error.message };
    }
    render();
  }

  function handleDeletion() {
    store.connection?.close();
    storage.clear();
    location.assign(".");
  }

  return {
    status: setStatus,
    welcome: handleWelcome,
    message: handleMessage,
    people: (message) => {
      store.people = message;
      render();
    },
    queryResult: (message) => {
      receiveQueryResult(message);
      render();
    },
    error: handleError,
    ready: handleReady,
    resync: ({ seq, balance }) => {
      store.state = idleState(seq, balance);
      if (store.profile) store.profile = { ...store.profile, balance, balanceSeq: seq };
      referee.reset();
    },
    messagesLost: () => {
      store.state = idleState(0, null);
      if (store.profile) store.profile = { ...store.profile, player: null };
    },
    settings: handleSettings,
    links: (message) => {
      friends.receiveLinks(message);
      render();
    },
    friend: (message) => {
      friends.receivePresence(message);
      render();
    },
    playerDeleted: handleDeletion,
    requestExpired: () => {
      store.error = { key: "request-old" };
    },
  };
}

/**
 * Returns the notice about a message, or `null`.
 *
 * @param {NumberedMessage} message
 * @returns {Notice | null}
 */
function noticeOf(message) {
  if (message.type === "draining") return { key: "draining" };
  if (message.type !== "adjusted") return null;
  const { tokens, reason } = message;
  const key = tokens > 0 ? "adjusted-given" : "adjusted-taken";
  return { key, values: { tokens: say("tokens", { n: Math.abs(tokens) }), reason } };
}

/**
 * Corrects the remaining time of a repeated message, which contains the time left when it was first
 * sent.
 *
 * @param {NumberedMessage} message
 * @returns {NumberedMessage}
 */
function withElapsedTime(message) {
  if (!("left_ms" in message) || store.connectionStatus.state === "open" || !store.profile?.welcome)
    return message;
  const { welcome, welcomedAt = 0 } = store.profile;
  const left = message.deadline_ms - welcome.now_ms - (performance.now() - welcomedAt);
  return { ...message, left_ms: Math.min(message.left_ms, left) };
}

/**
 * Returns the longest time that a start can have taken from the server to this page, which may have
 * slept. The server's clock is known since the connection was opened. A clock of the browser may
 * stand still while the device sleeps, and another may be set.
 *
 * @param {MessageOf<"started">} message
 */
function longestDelay({ deadline_ms: deadline, left_ms: left }) {
  const welcome = store.profile?.welcome;
  if (!welcome) return Infinity;
  const { date, time } = store.connectedSince;
  const passed = Math.max(Date.now() - date, performance.now() - time);
  return Math.max(0, left - (deadline - welcome.now_ms - passed));
}

/** @param {MessageOf<"error">} error */
function handleHelloError({ code, message }) {
  if (code === "bad_message") {
    resetToJoin();
  } else if (code === "banned" || code === "forgotten") {
    resetToJoin();
    if (code === "forgotten") storage.clear();
    store.joinWarning = null;
    store.error = { text: message };
  } else if (code === "old_protocol") {
    store.connection?.close();
    store.connectionStatus = { state: "old" };
  } else {
    store.error = { text: message };
  }
}

/**
 * Saves settings that the table states, unless a later change is on its way.
 *
 * @param {string} name
 * @param {boolean} watchable
 */
function saveSettings(name, watchable) {
  storage.saveName(name);
  if (store.connection?.isPending("settings")) return;
  store.isWatchable = watchable;
  storage.saveWatchable(watchable);
}

/** Returns to the join form: a player whose name is refused is not at the table. */
function resetToJoin() {
  store.connection?.close();
  store.joinWarning = "join-refused";
  store.connection = null;
  store.connectionStatus = { state: "none" };
  store.profile = null;
  store.isSynced = false;
  store.state = idleState(0, null);
  goToPage("home", true);
}
