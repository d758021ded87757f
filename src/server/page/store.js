// What the page knows by now: the one thing that changes, beside what the browser keeps.

import { free } from "./state.js";
import * as storage from "./storage.js";

const me = storage.person();

export const now = {
  /** Who the player is, `null` for somebody new; `storage.js` says what is kept of it. */
  me,
  /** What the messages of the table come to. */
  state: free(me?.settled ?? 0, me?.balance ?? null),
  /** The line to the table, `null` for somebody who has not sat down. */
  connection: null,
  /** How that line is. */
  line: { state: "none" },
  /** Whether the browser says that it has no network. */
  offline: false,
  /** What the table said of a request, as `text`, or what the page says, by its `key`. */
  error: null,
  /** Whether the keys for a decision are on. */
  keys: storage.keys(),
  /** The key of what is wrong with taking a seat. */
  warning: null,
  /** The stage that was shown last, with its deal: another one is announced and focused. */
  shown: "",
  /** Until when what is shown is too new to answer, by the clock of `performance`. */
  earlyUntil: 0,
  /** Whether the page knows where the player is, so that there is something to show. */
  arrived: false,
  /** The game whose folded cards the player wants to see. */
  peeked: null,
  /** The game whose seed is being opened. */
  opening: null,
};

/** Keeps what a page that is loaded again has to know of the player. */
export function remember() {
  now.me.settled = now.state.settled;
  storage.keep(now.me);
}

/** The milliseconds that are left to decide. */
export function left() {
  return now.state.game.deadline - performance.now();
}

export function isEarly() {
  return performance.now() < now.earlyUntil;
}

/** Who asks for a game while the line is lost waits already, and may stop. */
export function stageShown() {
  const { arrived, connection, line, me, state } = now;
  if (!arrived) return me?.token ? "arriving" : "join";
  const unheard = line.state !== "open" && connection?.awaits("choose");
  return unheard ? "waiting" : state.stage;
}
