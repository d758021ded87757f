// Cards of games without suits, with the rank as in the printed text.

import { face } from "./cards.js";
import { facts } from "./data.js";
import { createSvg } from "./dom.js";
import { message } from "./words.js";

/** Letters and message keys of the court ranks and the ace. */
const COURT = {
  11: ["J", "rank-jack"],
  12: ["Q", "rank-queen"],
  13: ["K", "rank-king"],
  14: ["A", "rank-ace"],
};

/** Draws a face-up card with this rank. */
export function rankCard(rank) {
  const [letter, name] = (facts.court && COURT[rank]) || [];
  if (!letter) return face(String(rank), String(rank));
  const picture = face(letter, message("rank-named", { name: message(name), n: rank }));
  picture.append(cornerNumber(rank, 0), cornerNumber(rank, 180));
  return picture;
}

/** Draws the number of a court card below its letter. */
function cornerNumber(rank, turn) {
  const made = createSvg("text", { class: "small", x: 11, y: 42, transform: `rotate(${turn} 50 70)` });
  made.textContent = rank;
  return made;
}
