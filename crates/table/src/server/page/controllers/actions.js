// What the player does.

import { allow } from "../widgets/alerts.js";
import { invited } from "../state/invitations.js";
import { Connection } from "../protocol/connection.js";
import { decorate } from "../widgets/dom.js";
import * as logbook from "../fairness/log-monitor.js";
import { random } from "../protocol/environment.js";
import { arrive, go, goWatch } from "./router.js";
import { open } from "./history.js";
import * as seeds from "../fairness/seeds.js";
import { isName, keyFile, keyIn, keyOf, rename, takeKey } from "./account.js";
import { free } from "../state/reducer.js";
import * as storage from "../state/storage.js";
import { isEarly, now, stageShown } from "../state/store.js";
import { copyLink, shareLink } from "../views/lobby.js";
import { copy, number } from "../views/log.js";
import { language, speak } from "../widgets/words.js";

/**
 * @import { Decision, Kind, Whom } from "../protocol/messages.js"
 * @import { Referee } from "../fairness/referee.js"
 * @import { Alert, Asked, Fields, Key, Lang, Page, Tell } from "../types.js"
 */

const TOKEN_BYTES = 32;
const CODE_BYTES = 16;

/**
 * What the player can do. What they do is known to `referee`, `show` shows what came of it, and
 * `hear` has what a connection tells.
 *
 * @param {Referee} referee
 * @param {() => void} show
 * @param {Tell} hear
 */
