// Mutable state of the page, apart from the browser's storage.

import { idleState } from "./reducer.js";

/** @import { Stage, Store } from "../types.js" */

/** Time in which a new view takes no input, as nobody can have read the view yet. */
const INPUT_BLOCK_MS = 500;

/** @type {Store} */
export const store = {
  profile: null,
  state: idleState(0, null),
  connection: null,
  connectionStatus: { state: "none" },
  connectedSince: { date: 0, time: 0 },
  startDelay: 0,
  isOffline: false,
  error: null,
  page: "home",
  shownView: "",
  balanceCounter: { from: 0, to: null, since: 0 },
  isKeyShown: false,
  deletion: "none",
  isMotionReduced: false,
  alerts: { sound: false, tremor: false, notice: false },
  audio: null,
  hasShortcuts: true,
  joinWarning: null,
  shownStage: "",
  inputBlockedUntil: 0,
  tieShownUntil: 0,
  isOfferDue: false,
  isSynced: false,
  peekedGame: null,
  revealingGame: null,
  friend: null,
  links: null,
  score: null,
  offeredKey: null,
  people: null,
  gameHistory: { games: [], before: null, hasMore: false, figures: null, span: "ever", ladder: null },
  handValues: null,
  isLoadingHandValues: false,
  duels: {
    status: "loading",
    today: null,
    last: null,
    opened: {},
    unopened: [],
    loadedOn: null,
    nextAttempt: 0,
  },
  spectator: {
    openGames: [],
    game: 0,
    snapshot: null,
    isLoaded: false,
    requestId: null,
    requestedAt: -Infinity,
  },
  isWatchable: false,
  peopleRequestedAt: -Infinity,
  savedCheckpoint: "",
  words: { catalogues: {}, language: "en" },
  fallbackStorage: new Map(),
};

/** Returns the milliseconds until the current game's deadline. */
export function timeLeft() {
  return (store.state.game?.deadline ?? 0) - performance.now();
}

export function isInputBlocked() {
  return performance.now() < store.inputBlockedUntil;
}

/**
 * Blocks input for a moment after a delay, so that nobody answers a view before they have read it.
 *
 * @param {() => void} render
 */
export function blockInput(render, delay = 0) {
  store.inputBlockedUntil = performance.now() + delay + INPUT_BLOCK_MS;
  setTimeout(render, delay + INPUT_BLOCK_MS + 1);
}

/** Returns true while the tied cards are shown before the new ones. */
export function isTieShown() {
  return performance.now() < store.tieShownUntil;
}

/**
 * Returns the stage to render. A game requested while the connection is lost counts as waiting, so
 * that the request can be withdrawn.
 *
 * @returns {Stage}
 */
export function visibleStage() {
  const { isSynced, connection, connectionStatus, profile, state } = store;
  if (!isSynced) return profile?.token ? "arriving" : "join";
  const isUnsent = connectionStatus.state !== "open" && connection?.isRequestingGame();
  return isUnsent ? "waiting" : state.stage;
}
