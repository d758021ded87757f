// Elements of the page, and the hands of cards in it. Whatever came from people is only ever
// shown as text.

import { name, names } from "./labels.js";
import { back, face } from "../cards.js";
import { GAMES, highestFirst } from "../state/rules.js";
import { language, say } from "./words.js";

/** @import { Card, Kind, Opponent } from "../protocol/messages.js" */

/**
 * The element of this id, of a kind.
 *
 * @overload
 * @param {string} id
 * @returns {HTMLElement}
 */
/**
 * @template {HTMLElement} E
 * @overload
 * @param {string} id
 * @param {new () => E} kind
 * @returns {E}
 */
/**
 * @param {string} id
 * @param {new () => HTMLElement} kind
 */
export function byId(id, kind = HTMLElement) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`there is no \`${id}\` of this kind`);
  return found;
}

/**
 * The elements of a selector, of a kind.
 *
 * @template {Element} E
 * @param {string} selector
 * @param {new () => E} kind
 * @returns {E[]}
 */
export function all(selector, kind) {
  const found = Array.from(document.querySelectorAll(selector));
  return found.filter(/** @returns {element is E} */ (element) => element instanceof kind);
}

/**
 * A new element with this text.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} kind
 * @param {string} text
 */
export function element(kind, text) {
  const made = document.createElement(kind);
  made.textContent = text;
  return made;
}

/**
 * A new shape of a picture with these attributes.
 *
 * @param {string} kind
 * @param {Record<string, string | number>} attributes
 */
export function drawn(kind, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

/**
 * Who plays against the player: the name is not the only one of its kind, the number is.
 *
 * @param {Opponent} opponent
 */
export function named({ name, player }) {
  return say("player-named", { name: name ?? say("nameless"), player: String(player) });
}

/**
 * Shows the tokens that the opponent has; nothing where they are not known.
 *
 * @param {string} id
 * @param {number | undefined} balance
 */
export function tokens(id, balance) {
  byId(id).textContent = balance === undefined ? "" : say("tokens", { n: balance });
}

/**
 * A hand of a game that nobody has seen.
 *
 * @param {Kind} kind
 * @returns {Card[]}
 */
export function backsOf(kind) {
  return Array(GAMES[kind].cards).fill("back");
}

/**
 * Shows a hand, the highest card first; the same cards stay as they are, so that they are
 * dealt only once.
 *
 * @param {string} id
 * @param {Card[]} dealt
 */
export function hand(id, dealt) {
  const list = byId(id);
  const hidden = dealt.includes("back");
  const cards = hidden ? dealt : highestFirst(dealt);
  const shown = [language(), ...cards].join(" ");
  const before = list.dataset.cards ?? "";
  if (before === shown) return;
  list.dataset.cards = shown;
  // Another language deals nothing again.
  list.classList.toggle("kept", before.split(" ").slice(1).join(" ") === cards.join(" "));
  list.replaceChildren(
    ...cards.map((card) => {
      const item = document.createElement("li");
      item.append(drawing(card));
      return item;
    }),
  );
  const caption = document.getElementById(`${id}-names`);
  if (caption) caption.textContent = hidden ? "" : names(cards);
}

/** Fills the fans of cards that only decorate. */
export function decorate() {
  for (const fan of all("[data-fan]", HTMLElement)) {
    const cards = (fan.dataset.fan ?? "").split(" ");
    fan.replaceChildren(...cards.map(drawing));
  }
}

/**
 * The picture of a card, or of the back of one.
 *
 * @param {Card} card
 */
export function drawing(card) {
  return card === "back" ? back(say("face-down")) : face(card, name(card));
}
