// Fields of the records, as in the tables of the journal format.

import { UnknownName, ensure } from "./fault.js";
import { allOf, fields, integer, list, oneField, oneOf, orNull, pair, text, toJson } from "./validators.js";

export const CHACHA = "chacha8-fisher-yates/1";
export const JAVA = "java-util-random/1";
export const XOSHIRO = "xoshiro256++-fisher-yates/1";
export const HMAC = "hmac-sha256-chacha8-fisher-yates/1";

const [U8, U32] = [integer(0, 2 ** 8 - 1), integer(0, 2 ** 32 - 1)];
const [U64, I64] = [integer(0, 2n ** 64n - 1n), integer(-(2n ** 63n), 2n ** 63n - 1n)];
const [PLAYER, PUBLIC_ID] = [integer(1, 255), integer(1, 2 ** 53 - 1)];
const TEXT = text(/^/);
const [DIGITS_16, DIGITS_32, DIGITS_64] = [16, 32, 64].map((count) =>
  text(new RegExp(`^[0-9a-f]{${count}}$`)),
);

const VISIBLE =
  "[^\\0-\\x1f\\x7f-\\x9f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f" +
  "\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ue000-\\uf8ff\\ufeff\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff" +
  "\\u{e0000}-\\u{10ffff}]";
const NAME = text(new RegExp(`^(?!\\s)(?=.*[^\\ufe00-\\ufe0f])${VISIBLE}{1,32}(?<!\\s)$`, "u"));
const SEED = allOf(text(new RegExp(`^${VISIBLE}*$`, "u")), maxBytes(64));

function maxBytes(bytes) {
  return (value) => {
    ensure(new TextEncoder().encode(value).length <= bytes, "WJ103");
    return value;
  };
}

function distinctPair(value) {
  ensure(value[0] !== value[1], "WJ103");
  return value;
}

/** Returns the cards of a deck, in ascending order for each suit, or null for an unknown name. */
export function deckOf(name) {
  const known = { small: [9, 14, 4], large: [2, 14, 4], thirteen: [1, 13, 4] };
  if (/^[1-9][0-9]?x[1-9][0-9]{0,2}$/.test(name) && name !== "6x4" && name !== "13x4") {
    const [ranks, suits] = name.split("x").map(Number);
    const highest = Math.max(ranks, 14);
    if (ranks <= 64 && ranks * suits >= 2 && ranks * suits <= 255)
      known[name] = [highest - ranks + 1, highest, suits];
  }
  if (!Object.hasOwn(known, name)) return null;
  const [lowest, highest, suits] = known[name];
  const cards = [];
  for (let suit = 0; suit < suits; suit += 1)
    for (let rank = lowest; rank <= highest; rank += 1) cards.push(rank);
  return cards;
}

function validateDeck(name) {
  if (deckOf(name) === null) throw new UnknownName("WJ202");
  return name;
}

const COLLECT = oneOf(
  "seat",
  "seat-interleaved",
  "winner-first",
  "winner-pile",
  "bataille",
  "shuffled",
  "highest-first",
  "reversed-pile",
  "random",
);

/** Validates a collecting order, or one for each player, separated by commas. */
function validateOrders(value) {
  value.split(",").forEach(COLLECT);
  return value;
}

/** Returns true if one text comes before another in the order of their UTF-8 bytes. */
function isBefore(one, other) {
  const [ones, others] = [one, other].map((each) =>
    Array.from(each, (character) => character.codePointAt(0)),
  );
  const at = ones.findIndex((point, place) => point !== others[place]);
  return at < 0 ? ones.length < others.length : at < others.length && ones[at] < others[at];
}

/** Validates free-form notes, which stay a map: an object would reorder names that are numbers. */
function validateMeta(value) {
  ensure(value instanceof Map && value.size <= 64, "WJ103");
  const names = [...value.keys()];
  ensure(
    names.every((name, at) => name !== "" && (at === 0 || isBefore(names[at - 1], name))),
    "WJ103",
  );
  for (const note of value.values()) TEXT(note);
  maxBytes(8192)(toJson(value));
  return value;
}

