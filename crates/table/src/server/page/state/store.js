// What the page knows by now: the one thing that changes, beside what the browser keeps.

import { free } from "./reducer.js";

/** @import { Stage, Store } from "../types.js" */

/** @type {Store} */
export const now = {
  me: null,
  state: free(0, null),
  connection: null,
  line: { state: "none" },
  offline: false,
  error: null,
  page: "home",
  place: "",
  former: null,
  tally: { from: 0, to: null, since: 0 },
  keyShown: false,
  leaving: "no",
  calm: false,
  alerts: { sound: false, tremor: false, notice: false },
  audio: null,
  keys: true,
  warning: null,
  shown: "",
  earlyUntil: 0,
  arrived: false,
  peeked: null,
  opening: null,
  invited: null,
  offered: null,
  people: null,
  past: { games: [], before: null, more: false, figures: null, span: "ever", ladder: null },
  watched: { open: [], game: 0, seen: null, known: false, request: null, asked: -Infinity },
  watchable: false,
  counted: -Infinity,
  saved: "",
  words: { catalogues: {}, spoken: "en", wanted: "en" },
  unkept: new Map(),
};

/** The milliseconds that are left to decide. */
export function left() {
  return (now.state.game?.deadline ?? 0) - performance.now();
}

export function isEarly() {
  return performance.now() < now.earlyUntil;
}

/**
 * Who asks for a game while the line is lost waits already, and may stop.
 *
 * @returns {Stage}
 */
export function stageShown() {
  const { arrived, connection, line, me, state } = now;
  if (!arrived) return me?.token ? "arriving" : "join";
  const unheard = line.state !== "open" && connection?.awaits("choose");
  return unheard ? "waiting" : state.stage;
}
