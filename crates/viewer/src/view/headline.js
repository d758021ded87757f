// Texts that describe a turn: its headline, and the sentences about it.

import { facts } from "./data.js";
import { message } from "./words.js";

const DECISION_SENTENCES = {
  played: "deal-played",
  folded: "deal-folded",
  late: "deal-late",
  forfeited: "deal-forfeited",
};

/** Returns the name of a player, by the index of their seat. */
export function playerName(seat) {
  const known = facts.seats[seat];
  return typeof known === "string" ? known : message("player", { number: String(known) });
}

/** Returns the short line above the table. */
export function headline(frame) {
  const { turn } = frame;
  if (facts.tokens)
    return turn === 0 ? message("before-deal") : message(frame.tied ? "deal-tied" : "deal", { turn });
  if (turn === 0) return message("dealt");
  return message(frame.war ? "turn-war" : "turn-number", { turn });
}

/** Returns the headline and all sentences, for screen readers. */
export function spokenTurn(frame) {
  const line = headline(frame);
  return `${line}${line.endsWith("!") ? "" : "."} ${sentences(frame)}`;
}

/** Returns the sentences about a turn, apart from the headline. */
export function sentences(frame) {
  const parts = facts.tokens ? dealSentences(frame) : turnSentences(frame);
  return parts.join(" ");
}

function dealSentences({ turn, seats, tied }) {
  const parts = seats.flatMap(({ did }, seat) =>
    did ? [message(DECISION_SENTENCES[did], { name: playerName(seat) })] : [],
  );
  if (tied && facts.rules !== "daily/1") parts.push(message("deal-again"));
  // In version 1 of the rules, only the table commits to its seed.
  const committed = facts.rules.endsWith("/1") ? "deal-table-committed" : "deal-committed";
  if (turn === 0 && parts.length === 0) parts.push(message(committed));
  return parts;
}

function turnSentences(frame) {
  const { turn, taken, winner, out = [], leader, shuffled, end } = frame;
  const parts = [];
  if (turn === 0) parts.push(message("dealt-cards", { n: frame.hands.reduce((all, hand) => all + hand, 0) }));
  if (winner !== undefined) parts.push(message("takes", { name: playerName(winner), n: taken[winner] }));
  else if (taken) parts.push(message("nobody-takes"));
  else if (turn > 0 && !end) parts.push(message("cut-off"));
  for (const seat of out) parts.push(message("is-out", { name: playerName(seat) }));
  if (leader !== undefined && !end) parts.push(message("leads", { name: playerName(leader) }));
  if (shuffled) parts.push(message("shuffled"));
  if (end) parts.push(endSentence(end));
  return parts;
}

function endSentence(end) {
  if (end === "drawn") return message("end-drawn");
  if ("won" in end) return message("end-won", { name: playerName(end.won) });
  if ("endless" in end) return message("end-endless", { turn: end.endless });
  return end.stopped === null
    ? message("end-stopped")
    : message("end-stopped-won", { name: playerName(end.stopped) });
}
