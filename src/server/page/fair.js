// Checks a finished game by what the player holds themselves: the commitments told before the
// seeds were opened, their own seed, the cards they saw, what they decided, and the balance
// they had. Nothing here believes what the table says of them afterwards.

import { dealt } from "./deal.js";
import { change, compared, outcome } from "./games.js";
import { hex, isHash, sha256OfHex, utf8 } from "./sha256.js";

/** What is checked, by the keys of the words. */
const CHECKS = {
  "fair-commitment": isCommitted,
  "fair-seed": isMine,
  "fair-their-seed": isTheirs,
  "fair-cards": areCards,
  "fair-outcome": isOutcome,
  "fair-balance": isBalance,
};

/**
 * What is right and wrong about a finished game of rules version 2, by the keys of the words.
 *
 * `game` is what the player holds: `id`, `kind`, `seat`, `commitment` and `seedHashes` as told
 * at the start, their own `seed`, the `hands` they saw, what was `decided` in each deal as
 * `{decision, timed_out}`, what they `sent` for each deal where that is known, and the balance
 * `before`. `result` is the table's message.
 */
export function verify(game, result) {
  return Object.entries(CHECKS).map(([key, holds]) => ({ key, right: firm(() => holds(game, result)) }));
}

/** Whether the player's own seed is one of those that a game was started with. */
export function isSeedIn({ seat, seedHashes, seed }) {
  return firm(() => isHash(seed) && sha256OfHex(seed) === seedHashes[seat - 1]);
}

/** A message that makes no sense is as wrong as one that lies. */
function firm(holds) {
  try {
    return holds() === true;
  } catch {
    return false;
  }
}

function isCommitted({ commitment }, { reveal }) {
  return isHash(reveal.seed) && sha256OfHex(reveal.seed) === commitment;
}

/** Who did not open their seed in time finds none there; nobody finds another one. */
function isMine(game, result) {
  const revealed = result.reveal.client_seeds[game.seat - 1];
  if (revealed === null) return forfeited(result, game.seat) && isSeedIn(game);
  return isSeedIn(game) && revealed === game.seed;
}

function isTheirs({ seat, seedHashes }, result) {
  const other = 3 - seat;
  const revealed = result.reveal.client_seeds[other - 1];
  if (result.reveal.seed_hashes.join() !== seedHashes.join()) return false;
  if (revealed === null) return forfeited(result, other);
  return isHash(revealed) && sha256OfHex(revealed) === seedHashes[other - 1];
}

/** The hands that the player saw, and all that were shown, follow from the seeds. */
function areCards(game, { reveal, cards, decisions }) {
  const hands = handsOf(game, reveal);
  if (!hands.every(([mine], deal) => same(mine, game.hands[deal]))) return false;
  const open = decisions?.yours === "play" && decisions?.theirs === "play";
  if (!open) return true;
  const [mine, theirs] = hands.at(-1);
  return same(mine, cards.yours) && same(theirs, cards.theirs);
}

/** Equal cards of two who play, and nothing else, led to each new deal; the last deal decided. */
function isOutcome(game, result) {
  const { delta } = result;
  if (result.outcome !== outcome(...decisionsOf(game, result), delta)) return false;
  const comparisons = handsOf(game, result.reveal).map(([mine, theirs]) => compared(mine, theirs));
  const last = comparisons.pop() ?? 0;
  if (comparisons.some((comparison) => comparison !== 0)) return false;
  const expected = change(game.kind, ...decisionsOf(game, result), last);
  return delta !== 0 && delta === expected && isAsDecided(game, result);
}

function isBalance({ before }, { balance, delta }) {
  return balance === before + delta;
}

/** What both decided; who did not open their seed folds. */
function decisionsOf({ seat }, result) {
  const gone = (place) => (forfeited(result, place) ? "fold" : "play");
  const { yours, theirs } = result.decisions ?? { yours: gone(seat), theirs: gone(3 - seat) };
  return [yours, theirs];
}

/** Time folds for who did not decide; it never plays, and never decides for who did. */
function isAsDecided({ hands, decided, sent }, { decisions }) {
  return hands.every((_, at) => {
    const is = at < hands.length - 1 ? "play" : decisions.yours;
    const told = decided[at];
    if (told && told.decision !== is) return false;
    if (!sent) return true;
    return sent[at] === is || (is === "fold" && told?.timed_out === true);
  });
}

/** The hands of every deal that the player saw, their own one first; none without both seeds. */
function handsOf({ id, kind, seat, hands }, { seed, client_seeds: seeds, deals }) {
  if (deals !== hands.length || (deals > 0 && !seeds.every(isHash))) throw new Error("not their deals");
  return hands.map((_, at) => {
    const both = dealt(`${kind}/2`, id, at + 1, seed, seeds);
    return [both[seat - 1], both[2 - seat]];
  });
}

function forfeited({ forfeited }, seat) {
  return forfeited?.includes(seat) ?? false;
}

function same(one, other) {
  return one.join() === other.join();
}

/** What is right and wrong about the deals of a game of rules version 1. */
export function check(game, { reveal, cards }) {
  const { seed, client_seeds: seeds, deals } = reveal;
  const digits = seeds.map((text) => hex(utf8(text)));
  const numbers = Array.from({ length: deals }, (_, at) => at + 1);
  const hands = numbers.map((deal) => dealt(`${game.kind}/1`, game.id, deal, seed, digits));
  const mine = hands.map((both) => both[game.seat - 1]);
  const theirs = hands.at(-1)[2 - game.seat];
  const shown = !cards || (same(mine.at(-1), cards.yours) && same(theirs, cards.theirs));
  const seen = mine.length === game.hands.length && mine.every((hand, at) => same(hand, game.hands[at]));
  return [
    { key: "fair-commitment", right: isCommitted(game, { reveal }) },
    { key: "fair-seed", right: seeds[game.seat - 1] === (game.seed ?? "") },
    { key: "fair-cards", right: seen && shown },
  ];
}