export function acts(referee, show, hear) {
  function connect() {
    if (now.me === null) return;
    now.error = null;
    const person = { ...now.me, lang: language(), watchable: now.watchable };
    now.connection = new Connection(person, now.me.settled, hear);
  }

  /**
   * @template {Asked["type"]} T
   * @param {T} type
   * @param {Fields<T>} fields
   */
  function ask(type, fields) {
    now.error = null;
    now.connection?.ask(type, fields);
    show();
  }

  /**
   * Asks for a game with somebody, or with anyone; what is asked for is kept, to be compared.
   *
   * @param {Kind | undefined} game
   * @param {Whom | null} whom
   * @param {number | null} opponent
   */
  function choose(game, whom = null, opponent = null) {
    if (!game || now.connection?.awaits("choose")) return;
    const hash = seeds.draw();
    storage.keepWish({ hash, game, whom, opponent });
    ask("choose", { game, seed_hash: hash, ...(whom === null ? {} : { with: whom }) });
  }

  /**
   * Does not wait for anyone any more, but for somebody in particular.
   *
   * @param {Whom} whom
   */
  function rather(whom) {
    const { state, connection } = now;
    if (state.stage !== "waiting" || !connection || connection.awaits("cancel")) return;
    const game = state.kind;
    if (!game || connection.awaits("choose")) return;
    ask("cancel", { game });
    choose(game, whom);
  }

  /** Plays once more with the same opponent, who has to want it as well. */
  function rematch() {
    const { state } = now;
    if (state.stage !== "result") return;
    choose(state.kind, { rematch: state.game.id }, state.game.opponent.player);
  }

  /** Reads from the address what the player is invited to, or the key that they bring. */
  function readAddress() {
    now.invited = invited(location.hash) ?? now.invited;
    const key = keyIn(location.hash);
    // Nobody finds it in the address, or among those of before.
    if (key) history.replaceState(null, "", location.pathname);
    if (key && key.token !== now.me?.token) now.offered = key;
    show();
  }

  /** An invitation is for one game: whatever comes of it, it is not offered again. */
  function takeInvitation() {
    const taken = now.invited;
    now.invited = null;
    history.replaceState(null, "", location.pathname);
    show();
    return taken;
  }

  function acceptInvitation() {
    if (now.connection?.awaits("choose")) return;
    const taken = takeInvitation();
    if (taken) choose(taken.game, { accept: taken.code });
  }

  /** @param {Decision} decision */
  function decide(decision) {
    const { state, connection } = now;
    if (state.stage !== "deciding" || isEarly() || connection?.awaits("decide")) return;
    const { id, hands } = state.game;
    referee.decides(hands.length, decision);
    ask("decide", { game_id: id, deal: hands.length, decision });
  }

  function cancel() {
    const { state, connection } = now;
    if (!connection || stageShown() !== "waiting" || connection.awaits("cancel")) return;
    const game = connection.awaited("choose")?.game ?? state.kind;
    const waits = state.stage === "waiting";
    if (game && (connection.withdraw("choose") || waits)) ask("cancel", { game });
    else show();
  }

  /** Leaves the result behind, for good. */
  function leave() {
    if (now.state.result === null) return;
    now.state = free(now.state.result.seq, now.state.balance);
    storage.remember();
    show();
  }

  /**
   * Takes a seat: the secret by which the table knows the player is drawn and kept first.
   *
   * @param {string} name
   */
  function sit(name) {
    if (!name || now.connection) return;
    if (!isName(name)) {
      now.warning = "join-refused";
      show();
      return;
    }
    now.me = { token: random(TOKEN_BYTES), settled: 0, ...storage.person(), name };
    storage.keep(now.me);
    now.state = free(now.me.settled, now.me.balance ?? null);
    connect();
  }

  /**
   * Uses another language, as soon as there are words of it.
   *
   * @param {Lang} lang
   */
  function use(lang) {
    const before = language();
    speak(lang);
    if (language() === before) return;
    decorate();
    now.connection?.speak(lang);
    show();
  }

  function retry() {
    if (now.line.state === "old") location.reload();
    else now.connection?.open();
  }

  /**
   * The player went back or forward: those who leave the table stop waiting, or have seen the
   * result.
   */
  function visit() {
    arrive();
    if (now.page === "home" && stageShown() === "waiting") cancel();
    if (now.page === "home" && stageShown() === "result") leave();
    open();
    show();
  }

  /**
   * Takes the key of another account, and begins anew with it.
   *
   * @param {Key | null} key
   */
  function take(key) {
    if (key) {
      takeKey(key);
      now.connection?.close();
      location.assign("/");
    } else {
      now.error = { key: "key-wrong" };
      show();
    }
  }

  /** @param {boolean} on */
  function switchCalm(on) {
    now.calm = on;
    storage.keepCalm(on);
    show();
  }

  /**
   * Has the player forgotten, who is asked once more before that.
   *
   * @param {"no" | "asked" | "yes"} leaving
   */
  function leaveForGood(leaving) {
    now.leaving = leaving;
    if (leaving === "yes") now.connection?.forget();
    show();
  }

  /** @param {boolean} on */
  function switchWatchable(on) {
    now.watchable = on;
    storage.keepWatchable(on);
    now.connection?.letWatch(on);
    show();
  }

  /**
   * Lets something call the player, where the browser does, or not any more.
   *
   * @param {Alert} alert
   * @param {boolean} on
   */
  async function switchAlert(alert, on) {
    now.alerts = { ...now.alerts, [alert]: on };
    if (on && !(await allow(alert))) {
      now.alerts = { ...now.alerts, [alert]: false };
      now.error = { key: "alert-refused" };
    }
    storage.keepAlerts(now.alerts);
    show();
  }

  /** @param {boolean} on */
  function switchKeys(on) {
    now.keys = on;
    storage.keepKeys(on);
    show();
  }

  return {
    connect,
    visit,
    takeFile: (/** @type {string} */ file) => take(keyOf(file)),
    takeOffered: () => take(now.offered),
    leaveOffered: () => {
      now.offered = null;
      show();
    },
    keyFile,
    switchCalm,
    switchWatchable,
    leaveForGood,
    switchAlert,
    sit,
    choose,
    decide,
    cancel,
    leave,
    use,
    retry,
    switchKeys,
    copy,
    isEarly,
    again: () => choose(now.state.kind),
    friend: (/** @type {Kind} */ game) => choose(game, { invitation: random(CODE_BYTES) }),
    house: () => rather("house"),
    friendInstead: () => rather({ invitation: random(CODE_BYTES) }),
    rematch,
    readAddress,
    acceptInvitation,
    declineInvitation: takeInvitation,
    copyLink,
    shareLink,
    keys: () => now.keys,
    wish: (/** @type {Lang} */ lang) => {
      storage.keepLang(lang);
      use(lang);
    },
    online: () => {
      now.offline = false;
      retry();
    },
    offline: () => {
      now.offline = true;
      now.connection?.lose();
    },
    open: number,
    looked: show,
    go: (/** @type {Page} */ page) => {
      go(page);
      open();
      show();
    },
    watch: (/** @type {number} */ game) => {
      goWatch(game);
      show();
    },
    rename: (/** @type {string} */ name) => {
      rename(name);
      show();
    },
    showKey: () => {
      now.keyShown = !now.keyShown;
      show();
    },
    peek: () => {
      now.peeked = now.state.game?.id ?? null;
      show();
    },
    back: (/** @type {boolean} */ asleep) => {
      if (now.line.state === "lost" || asleep) now.connection?.open();
    },
    seen: () => {
      logbook.accept();
      now.connection?.open();
      show();
    },
    dismiss: () => {
      now.error = null;
      show();
    },
  };
}
