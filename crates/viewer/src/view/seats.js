// The table of a game of War: for each player their hand and the cards they put.

import { back, empty } from "./cards.js";
import { facts } from "./data.js";
import { byId, createElement, setStyleProperty } from "./dom.js";
import { playerName } from "./headline.js";
import { rankCard } from "./rank-card.js";
import { formatChange, formatNumber, message } from "./words.js";

/** Rank that marks a face-down card in a frame. */
const HIDDEN = 0;

/** Maximum number of cards drawn in a stack: beside a name, and on the table. */
const [MAX_STACK, MAX_PILE] = [6, 10];

/** Creates the elements of all seats, which `showTurn` updates. */
export function createSeats() {
  const seats = facts.seats.map((_, seat) => {
    const stack = createElement("div", "stack");
    stack.setAttribute("aria-hidden", "true");
    const plate = createElement(
      "div",
      "plate",
      stack,
      createElement("p", "name", playerName(seat)),
      createElement(
        "p",
        "count",
        createElement("b"),
        " ",
        createElement("span", "unit"),
        " ",
        createElement("span", "delta"),
      ),
    );
    const pile = createElement("div", "pile");
    pile.setAttribute("aria-hidden", "true");
    return createElement(
      "li",
      `seat s${(seat % 5) + 1}`,
      plate,
      pile,
      createElement("ul", "put"),
      createElement("p", "did"),
    );
  });
  byId("seats").replaceChildren(...seats);
  setStyleProperty(byId("seats"), "n", seats.length);
  byId("seats").classList.toggle("many", seats.length > 2);
  byId("seats").classList.toggle("full", seats.length > 4);
}

/** Shows a turn; if `isAnimated` is true, the cards are animated one after the other. */
export function showTurn(frame, isAnimated) {
  const places = byId("seats").children;
  const longest = Math.max(1, ...frame.put.map((cards) => cards.length));
  setStyleProperty(byId("seats"), "k", longest);
  for (const [seat, place] of [...places].entries()) showSeat(place, frame, seat, isAnimated);
}

function showSeat(place, frame, seat, isAnimated) {
  const [hand, before, put] = [frame.hands[seat], frame.before[seat], frame.put[seat]];
  const isOut = hand === 0 && put.length === 0;
  place.classList.toggle("winner", frame.winner === seat);
  place.classList.toggle("out", isOut);
  // A player who put nothing has their hand on the table, as after the deal.
  place.classList.toggle("waits", put.length === 0);
  place.dataset.cards = hand;
  place.querySelector("b").textContent = formatNumber(hand);
  place.querySelector(".unit").textContent = message("cards", { n: hand });
  const delta = place.querySelector(".delta");
  delta.textContent = hand === before ? "" : formatChange(hand - before);
  delta.classList.toggle("less", hand < before);
  setStyleProperty(place, "part", hand / facts.cards);
  showStack(place.querySelector(".stack"), hand, MAX_STACK);
  showStack(place.querySelector(".pile"), hand, MAX_PILE);
  place.querySelector(".did").textContent = actionText(frame, seat, isOut);
  const cards = put.map((rank, at) => {
    const card = createElement(
      "li",
      isAnimated ? "comes" : "",
      rank === HIDDEN ? back(message("face-down")) : rankCard(rank),
    );
    setStyleProperty(card, "i", at);
    return card;
  });
  const list = place.querySelector(".put");
  setStyleProperty(list, "own", Math.max(1, put.length));
  list.setAttribute("aria-label", message("put-by", { name: playerName(seat) }));
  list.replaceChildren(...cards);
}

/** Returns a short text about a player's turn. */
function actionText({ taken, out = [], end }, seat, isOut) {
  if (end && end.won === seat) return message("wins-game");
  if (out.includes(seat) || isOut) return message("out");
  if (taken && taken[seat] > 0) return message("took", { n: taken[seat] });
  return "";
}

/** Shows a stack as high as the hand's share of all cards, or an empty place. */
function showStack(place, hand, most) {
  const layers = Math.min(most, Math.ceil((most * hand) / facts.cards));
  if (Number(place.dataset.layers) === layers) return;
  place.dataset.layers = layers;
  const cards = Array.from({ length: layers }, (_, at) => {
    const card = back();
    setStyleProperty(card, "i", at);
    return card;
  });
  place.replaceChildren(...(layers > 0 ? cards : [empty()]));
}

/** Shows the legend of the chart: the players' colors, names and numbers of cards. */
export function showLegend(frame) {
  const items = facts.seats.map((_, seat) => {
    const item = createElement(
      "li",
      `s${(seat % 5) + 1}`,
      createElement("i"),
      `${playerName(seat)} `,
      createElement("b", "", formatNumber(frame.hands[seat])),
    );
    return item;
  });
  byId("legend").replaceChildren(...items);
}
