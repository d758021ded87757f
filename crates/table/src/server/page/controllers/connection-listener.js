// What the line to the table tells, and what the page does about it.

import { accepted } from "../state/invitations.js";
import { open, seen } from "./history.js";
import { apply, free } from "../state/reducer.js";
import * as storage from "../state/storage.js";
import { left, now } from "../state/store.js";
import { say } from "../widgets/words.js";

/**
 * @import { Announcer } from "../widgets/announcer.js"
 * @import { Referee } from "../fairness/referee.js"
 * @import { Asked, Line, Notice, Numbered, Tell, Told } from "../types.js"
 */

/** A seed that is sent with less time left may come too late. */
const ROUND_TRIP_MS = 1_000;
/** What the player need not hear: the game went on before the table heard of it. */
const UNTOLD = ["seed", "cancel"];

/**
 * What a connection tells the page: `referee` and `announcer` hear of it, and `show` shows it.
 *
 * @param {Referee} referee
 * @param {Announcer} announcer
 * @param {() => void} show
 * @returns {Tell}
 */
export function hear(referee, announcer, show) {
  /** @param {Line} line */
  function link(line) {
    now.line = { ...line, offline: now.offline };
    announcer.line(line.state);
    if (line.state !== "open") show();
  }

  /**
   * A table that gives another number to the player who came before has forgotten them.
   *
   * @param {Told<"welcome">} welcome
   */
  function welcomed(welcome) {
    const { me } = now;
    if (me === null) return;
    const { player, balance, seq, name = me.name } = welcome;
    now.former = null;
    const forgotten = me.player !== undefined && me.player !== player;
    now.warning = null;
    if (forgotten) {
      now.error = { key: "forgotten", values: { player: String(player) } };
      now.state = free(0, balance);
      referee.forget();
    }
    const first = forgotten || (me.balance === undefined && me.settled === seq);
    const known = first ? balance : me.balance;
    now.me = { ...me, name, player, welcome, welcomed: performance.now(), balance: known };
    if (now.state.balance === null) now.state = { ...now.state, balance };
    storage.remember();
  }

  /** @param {Numbered} message */
  function received(message) {
    const { me, line } = now;
    if (me === null) return;
    referee.hear(message, me);
    now.state = apply(now.state, timed(message), performance.now());
    if (message.type === "result" || message.type === "adjusted") me.balance = message.balance;
    if (message.type === "result") storage.keepGuided();
    if (message.type === "dealt" || message.type === "redealt") me.given = Math.max(left(), me.given ?? 0);
    if (line.state !== "open") return;
    now.error = said(message);
    if (message.type === "opponent_decided" && now.state.game) announcer.opponent(now.state.game);
    afterwards();
  }

  /** All that was missed is there: what the page owes the server can be known. */
  function ready() {
    const { me } = now;
    now.arrived = true;
    if (me?.welcome) {
      referee.welcomed(me.welcome, me.balance ?? null);
      me.balance = me.welcome.balance;
    }
    // Whether the answer was lost or the request, nobody knows: the table is asked again.
    if (now.leaving === "yes") now.connection?.forget();
    open();
    afterwards();
  }

  function afterwards() {
    openSeed();
    storage.remember();
    show();
  }

  /** Opens the seed, where the game has started as it should; nobody sends it twice. */
  async function openSeed() {
    const { stage, game } = now.state;
    if (stage !== "starting" || game.seeded || now.opening === game.id || now.connection?.awaits("seed"))
      return;
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

  /**
   * @param {Told<"error">} error
   * @param {Asked | { type: "hello" | "forget" } | undefined} request
   */
  function refused(error, request) {
    if (request?.type === "hello" && error.code === "bad_message" && now.former !== null) {
      now.error = { key: "join-refused" };
      now.connection?.rename(now.former);
      now.former = null;
    } else if (request?.type === "hello") {
      notGreeted(error);
    } else if (request?.type === "choose" && error.code === "inviter_away") {
      now.invited = accepted(request) ?? now.invited;
      now.error = { text: error.message };
    } else if (request?.type === "forget") {
      now.leaving = "no";
      now.error = { text: error.message };
    } else if (!request || !UNTOLD.includes(request.type)) {
      now.error = { text: error.message };
    }
    show();
  }

  return {
    link,
    welcome: welcomed,
    message: received,
    people: (message) => {
      now.people = message;
      show();
    },
    seen: (message) => {
      seen(message);
      show();
    },
    error: refused,
    ready,
    resync: ({ seq, balance }) => {
      now.state = free(seq, balance);
      if (now.me) now.me = { ...now.me, balance };
      referee.forget();
    },
    forgotten: () => {
      now.state = free(0, null);
      if (now.me) now.me = { ...now.me, player: null };
    },
    gone: () => {
      now.connection?.close();
      storage.clear();
      location.assign("/");
    },
    expired: () => {
      now.error = { key: "request-old" };
    },
  };
}

/**
 * What the page has to say of a message besides what it shows.
 *
 * @param {Numbered} message
 * @returns {Notice | null}
 */
function said(message) {
  if (message.type === "draining") return { key: "draining" };
  if (message.type !== "adjusted") return null;
  const { tokens, reason } = message;
  const key = tokens > 0 ? "adjusted-given" : "adjusted-taken";
  return { key, values: { tokens: say("tokens", { n: Math.abs(tokens) }), reason } };
}

/**
 * A message that comes again says how much time was left when it came first.
 *
 * @param {Numbered} message
 * @returns {Numbered}
 */
function timed(message) {
  if (!("left_ms" in message) || now.line.state === "open" || !now.me?.welcome) return message;
  const { welcome, welcomed = 0 } = now.me;
  const left = message.deadline_ms - welcome.now_ms - (performance.now() - welcomed);
  return { ...message, left_ms: Math.min(message.left_ms, left) };
}

/** @param {Told<"error">} error */
function notGreeted({ code, message }) {
  if (code === "bad_message") {
    standUp();
  } else if (code === "banned") {
    standUp();
    now.warning = null;
    now.error = { text: message };
  } else if (code === "old_protocol") {
    now.connection?.close();
    now.line = { state: "old" };
  } else {
    now.error = { text: message };
  }
}

/** A player whose name is refused is not at the table. */
function standUp() {
  now.connection?.close();
  now.warning = "join-refused";
  now.connection = null;
  now.line = { state: "none" };
  now.me = null;
  now.arrived = false;
  now.state = free(0, null);
}
