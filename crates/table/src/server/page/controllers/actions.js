// Actions of the player.

import * as logMonitor from "../fairness/log-monitor.js";
import * as seeds from "../fairness/seeds.js";
import { Connection } from "../protocol/connection.js";
import { randomHex } from "../protocol/environment.js";
import { idleState } from "../state/reducer.js";
import * as storage from "../state/storage.js";
import { blockInput, isInputBlocked, isTieShown, store, visibleStage } from "../state/store.js";
import { duelSummary } from "../views/daily.js";
import { copyFriendAddress, shareFriendAddress } from "../views/lobby.js";
import { copyCheckpoint, renderKeyId } from "../views/log.js";
import { announce, resultSummary } from "../views/page.js";
import { enableAlert, isAlertSupported } from "../widgets/alerts.js";
import { renderFans } from "../widgets/hands.js";
import { language, loadTexts, preferredLanguage, setLanguage } from "../widgets/words.js";
import { isValidName, keyFile, parseKeyFile, parseKeyLink, rename, switchAccount } from "./account.js";
import { decideHand } from "./daily.js";
import * as friends from "./friends.js";
import { queryPage } from "./history.js";
import { goToGame, goToPage, readLocation } from "./router.js";

/**
 * @import { Decision, Kind, Whom } from "../protocol/messages.js"
 * @import { Referee } from "../fairness/referee.js"
 * @import { AccountKey, Alert, ConnectionListener, Lang, Page, QueuedRequest, RequestFields } from "../types.js"
 */

const TOKEN_BYTES = 32;

/**
 * Returns what all tabs know about the player with this token; `null` if another tab has forgotten
 * the player or taken another account.
 *
 * @param {string} token
 */
function identity(token) {
  const stored = storage.profile();
  return stored?.token === token ? { name: stored.name, token, watchable: storage.isWatchable() } : null;
}

/**
 * Returns true for a click that was meant for the previous view. Outside of the table, where no
 * button takes the place of another, this is only the second click of a double click.
 *
 * @param {MouseEvent} event
 */
function isUnmeant({ detail }) {
  return isInputBlocked() && (store.page === "table" || detail > 1);
}

/**
 * Creates the player's actions. `referee` records decisions, `render` updates the page, and `listener`
 * receives the events of new connections.
 *
 * @param {Referee} referee
 * @param {() => void} render
 * @param {ConnectionListener} listener
 */
