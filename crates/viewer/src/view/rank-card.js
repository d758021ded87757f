// The cards of games without suits: a court or a number, as the screens print it.

import { face } from "./cards.js";
import { about } from "./data.js";
import { shape } from "./dom.js";
import { say } from "./words.js";

/** What 11 and more are called where a deck has a court. */
const COURT = {
  11: ["J", "rank-jack"],
  12: ["Q", "rank-queen"],
  13: ["K", "rank-king"],
  14: ["A", "rank-ace"],
};

/** A card of this rank, face up. */
export function rankCard(rank) {
  const [letter, name] = (about.court && COURT[rank]) || [];
  if (!letter) return face(String(rank), String(rank));
  const picture = face(letter, say("rank-named", { name: say(name), n: rank }));
  picture.append(number(rank, 0), number(rank, 180));
  return picture;
}

/** The number of a court card, below its letter. */
function number(rank, turn) {
  const made = shape("text", { class: "small", x: 11, y: 42, transform: `rotate(${turn} 50 70)` });
  made.textContent = rank;
  return made;
}
