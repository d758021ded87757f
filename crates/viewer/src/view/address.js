// Fragment of the page's address: the turn, and the language if it isn't the one in which the page
// opens.

import { PAGE_LANGUAGE, language } from "./words.js";

/** Reads the turn and the language from the address; either may be null. */
export function readAddress() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const turn = parameters.get("turn") ?? "";
  return { turn: /^\d{1,10}$/.test(turn) ? Number(turn) : null, lang: parameters.get("lang") };
}

/** Writes the turn and the language to the address. */
export function writeAddress(turn) {
  const hash = `#turn=${turn}${language() === PAGE_LANGUAGE ? "" : `&lang=${language()}`}`;
  if (location.hash !== hash) history.replaceState(null, "", hash);
}
