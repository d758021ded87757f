// The table of a token game: both hands, the decisions, and the tokens won.

import { back, face } from "./cards.js";
import { about } from "./data.js";
import { byId, element, style } from "./dom.js";
import { playerName } from "./headline.js";
import { change, say } from "./words.js";

const RANKS = {
  2: "rank-2",
  3: "rank-3",
  4: "rank-4",
  5: "rank-5",
  6: "rank-6",
  7: "rank-7",
  8: "rank-8",
  9: "rank-9",
  T: "rank-10",
  J: "rank-jack",
  Q: "rank-queen",
  K: "rank-king",
  A: "rank-ace",
};

const SUITS = { c: "suit-clubs", d: "suit-diamonds", h: "suit-hearts", s: "suit-spades" };

const DECISIONS = {
  played: "did-played",
  folded: "did-folded",
  late: "did-late",
  forfeited: "did-forfeited",
};

/** Number of card backs shown for a hand before it is dealt. */
const UNDEALT = 1;

/** Returns the name of a card such as `Jc`. */
export function cardName([rank, suit]) {
  return say("card", { rank: say(RANKS[rank]), suit: say(SUITS[suit]) });
}

/** Shows a deal; if `moves` is true, the cards are animated one after the other. */
export function showDeal(frame, moves) {
  const most = Math.max(UNDEALT, ...frame.seats.map(({ cards }) => cards.length));
  style(byId("seats"), "n", about.seats.length);
  style(byId("seats"), "k", most);
  byId("seats").replaceChildren(...frame.seats.map((seat, at) => seatElement(seat, at, moves)));
}

function seatElement({ cards, did, won }, seat, moves) {
  const plate = element("div", "plate", element("p", "name", playerName(seat)));
  if (won !== undefined) {
    const tokens = element("p", "count", element("b", "", change(won)), ` ${say("tokens", { n: won })}`);
    plate.append(tokens);
  }
  const pictures = cards.map((card) => face(card, cardName(card)));
  if (pictures.length === 0) pictures.push(...Array.from({ length: UNDEALT }, () => back(say("face-down"))));
  const list = element(
    "ul",
    "put",
    ...pictures.map((picture, at) => {
      const item = element("li", moves ? "comes" : "", picture);
      style(item, "i", at);
      return item;
    }),
  );
  list.setAttribute("aria-label", say("hand-of", { name: playerName(seat) }));
  style(list, "own", pictures.length);
  const item = element(
    "li",
    `seat s${seat + 1}`,
    plate,
    list,
    element("p", "did", did ? say(DECISIONS[did]) : ""),
  );
  item.classList.toggle("winner", won > 0);
  item.dataset.cards = cards.join(" ");
  return item;
}