export function createActions(referee, render, listener) {
  function connect() {
    if (store.profile === null) return;
    const { token, settled } = store.profile;
    store.connection = new Connection(() => identity(token), language(), settled, listener);
  }

  /**
   * Sends a request, and returns its id.
   *
   * @template {QueuedRequest["type"]} T
   * @param {T} type
   * @param {RequestFields<T>} fields
   */
  function request(type, fields) {
    store.error = null;
    const id = store.connection?.request(type, fields) ?? "";
    render();
    return id;
  }

  /**
   * Requests a game with an opponent, or with anyone. The request is stored, to compare it with the
   * game that starts.
   *
   * @param {Kind | undefined} game
   * @param {Whom | null} whom
   * @param {number | null} opponent
   */
  function requestGame(game, whom = null, opponent = null) {
    if (!game || store.connection?.isRequestingGame()) return;
    friends.leaveFriend();
    const hash = seeds.draw();
    const logSize = logMonitor.verifiedSize();
    const id = request("choose", { game, seed_hash: hash, ...(whom === null ? {} : { with: whom }) });
    storage.saveMatchRequest({ hash, game, whom, opponent, id, logSize });
  }

  /**
   * Stops waiting for anyone, and requests a game with this opponent instead.
   *
   * @param {Whom} whom
   */
  function requestInstead(whom) {
    const { state, connection } = store;
    if (state.stage !== "waiting" || !connection || connection.isPending("cancel")) return;
    const game = state.kind;
    if (!game || store.connection?.isRequestingGame()) return;
    if (store.friend === null) request("cancel", { game });
    requestGame(game, whom);
  }

  /** @param {Kind} game */
  function inviteFriend(game) {
    if (store.connection?.isRequestingGame()) return;
    store.error = null;
    friends.leaveFriend();
    friends.inviteFriend(game);
    render();
  }

  function requestRematch() {
    const { state } = store;
    if (state.stage !== "result") return;
    if (friends.isFriendGame()) agree();
    else requestGame(state.kind, { rematch: state.game.id }, state.game.opponent.player);
  }

  function agree() {
    store.error = null;
    friends.agree();
    render();
  }

  /** Reads an account key from the address. */
  function readFragment() {
    const key = parseKeyLink(location.hash);
    // A key must not stay in the address or in the browser's history.
    if (key) history.replaceState(null, "", location.pathname);
    if (key && key.token !== store.profile?.token) store.offeredKey = key;
    render();
  }

  /** @param {Decision} decision */
  function decide(decision) {
    if (store.page === "daily") {
      const duel = decideHand(decision, render);
      if (duel) announce(duelSummary(duel));
      return;
    }
    const { state, connection } = store;
    if (state.stage !== "deciding" || isInputBlocked() || connection?.isPending("decide")) return;
    const { id, hands } = state.game;
    const requestId = request("decide", { game_id: id, deal: hands.length, decision });
    referee.recordDecision(hands.length, decision, requestId);
  }

  /** Stops waiting for an opponent. */
  function cancel() {
    const { state, connection } = store;
    if (!connection || visibleStage() !== "waiting" || connection.isPending("cancel")) return;
    const game = connection.pending("choose")?.game ?? state.kind;
    const isWaiting = state.stage === "waiting";
    friends.dropFriend();
    if (game && (connection.withdraw("choose") || isWaiting)) request("cancel", { game });
    else render();
  }

  function leaveResult() {
    if (store.state.result === null) return;
    // A friend who came meanwhile waits in the lobby.
    if (friends.isFriendGame()) friends.leaveFriend();
    store.state = idleState(store.state.result.seq, store.state.balance);
    storage.saveProgress();
    render();
  }

  /**
   * Joins the table, after generating and storing the token that identifies the player.
   *
   * @param {string} name
   */
  function join(name) {
    if (!name || store.connection) return;
    if (!isValidName(name)) {
      store.joinWarning = "join-refused";
      render();
      return;
    }
    store.error = null;
    store.profile = { token: randomHex(TOKEN_BYTES), settled: 0, ...storage.profile(), name };
    storage.saveProfile(store.profile);
    store.state = idleState(store.profile.settled, store.profile.balance ?? null);
    connect();
    if (!storage.isProfileStored()) store.error = { key: "unstored" };
    render();
  }

  /**
   * Switches to a language, as soon as its texts are loaded.
   *
   * @param {Lang} lang
   */
  async function useLanguage(lang) {
    if (language() === lang || !(await loadTexts(lang))) return;
    setLanguage(lang);
    renderFans();
    store.connection?.setLanguage(lang);
    render();
  }

  function reconnect() {
    if (store.connectionStatus.state === "old") location.reload();
    else store.connection?.open();
  }

  /**
   * Handles the browser's back and forward buttons. Leaving the table cancels a wait and closes a
   * result.
   */
  function handleNavigation() {
    const isFromTable = store.page === "table";
    readLocation();
    if (store.page === "home" && visibleStage() === "waiting") cancel();
    // A result that the player has not seen yet waits in the lobby.
    if (store.page === "home" && visibleStage() === "result" && isFromTable) leaveResult();
    queryPage();
    render();
  }

  /**
   * Switches to the account of a key, and loads the page again. Shows an error for `null`, which
   * stands for an invalid key.
   *
   * @param {AccountKey | null} key
   */
  function useKey(key) {
    if (key) {
      switchAccount(key);
      store.connection?.close();
      location.assign(".");
    } else {
      store.error = { key: "key-wrong" };
      render();
    }
  }

  /** @param {boolean} on */
  function setReducedMotion(on) {
    store.isMotionReduced = on;
    storage.saveReducedMotion(on);
    render();
  }

  /**
   * Advances the deletion of the account, which has to be confirmed.
   *
   * @param {"none" | "asked" | "confirmed"} deletion
   */
  function setDeletion(deletion) {
    store.deletion = deletion;
    if (deletion === "confirmed") store.connection?.deletePlayer();
    render();
  }

  /** @param {boolean} on */
  function setWatchable(on) {
    store.isWatchable = on;
    storage.saveWatchable(on);
    request("settings", { watchable: on });
  }

  /**
   * Takes over what another tab has stored. If that is another account, or none, the page is loaded
   * again.
   */
  function handleStorage() {
    const stored = storage.profile();
    if (stored?.token !== store.profile?.token) {
      store.connection?.close();
      location.assign(".");
      return;
    }
    if (stored && store.profile) store.profile.name = stored.name;
    storage.readSettings();
    const lang = storage.language();
    if (lang !== null) useLanguage(preferredLanguage([lang]));
    render();
  }

  /**
   * Switches an alert on or off. An alert that the browser refuses stays off.
   *
   * @param {Alert} alert
   * @param {boolean} on
   */
  async function setAlert(alert, on) {
    store.alerts = { ...store.alerts, [alert]: on };
    if (on && !(await enableAlert(alert))) {
      store.alerts = { ...store.alerts, [alert]: false };
      store.error = { key: "alert-refused" };
    }
    storage.saveAlerts(store.alerts);
    render();
  }

  async function acceptAlerts() {
    declineAlerts();
    for (const alert of /** @type {Alert[]} */ (["sound", "tremor"]))
      if (isAlertSupported(alert)) await setAlert(alert, true);
  }

  function declineAlerts() {
    store.isOfferDue = false;
    render();
  }

  /** Ends the view of the tied cards. The new cards are then seen before a decision counts. */
  function endTie() {
    if (!isTieShown()) return;
    store.tieShownUntil = 0;
    blockInput(render);
    render();
  }

  /** @param {boolean} on */
  function setShortcuts(on) {
    store.hasShortcuts = on;
    storage.saveShortcuts(on);
    render();
  }

  return {
    connect,
    handleNavigation,
    useKeyFile: (/** @type {string} */ file) => useKey(parseKeyFile(file)),
    acceptKey: () => useKey(store.offeredKey),
    declineKey: () => {
      store.offeredKey = null;
      render();
    },
    keyFile,
    setReducedMotion,
    setWatchable,
    handleStorage,
    setDeletion,
    setAlert,
    join,
    requestGame,
    decide,
    cancel,
    leaveResult,
    useLanguage,
    reconnect,
    setShortcuts,
    copyCheckpoint,
    isUnmeant,
    endTie,
    acceptAlerts,
    declineAlerts,
    playAgain: () => requestGame(store.state.kind),
    inviteFriend,
    playHouse: () =>
      store.state.stage === "waiting" ? requestInstead("house") : requestGame(store.state.kind, "house"),
    inviteFriendInstead: () => {
      const { kind } = store.state;
      if (kind) request("cancel", { game: kind });
      if (kind) inviteFriend(kind);
    },
    requestRematch,
    readFragment,
    acceptInvitation: agree,
    declineInvitation: () => {
      friends.leaveFriend();
      render();
    },
    revokeLink: (/** @type {string} */ link) => {
      friends.revokeLink(link);
      render();
    },
    copyFriendAddress,
    shareFriendAddress,
    hasShortcuts: () => store.hasShortcuts,
    chooseLanguage: (/** @type {Lang} */ lang) => {
      storage.saveLanguage(lang);
      useLanguage(lang);
    },
    handleOnline: () => {
      store.isOffline = false;
      reconnect();
    },
    handleOffline: () => {
      store.isOffline = true;
      store.connection?.drop();
    },
    renderKeyId,
    render,
    goToPage: (/** @type {Page} */ page) => {
      goToPage(page);
      queryPage();
      render();
    },
    watchGame: (/** @type {number} */ game) => {
      goToGame(game);
      render();
    },
    rename: (/** @type {string} */ name) => {
      rename(name);
      render();
    },
    toggleKey: () => {
      store.isKeyShown = !store.isKeyShown;
      render();
    },
    peek: () => {
      store.peekedGame = store.state.game?.id ?? null;
      render();
      announce(resultSummary());
    },
    handleReturn: (/** @type {boolean} */ wasAsleep) => {
      if (store.connectionStatus.state === "lost" || wasAsleep) store.connection?.open();
    },
    acknowledgeAlarms: () => {
      logMonitor.acknowledge();
      store.connection?.open();
      render();
    },
    dismissError: () => {
      store.error = null;
      render();
    },
  };
}
