// Checks of the corrections in a header: typed values must be wrong, and their replacements right.

import { ensure } from "./fault.js";
import { onlyField } from "./validators.js";

/** Valid lists of corrections, each followed by a space. */
const LISTS = new RegExp(
  "^(?:|both |players_(?:out_of_range|unparseable) (?:deck_missing )?" +
    "|players_missing (?:deck_unrecognized )?|deck_(?:unrecognized|missing) )$",
);

/**
 * Checks the corrections of a header.
 * @throws {Fault} if they don't match the rules or the header
 */
export function checkCorrections(id, rules, header, isScenario) {
  const corrections = header.console.corrections.map(onlyField);
  const kinds = corrections.map(([kind]) => `${kind} `).join("");
  const isAllowed =
    kinds === "" || id.includes("duels") || (id === "classic/1" && !kinds.includes("missing"));
  ensure(LISTS.test(kinds) && isAllowed, "WJ103");
  for (const [kind, typed] of corrections) checkCorrection(kind, typed, rules, header, isScenario);
}

function checkCorrection(kind, typed, rules, header, isScenario) {
  const text = typed.players ?? typed.provided ?? "";
  const isNumber = /^[+-]?[0-9]+$/.test(text);
  const number = isNumber ? Number(text) : 2;
  const nearest = Math.min(Math.max(number, rules.players[0]), rules.players[1]);
  const isBadDeck = !/^(?:small|large)$/i.test(typed.deck ?? text);
  const wrong = {
    both: isBadDeck && !(isNumber && number === nearest),
    players_out_of_range: isNumber && number !== nearest,
    players_unparseable: !isNumber,
    deck_unrecognized: isBadDeck,
  };
  ensure(wrong[kind] ?? true, "WJ103");
  const players = kind === "players_out_of_range" ? nearest : 2;
  const fits =
    (kind.startsWith("deck") || header.players === players) &&
    (kind.startsWith("players") || header.deck === "small");
  ensure(fits || isScenario, "WJ103");
}
