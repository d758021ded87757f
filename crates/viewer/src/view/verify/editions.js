// The rules by id, and checks of headers against them.

import { createGenerator } from "./chance.js";
import { checkCorrections } from "./corrections.js";
import { ensure } from "./fault.js";
import { CHACHA, HMAC, JAVA, XOSHIRO } from "./fields.js";
import { isEqual, omitFields, onlyField } from "./validators.js";

const PARAMETERS = ["face_down", "collect", "out_of_cards"];

// `players` has the minimum and the maximum, `deals` the allowed generators of each kind of deal.
const DUELS = {
  face_down: 1,
  collect: "seat",
  out_of_cards: "eoc",
  decks: ["small", "large"],
  players: [2, 5],
  deals: { shuffled: [CHACHA], scenario: [undefined] },
  holds: (cards) => cards >= 1 && cards <= 10_000,
  lowest: 1,
  repetition: "goes-on",
};
const SIMULATED_DEALS = { shuffled: [CHACHA, XOSHIRO], fixed: [XOSHIRO], scenario: [undefined] };
const CLASSIC = {
  ...DUELS,
  players: [1, 5],
  deals: SIMULATED_DEALS,
  holds: (cards) => cards === 24 || cards === 52,
  lowest: 2,
  repetition: "ends",
};
const XY = {
  face_down: 3,
  collect: "shuffled",
  out_of_cards: "shrink",
  decks: ["thirteen"],
  players: [2, 2],
  deals: { shuffled: [JAVA, XOSHIRO], fixed: [XOSHIRO], imported: [undefined] },
};
const CUSTOM = {
  isCustom: true,
  players: [2, 5],
  deals: { shuffled: [XOSHIRO], fixed: [XOSHIRO], scenario: [undefined] },
  holds: (cards) => cards >= 2 && cards <= 255,
  lowest: 1,
};
// Token games have the number of cards in a hand, and the stakes by the number of players who fold.
const SINGLE = { deals: { committed: [HMAC] }, first: "started", hand: 1, stakes: [10, 3, 1] };
const DOUBLE = { ...SINGLE, hand: 2, stakes: [20, 5, 2] };

const RULES = new Map(
  Object.entries({
    "classic/1": CLASSIC,
    "duels/1": { ...DUELS, deals: SIMULATED_DEALS },
    "duels-default/1": DUELS,
    "duels-shuffle/1": { ...DUELS, repetition: "reshuffles" },
    "duels-random/1": DUELS,
    "xy/1": XY,
    "custom/1": CUSTOM,
    "two-piles/1": { ...CUSTOM, piles: "shuffled" },
    "two-piles-turned/1": { ...CUSTOM, piles: "turned" },
    "single-card-game/1": SINGLE,
    "double-card-game/1": DOUBLE,
    "single-card-game/2": { ...SINGLE, first: "committed" },
    "double-card-game/2": { ...DOUBLE, first: "committed" },
    "daily/1": { ...DOUBLE, first: "duel_started" },
  }),
);

/** Returns true if rules with this id are known. */
export const hasRules = (id) => RULES.has(id);

/** Returns the rules of a header, including its parameters. */
export const rulesOf = ({ rules }) => ({ ...RULES.get(rules.id), ...rules });

/**
 * Checks that parameters, deal and corrections match the rules.
 * @throws {Fault} if they don't
 */
export function checkHeader(header) {
  const { id } = header.rules;
  const rules = RULES.get(id);
  const [kind, deal] = onlyField(header.deal);
  checkParameters(rules, omitFields(header.rules, "id"));
  ensure(rules.deals[kind]?.includes(deal.generator) ?? false, "WJ103");
  if (kind === "shuffled" || kind === "fixed") createGenerator(deal.generator, deal.seed);
  ensure(kind !== "scenario" || !/[/\0]/.test(deal.name), "WJ103");
  checkCorrections(id, rules, header, kind === "scenario");
}

function checkParameters(rules, parameters) {
  if (rules.hand) {
    ensure(Object.keys(parameters).length === 0, "WJ103");
    return;
  }
  ensure(
    PARAMETERS.every((name) => name in parameters),
    "WJ103",
  );
  const known = Object.fromEntries(PARAMETERS.map((name) => [name, rules[name]]));
  const isSupported = rules.isCustom ? areValidCustom(parameters) : isEqual(parameters, known);
  ensure(isSupported, "WJ003", "UNSUPPORTED");
}

function areValidCustom({ face_down: down, collect, out_of_cards: out, repetition }) {
  if (down > 5 || repetition === undefined) return false;
  const orders = collect.split(",");
  const most = out === "eoc" ? 5 : 2;
  return orders.length === 1 || (new Set(orders).size > 1 && orders.length <= most);
}
