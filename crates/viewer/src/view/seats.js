// The table of a game of War: for each player their hand and the cards they put.

import { back, empty } from "./cards.js";
import { about } from "./data.js";
import { byId, element, style } from "./dom.js";
import { playerName } from "./headline.js";
import { rankCard } from "./rank-card.js";
import { change, number, say } from "./words.js";

/** Rank that stands for a face-down card in a frame. */
const HIDDEN = 0;

/** Maximum number of cards drawn in a stack: beside a name, and on the table. */
const [STACK, PILE] = [6, 10];

/** Creates the elements of all seats, which `showTurn` updates. */
export function createSeats() {
  const seats = about.seats.map((_, seat) => {
    const stack = element("div", "stack");
    stack.setAttribute("aria-hidden", "true");
    const plate = element(
      "div",
      "plate",
      stack,
      element("p", "name", playerName(seat)),
      element("p", "count", element("b"), " ", element("span", "unit"), " ", element("span", "delta")),
    );
    const pile = element("div", "pile");
    pile.setAttribute("aria-hidden", "true");
    return element("li", `seat s${(seat % 5) + 1}`, plate, pile, element("ul", "put"), element("p", "did"));
  });
  byId("seats").replaceChildren(...seats);
  style(byId("seats"), "n", seats.length);
  byId("seats").classList.toggle("many", seats.length > 2);
  byId("seats").classList.toggle("full", seats.length > 4);
}

/** Shows a turn; if `moves` is true, the cards are animated one after the other. */
export function showTurn(frame, moves) {
  const places = byId("seats").children;
  const longest = Math.max(1, ...frame.put.map((cards) => cards.length));
  style(byId("seats"), "k", longest);
  for (const [seat, place] of [...places].entries()) showSeat(place, frame, seat, moves);
}

function showSeat(place, frame, seat, moves) {
  const [hand, before, put] = [frame.hands[seat], frame.before[seat], frame.put[seat]];
  const isOut = hand === 0 && put.length === 0;
  place.classList.toggle("winner", frame.winner === seat);
  place.classList.toggle("out", isOut);
  // A player who put nothing has their hand on the table, as after the deal.
  place.classList.toggle("waits", put.length === 0);
  place.dataset.cards = hand;
  place.querySelector("b").textContent = number(hand);
  place.querySelector(".unit").textContent = say("cards", { n: hand });
  const delta = place.querySelector(".delta");
  delta.textContent = hand === before ? "" : change(hand - before);
  delta.classList.toggle("less", hand < before);
  style(place, "part", hand / about.cards);
  showStack(place.querySelector(".stack"), hand, STACK);
  showStack(place.querySelector(".pile"), hand, PILE);
  place.querySelector(".did").textContent = actionText(frame, seat, isOut);
  const cards = put.map((rank, at) => {
    const card = element(
      "li",
      moves ? "comes" : "",
      rank === HIDDEN ? back(say("face-down")) : rankCard(rank),
    );
    style(card, "i", at);
    return card;
  });
  const list = place.querySelector(".put");
  style(list, "own", Math.max(1, put.length));
  list.setAttribute("aria-label", say("put-by", { name: playerName(seat) }));
  list.replaceChildren(...cards);
}

/** Returns a short text about a player's turn. */
function actionText({ taken, out = [], end }, seat, isOut) {
  if (end && end.won === seat) return say("wins-game");
  if (out.includes(seat) || isOut) return say("out");
  if (taken && taken[seat] > 0) return say("took", { n: taken[seat] });
  return "";
}

/** Shows a stack whose height stands for the hand's share of all cards, or an empty place. */
function showStack(place, hand, most) {
  const layers = Math.min(most, Math.ceil((most * hand) / about.cards));
  if (Number(place.dataset.layers) === layers) return;
  place.dataset.layers = layers;
  const cards = Array.from({ length: layers }, (_, at) => {
    const card = back();
    style(card, "i", at);
    return card;
  });
  place.replaceChildren(...(layers > 0 ? cards : [empty()]));
}

/** Shows the legend of the chart: the players' colors, names and numbers of cards. */
export function showLegend(frame) {
  const items = about.seats.map((_, seat) => {
    const item = element(
      "li",
      `s${(seat % 5) + 1}`,
      element("i"),
      `${playerName(seat)} `,
      element("b", "", number(frame.hands[seat])),
    );
    return item;
  });
  byId("legend").replaceChildren(...items);
}
