// Descriptions of a turn.

import { about } from "./data.js";
import { say } from "./words.js";

const DID = {
  played: "deal-played",
  folded: "deal-folded",
  late: "deal-late",
  forfeited: "deal-forfeited",
};

/** Returns the name of a player, by the index of their seat. */
export function playerName(seat) {
  const known = about.seats[seat];
  return typeof known === "string" ? known : say("player", { number: String(known) });
}

/** Returns the short line above the table. */
export function headline(frame) {
  const { turn } = frame;
  if (about.tokens) return turn === 0 ? say("before-deal") : say(frame.tied ? "deal-tied" : "deal", { turn });
  if (turn === 0) return say("dealt");
  return say(frame.war ? "turn-war" : "turn-number", { turn });
}

/** Returns the headline and all sentences, for screen readers. */
export function spokenTurn(frame) {
  const line = headline(frame);
  return `${line}${line.endsWith("!") ? "" : "."} ${sentences(frame)}`;
}

/** Returns the sentences about a turn, apart from the headline. */
export function sentences(frame) {
  const parts = about.tokens ? dealSentences(frame) : turnSentences(frame);
  return parts.join(" ");
}

function dealSentences({ turn, seats, tied }) {
  const parts = seats.flatMap(({ did }, seat) => (did ? [say(DID[did], { name: playerName(seat) })] : []));
  if (tied) parts.push(say("deal-again"));
  // In version 1 of the rules, only the table commits.
  const committed = about.rules.endsWith("/1") ? "deal-table-committed" : "deal-committed";
  if (turn === 0 && parts.length === 0) parts.push(say(committed));
  return parts;
}

function turnSentences(frame) {
  const { turn, taken, winner, out = [], leader, shuffled, end } = frame;
  const parts = [];
  if (turn === 0) parts.push(say("dealt-cards", { n: frame.hands.reduce((all, hand) => all + hand, 0) }));
  if (winner !== undefined) parts.push(say("takes", { name: playerName(winner), n: taken[winner] }));
  else if (taken) parts.push(say("nobody-takes"));
  else if (turn > 0 && !end) parts.push(say("cut-off"));
  for (const seat of out) parts.push(say("is-out", { name: playerName(seat) }));
  if (leader !== undefined && !end) parts.push(say("leads", { name: playerName(leader) }));
  if (shuffled) parts.push(say("shuffled"));
  if (end) parts.push(ending(end));
  return parts;
}

function ending(end) {
  if (end === "drawn") return say("end-drawn");
  if ("won" in end) return say("end-won", { name: playerName(end.won) });
  if ("endless" in end) return say("end-endless", { turn: end.endless });
  return end.stopped === null
    ? say("end-stopped")
    : say("end-stopped-won", { name: playerName(end.stopped) });
}
