// Hands of cards, and the tokens of an opponent.

import { back, face } from "../cards.js";
import { GAMES, sortedHand } from "../state/rules.js";
import { all, byId } from "./dom.js";
import { cardName, handName } from "./labels.js";
import { language, say } from "./words.js";

/** @import { Card, Kind } from "../protocol/messages.js" */

/**
 * Renders an opponent's tokens; nothing if they are unknown.
 *
 * @param {string} id
 * @param {number | undefined} balance
 */
export function renderTokens(id, balance) {
  byId(id).textContent = balance === undefined ? "" : say("tokens", { n: balance });
}

/**
 * Returns a face-down hand of a game.
 *
 * @param {Kind} kind
 * @returns {Card[]}
 */
export function faceDownHand(kind) {
  return Array(GAMES[kind].cards).fill("back");
}

/**
 * Renders a hand, the highest card first. Cards that are already there stay, so that each is dealt
 * only once.
 *
 * @param {string} id
 * @param {Card[]} hand
 */
export function renderHand(id, hand) {
  const list = byId(id);
  const isFaceDown = hand.includes("back");
  const cards = isFaceDown ? hand : sortedHand(hand);
  const shown = [language(), ...cards].join(" ");
  const before = list.dataset.cards ?? "";
  if (before === shown) return;
  list.dataset.cards = shown;
  // A change of the language must not animate the deal again.
  list.classList.toggle("kept", before.split(" ").slice(1).join(" ") === cards.join(" "));
  list.replaceChildren(
    ...cards.map((card) => {
      const item = document.createElement("li");
      item.append(cardDrawing(card));
      return item;
    }),
  );
  const caption = document.getElementById(`${id}-names`);
  if (caption) caption.textContent = isFaceDown ? "" : handName(cards);
}

/** Renders the decorative fans of cards. */
export function renderFans() {
  for (const fan of all("[data-fan]", HTMLElement)) {
    const cards = (fan.dataset.fan ?? "").split(" ");
    fan.replaceChildren(...cards.map(cardDrawing));
  }
}

/**
 * Draws a card, or the back of one.
 *
 * @param {Card} card
 */
export function cardDrawing(card) {
  return card === "back" ? back(say("face-down")) : face(card, cardName(card));
}
