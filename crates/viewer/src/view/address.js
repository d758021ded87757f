// What the address of the page says behind `#`: the turn, and the language if it is another one
// than that of the page.

import { OWN, language } from "./words.js";

/** The turn and the language that the address names, where it does. */
export function addressed() {
  const said = new URLSearchParams(location.hash.slice(1));
  const turn = said.get("turn") ?? "";
  return { turn: /^\d{1,10}$/.test(turn) ? Number(turn) : null, lang: said.get("lang") };
}

/** Says where the game is. */
export function address(turn) {
  const hash = `#turn=${turn}${language() === OWN ? "" : `&lang=${language()}`}`;
  if (location.hash !== hash) history.replaceState(null, "", hash);
}
