// Elements of the page, and the hands of cards in it. Whatever came from people is only ever
// shown as text.

import { name, names } from "./card-names.js";
import { back, face } from "./cards.js";
import { highestFirst } from "./games.js";
import { language, say } from "./words.js";

export const byId = (id) => document.getElementById(id);

/** A new element with this text. */
export function element(kind, text) {
  const made = document.createElement(kind);
  made.textContent = text;
  return made;
}

/** Who plays against the player: the name is not the only one of its kind, the number is. */
export function named({ name, player }) {
  return say("player-named", { name: name ?? say("nameless"), player: String(player) });
}

/**
 * Shows a hand, the highest card first; the same cards stay as they are, so that they are
 * dealt only once.
 */
export function hand(id, dealt) {
  const list = byId(id);
  const hidden = dealt.includes("back");
  const cards = hidden ? dealt : highestFirst(dealt);
  const shown = [language(), ...cards].join(" ");
  if (list.dataset.cards === shown) return;
  list.dataset.cards = shown;
  list.replaceChildren(...cards.map((card) => {
    const item = document.createElement("li");
    item.append(drawing(card));
    return item;
  }));
  const caption = byId(`${id}-names`);
  if (caption) caption.textContent = hidden ? "" : names(cards);
}

/** Fills the fans of cards that only decorate. */
export function decorate() {
  for (const fan of document.querySelectorAll("[data-fan]")) {
    const cards = fan.dataset.fan.split(" ");
    fan.replaceChildren(...cards.map(drawing));
  }
}

function drawing(card) {
  return card === "back" ? back(say("face-down")) : face(card, name(card));
}
