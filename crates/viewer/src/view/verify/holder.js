// A player at a table of War, and the order in which they collect cards.

/** Value of `down` for a face-up card, which sorts after the face-down cards of its round. */
const FACE_UP = 99;

/** A player with a hand and a pile. */
export class CardHolder {
  /**
   * @param {number} number  from 1
   * @param {number[]} hand  top card first
   */
  constructor(number, hand) {
    this.number = number;
    this.hand = [...hand];
    this.isInGame = hand.length > 0;
    /** Number of cards at the bottom of the hand that form the second pile. */
    this.secondPileSize = 0;
    this.clear();
  }

  /** Clears the pile, the number of face-up cards, the rank of the last face-up card, and the
   *  number of face-down cards after it. */
  clear() {
    this.pile = [];
    this.faceUpCount = 0;
    this.rank = 0;
    this.faceDownCount = 0;
  }

  /** Puts the card at this index of the hand on the pile. */
  put(index, isUp) {
    const [card] = this.hand.splice(index, 1);
    this.pile.push({ card, up: this.faceUpCount, down: isUp ? FACE_UP : this.faceDownCount, by: this });
    if (isUp) [this.faceUpCount, this.rank, this.faceDownCount] = [this.faceUpCount + 1, card, 0];
    else this.faceDownCount += 1;
  }

  cards() {
    return this.pile.map(({ card }) => card);
  }

  /** Adds cards to the bottom of the hand, or to the second pile. */
  take(cards, isSecond) {
    this.hand.push(...cards);
    if (isSecond) this.secondPileSize += cards.length;
  }

  /** Returns true if all cards are in the second pile. */
  hasOnlySecondPile() {
    return this.secondPileSize > 0 && this.secondPileSize === this.hand.length;
  }
}

const byRound = (one, other) => one.up - other.up || one.down - other.down;
const byLoser = (winner) => (one, other) => (one.by !== winner) - (other.by !== winner);

/** Comparison functions of the orders of `collect`, by winner. Cards that compare as equal stay
 *  player by player, in the order put. */
const ORDERS = {
  seat: () => () => 0,
  "seat-interleaved": () => byRound,
  "winner-first": (winner) => (one, other) => byRound(one, other) || byLoser(winner)(one, other),
  "winner-pile": byLoser,
  bataille: (winner) => (one, other) => byRound(other, one) || byLoser(winner)(one, other),
  shuffled: byLoser,
  random: byLoser,
  "highest-first": () => (one, other) => other.card - one.card,
  "reversed-pile": () => (one, other) =>
    one.up - other.up || (one.down === FACE_UP) - (other.down === FACE_UP),
};

/**
 * Returns the cards that a winner collects, in this order; `source` is the source of chance.
 * @param {string} order  one of the orders of `collect`
 */
export function collectCards(order, winner, holders, source) {
  const table = holders.flatMap(({ pile }) => pile).sort(ORDERS[order](winner));
  const cards = table.map(({ card }) => card);
  const own = winner.pile.length;
  if (order === "reversed-pile") cards.reverse();
  if (order === "random") return source.chooseOrder(cards, [...cards.slice(own), ...cards.slice(0, own)]);
  if (order === "shuffled") {
    const others = cards.splice(own);
    source.shuffle(others);
    cards.push(...others);
    source.shuffle(cards);
  }
  return cards;
}