const GENERATOR = oneOf(CHACHA, JAVA, XOSHIRO, HMAC);
const GENERATED = { generator: GENERATOR, seed: TEXT };
const RULES_FIELDS = fields({
  id: TEXT,
  "face_down?": U8,
  "collect?": allOf(TEXT, validateOrders),
  "out_of_cards?": oneOf("eoc", "loses", "last-card", "shrink"),
  "repetition?": oneOf("ends", "goes-on"),
  "max_turns?": U32,
});
const DEAL = oneField({
  shuffled: fields(GENERATED),
  fixed: fields({ ...GENERATED, player: PLAYER, cards: list(integer(1, 64)) }),
  scenario: fields({ name: TEXT }),
  imported: fields({}),
  committed: fields({ generator: GENERATOR, game: U64, commitment: DIGITS_64, seed: DIGITS_64 }),
});
const PROVIDED = fields({ provided: TEXT });
const CORRECTION = oneField({
  both: fields({ players: TEXT, deck: TEXT }),
  players_out_of_range: PROVIDED,
  players_unparseable: PROVIDED,
  players_missing: fields({}),
  deck_unrecognized: PROVIDED,
  deck_missing: fields({}),
});
const CONSOLE = fields({
  renderer: allOf(U32, oneOf(0, 1)),
  lang: oneOf("en", "pl"),
  corrections: list(CORRECTION),
});
const HEADER = {
  format: TEXT,
  version: U32,
  engine: TEXT,
  rules: RULES_FIELDS,
  players: U8,
  deck: allOf(TEXT, validateDeck),
  deal: DEAL,
  console: CONSOLE,
};
const CHAIN = { chain: DIGITS_32 };

/** Validators of the header, by format version. */
export const HEADERS = {
  1: fields({ ...HEADER, ...CHAIN }),
  2: fields({ ...HEADER, meta: validateMeta, "upgraded_from?": DIGITS_32, ...CHAIN }),
};

/** Validators of an event's record, in full and in a compact journal. */
export const eventRecord = (event) => fields({ seq: U64, turn: U32, event, state: DIGITS_16, ...CHAIN });
export const compactRecord = (event) => fields({ event });

const END = {
  reason: oneOf("won", "endless", "drawn", "stopped", "folded", "cut_off"),
  winner: orNull(PLAYER),
  turns: U32,
  events: U64,
  console: fields({ bytes: U64, blake3: DIGITS_64 }),
};

/** Validators of the end record, by format version. */
export const END_RECORDS = { 1: fields({ ...END, ...CHAIN }), 2: fields({ end: fields(END), ...CHAIN }) };

/** Validates events of a game of War, with cards up to this rank. */
export function warEvents(highest) {
  const card = integer(1, highest);
  const played = { plays: list(fields({ player: PLAYER, card, "index?": integer(1, 2 ** 16 - 1) })) };
  const hands = fields({ hands: list(list(card)) });
  const taken = fields({ player: PLAYER, cards: list(card) });
  return oneField({
    dealt: hands,
    reshuffled: hands,
    clash: fields(played),
    face_down: fields(played),
    war_round: fields({ round: U32, ...played }),
    end_of_cards: fields({ player: PLAYER, step: oneOf("face_down", "face_up", "turn_end") }),
    collected: taken,
    drawn: fields({ takes: list(taken) }),
    won: fields({ player: PLAYER }),
    endless: fields({ from: U32, to: U32 }),
    drawn_game: fields({}),
    stopped: fields({ winner: orNull(PLAYER) }),
  });
}

/** Validates events of a token game. */
export const TOKEN_EVENTS = oneField({
  started: fields({ players: pair(NAME) }),
  seeded: fields({ player: PLAYER, value: SEED }),
  committed: fields({ players: allOf(pair(PUBLIC_ID), distinctPair), seed_hashes: pair(DIGITS_64) }),
  duel_started: fields({}),
  opened: fields({ player: PLAYER, seed: DIGITS_64 }),
  forfeited: fields({ player: PLAYER }),
  dealt: fields({ hands: pair(list(text(/^[2-9TJQKA][cdhs]$/))) }),
  decided: fields({ player: PLAYER, decision: oneOf("play", "fold"), timed_out: oneOf(false, true) }),
  tied: fields({}),
  settled: fields({ deltas: pair(I64) }),
});
