// The table of a token game: both hands, the decisions, and the tokens won.

import { back, face } from "./cards.js";
import { facts } from "./data.js";
import { byId, createElement, setStyleProperty } from "./dom.js";
import { playerName } from "./headline.js";
import { formatChange, message } from "./words.js";

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

const DECISION_MESSAGES = {
  played: "did-played",
  folded: "did-folded",
  late: "did-late",
  forfeited: "did-forfeited",
};

/** Number of card backs shown for a hand before it is dealt. */
const UNDEALT_CARDS = 1;

/** Returns the name of a card such as `Jc`. */
export function cardName([rank, suit]) {
  return message("card", { rank: message(RANKS[rank]), suit: message(SUITS[suit]) });
}

/** Shows a deal; if `isAnimated` is true, the cards are animated one after the other. */
export function showDeal(frame, isAnimated) {
  const most = Math.max(UNDEALT_CARDS, ...frame.seats.map(({ cards }) => cards.length));
  setStyleProperty(byId("seats"), "n", facts.seats.length);
  setStyleProperty(byId("seats"), "k", most);
  byId("seats").replaceChildren(...frame.seats.map((seat, at) => seatElement(seat, at, isAnimated)));
}

function seatElement({ cards, did, won }, seat, isAnimated) {
  const plate = createElement("div", "plate", createElement("p", "name", playerName(seat)));
  if (won !== undefined) {
    const tokens = createElement(
      "p",
      "count",
      createElement("b", "", formatChange(won)),
      ` ${message("tokens", { n: won })}`,
    );
    plate.append(tokens);
  }
  const pictures = cards.map((card) => face(card, cardName(card)));
  if (pictures.length === 0)
    pictures.push(...Array.from({ length: UNDEALT_CARDS }, () => back(message("face-down"))));
  const list = createElement(
    "ul",
    "put",
    ...pictures.map((picture, at) => {
      const item = createElement("li", isAnimated ? "comes" : "", picture);
      setStyleProperty(item, "i", at);
      return item;
    }),
  );
  list.setAttribute("aria-label", message("hand-of", { name: playerName(seat) }));
  setStyleProperty(list, "own", pictures.length);
  const item = createElement(
    "li",
    `seat s${seat + 1}`,
    plate,
    list,
    createElement("p", "did", did ? message(DECISION_MESSAGES[did]) : ""),
  );
  item.classList.toggle("winner", won > 0);
  item.dataset.cards = cards.join(" ");
  return item;
}
