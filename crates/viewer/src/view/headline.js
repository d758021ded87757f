// What happens in a turn, in words.

import { about } from "./data.js";
import { say } from "./words.js";

const DID = {
  played: "deal-played",
  folded: "deal-folded",
  late: "deal-late",
  forfeited: "deal-forfeited",
};

/** What a player is called, by the index of their seat. */
export function name(seat) {
  const known = about.seats[seat];
  return typeof known === "string" ? known : say("player", { number: String(known) });
}

/** The short line above the table. */
export function headline(frame) {
  const { turn } = frame;
  if (about.tokens) return turn === 0 ? say("before-deal") : say(frame.tied ? "deal-tied" : "deal", { turn });
  if (turn === 0) return say("dealt");
  return say(frame.war ? "turn-war" : "turn-number", { turn });
}

/** The line and all else, as a screen reader says it. */
export function spokenTurn(frame) {
  const line = headline(frame);
  return `${line}${line.endsWith("!") ? "" : "."} ${sentences(frame)}`;
}

/** All else, in sentences. */
export function sentences(frame) {
  const told = about.tokens ? dealt(frame) : played(frame);
  return told.join(" ");
}

function dealt({ turn, seats, tied }) {
  const told = seats.flatMap(({ did }, seat) => (did ? [say(DID[did], { name: name(seat) })] : []));
  if (tied) told.push(say("deal-again"));
  // By the first rules, the table alone commits.
  const committed = about.rules.endsWith("/1") ? "deal-table-committed" : "deal-committed";
  if (turn === 0 && told.length === 0) told.push(say(committed));
  return told;
}

function played(frame) {
  const { turn, taken, winner, out = [], leader, shuffled, end } = frame;
  const told = [];
  if (turn === 0) told.push(say("dealt-cards", { n: frame.hands.reduce((all, hand) => all + hand, 0) }));
  if (winner !== undefined) told.push(say("takes", { name: name(winner), n: taken[winner] }));
  else if (taken) told.push(say("nobody-takes"));
  else if (turn > 0 && !end) told.push(say("cut-off"));
  for (const seat of out) told.push(say("is-out", { name: name(seat) }));
  if (leader !== undefined && !end) told.push(say("leads", { name: name(leader) }));
  if (shuffled) told.push(say("shuffled"));
  if (end) told.push(ending(end));
  return told;
}

function ending(end) {
  if (end === "drawn") return say("end-drawn");
  if ("won" in end) return say("end-won", { name: name(end.won) });
  if ("endless" in end) return say("end-endless", { turn: end.endless });
  return end.stopped === null ? say("end-stopped") : say("end-stopped-won", { name: name(end.stopped) });
}
