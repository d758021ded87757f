// The rules of a game of War, and its table.

import { RecordedChance, createGenerator, sortCards } from "./chance.js";
import { rulesOf } from "./editions.js";
import { ensure } from "./fault.js";
import { deckOf, warEvents } from "./fields.js";
import { CardHolder, collectCards } from "./holder.js";
import { isEqual, onlyField } from "./validators.js";

const OUTCOMES = { won: "won", endless: "endless", drawn_game: "drawn", stopped: "stopped" };
const NO_LIMIT = 2 ** 32 - 1;

export class WarGame {
  /** @param {object} header  in canonical form */
  constructor(header) {
    this.header = header;
    this.rules = rulesOf(header);
    this.eventValidator = warEvents(this.rules.isCustom ? 64 : 14);
    this.orders = this.rules.collect.split(",");
    this.turn = 0;
    /** Outcome and winner of the game. */
    this.outcome = null;
    this.holders = null;
    this.chance = null;
    this.seenHands = new Map();
    this.last = "";
  }

  /**
   * Checks the next event and applies it.
   * @throws {Fault} if the event can't come next
   */
  play(event) {
    const [kind, content] = onlyField(event);
    if (this.holders === null) {
      ensure(kind === "dealt" && this.isPossibleDeal(content.hands), "WJ303", "DIVERGED");
    } else {
      this.check(event, content);
    }
    this.apply(kind, content);
  }

  check(event, content) {
    ensure(this.outcome === null, "WJ301", "DIVERGED");
    this.source = this.chance ?? new RecordedChance(content);
    const expected = this.nextEvent();
    if (isEqual(event, expected)) return;
    const isChance = isEqual(this.withoutChance(event), this.withoutChance(expected));
    ensure(false, isChance ? "WJ303" : "WJ301", "DIVERGED");
  }

  /** Returns an event without the results of chance. */
  withoutChance(event) {
    const [kind, content] = onlyField(event);
    const { collect } = this.rules;
    const kept = (cards) => (this.chance ? sortCards(cards) : null);
    const isByChance = /shuffled|random/.test(collect);
    if (kind === "collected" && isByChance) return { ...content, cards: kept(content.cards) };
    if (kind === "drawn") return content.takes.map((take) => ({ ...take, cards: kept(take.cards) }));
    if (kind === "reshuffled" && this.rules.piles !== "turned") return content.hands.map(kept);
    if (content.plays && this.rules.id === "duels-random/1") {
      return { kind, round: content.round, players: content.plays.map(({ player }) => player) };
    }
    return event;
  }

  /** Returns true if the rules allow these hands, and the generator, if any, deals them. */
  isPossibleDeal(hands) {
    const {
      rules,
      header: { deck: name, players, deal },
    } = this;
    const cards = hands.flat();
    const [fewest, most] = rules.out_of_cards === "eoc" ? rules.players : [2, 2];
    const fits =
      hands.length === players &&
      players >= fewest &&
      players <= most &&
      (this.orders.length === 1 || this.orders.length === players);
    if (!fits || (rules.decks && !rules.decks.includes(name))) return false;
    const [kind, dealt] = onlyField(deal);
    if (kind === "scenario") {
      return (
        rules.holds(cards.length) &&
        cards.every((card) => card >= rules.lowest) &&
        name === (cards.length <= 24 ? "small" : "large")
      );
    }
    if (kind === "imported") return isEqual(sortCards(cards), sortCards(deckOf(name)));
    const given = this.generateHands(dealt);
    return given !== null && isEqual(hands, given);
  }

  /** Returns the hands that the generator deals, or null if the deal is impossible. */
  generateHands({ generator: name, seed, player = 0, cards = [] }) {
    const { players } = this.header;
    const [deck, fixed] = [deckOf(this.header.deck), [...cards]];
    if (player > players || (player > 0 && players === 1)) return null;
    for (const card of fixed) {
      const at = deck.indexOf(card);
      if (at < 0) return null;
      deck.splice(at, 1);
    }
    this.chance = createGenerator(name, seed);
    this.chance.shuffle(fixed);
    this.chance.shuffle(deck);
    const others = players - (player > 0);
    const hands = Array.from({ length: others }, (_, first) =>
      deck.filter((_card, at) => at % others === first),
    );
    if (player > 0) hands.splice(player - 1, 0, fixed);
    return hands;
  }

  apply(kind, content) {
    if (kind === "dealt") this.holders = content.hands.map((hand, seat) => new CardHolder(seat + 1, hand));
    if (kind === "reshuffled") this.reorder(content.hands);
    if (kind === "clash") this.turn += 1;
    for (const { player, index = 0 } of content.plays ?? [])
      this.holder(player).put(index, kind !== "face_down");
    if (kind === "end_of_cards") this.holder(content.player).isInGame = false;
    if (kind === "collected" || kind === "drawn") {
      for (const { player, cards } of content.takes ?? [content]) {
        this.holder(player).take(cards, this.rules.piles !== undefined);
      }
      for (const holder of this.holders) holder.clear();
    }
    if (Object.hasOwn(OUTCOMES, kind))
      this.outcome = [OUTCOMES[kind], content.player ?? content.winner ?? null];
    this.last = kind;
  }

  holder(player) {
    return this.holders[player - 1];
  }

  reorder(hands) {
    for (const [at, holder] of this.holders.entries()) {
      if (holder.hasOnlySecondPile()) holder.secondPileSize = 0;
      holder.hand = [...hands[at]];
    }
  }

  /** Returns the text that is hashed after an event. */
  state() {
    const lists = (of) => this.holders.map((holder) => `[${of(holder)}]`).join(",");
    const [hands, table] = [lists(({ hand }) => hand), lists((holder) => holder.cards())];
    return `{"turn":${this.turn},"hands":[${hands}],"table":[${table}]}`;
  }

  /** Decides the next event; `this.source` is the source of chance. */
  nextEvent() {
    if (this.holders.some(({ pile }) => pile.length > 0)) return this.nextEventInTurn();
    const inGame = this.holders.filter(({ isInGame }) => isInGame);
    const without = inGame.find(({ hand }) => hand.length === 0);
    if (without) return { end_of_cards: { player: without.number, step: "turn_end" } };
    if (inGame.length === 1) return { won: { player: inGame[0].number } };
    const isDuel = this.rules.id.startsWith("duels");
    const held = inGame.reduce((sum, { hand }) => sum + hand.length, 0);
    const limit = isDuel ? 10 * held : (this.rules.max_turns ?? NO_LIMIT);
    if (this.turn >= limit) return { stopped: { winner: isDuel ? this.strongest() : null } };
    return (
      this.pickUpEvent(inGame) ?? this.decideRepetition() ?? { clash: { plays: this.choosePlays(inGame) } }
    );
  }

  /** Returns the event in which second piles become hands, or null if none of these players
   *  has only a second pile left. */
  pickUpEvent(putting) {
    if (!putting.some((holder) => holder.hasOnlySecondPile())) return null;
    const hands = this.holders.map((holder) => {
      const hand = [...holder.hand];
      if (!holder.hasOnlySecondPile()) this.source.skipHand();
      else if (this.rules.piles === "shuffled") this.source.shuffle(hand);
      else hand.reverse();
      return hand;
    });
    return { reshuffled: { hands } };
  }

  /** Returns the number of the only player with cards of the highest rank if that player also holds
   *  more cards than every other player; otherwise null. */
  strongest() {
    const highest = Math.max(...this.holders.flatMap(({ hand }) => hand));
    const most = Math.max(...this.holders.map(({ hand }) => hand.length));
    const either = this.holders.filter(({ hand }) => hand.length === most || hand.includes(highest));
    return either.length === 1 ? either[0].number : null;
  }

  /** Returns the event that repeated hands lead to, or null if there is none. */
  decideRepetition() {
    const { repetition } = this.rules;
    if (repetition !== "ends" && repetition !== "reshuffles") return null;
    const key = this.holders
      .map(({ hand, secondPileSize }) => String.fromCharCode(...hand, 0, secondPileSize))
      .join("\0");
    const first = this.seenHands.get(key) ?? this.turn + 1;
    this.seenHands.set(key, first);
    if (first > this.turn) return null;
    if (repetition === "ends") return { endless: { from: first, to: this.turn } };
    if (this.last === "reshuffled") return null;
    const hands = this.holders.map(({ hand }) => [...hand]);
    for (const hand of hands) this.source.shuffle(hand);
    return { reshuffled: { hands } };
  }

  choosePlays(holders) {
    return holders.map(({ number, hand }) => {
      const index = this.rules.id === "duels-random/1" ? this.source.below(hand.length) : 0;
      const play = { player: number, card: hand[index] };
      return index > 0 ? { ...play, index } : play;
    });
  }

  /** Decides the next event while cards are on the table. */
  nextEventInTurn() {
    const { out_of_cards: out, face_down: down } = this.rules;
    const up = Math.max(...this.holders.map((holder) => holder.faceUpCount));
    const rank = Math.max(...this.holders.map((holder) => (holder.faceUpCount === up ? holder.rank : 0)));
    const leaders = this.holders.filter((holder) => holder.faceUpCount === up && holder.rank === rank);
    if (leaders.length === 1) return this.collectedEvent(leaders[0]);
    const fighters = leaders.filter(({ isInGame }) => isInGame);
    const without = fighters.filter(({ hand }) => hand.length === 0);
    if (out === "shrink" && without.length > 0) return this.drawnEvent();
    const size =
      out === "shrink"
        ? Math.min(down, ...fighters.map((each) => each.hand.length + each.faceDownCount - 1))
        : down;
    if (fighters.length === 1 && (without.length > 0 || out !== "eoc"))
      return this.collectedEvent(fighters[0]);
    if (without.length === fighters.length && out !== "eoc") return { drawn_game: {} };
    const isDownDue = fighters[0].faceDownCount < size;
    if (without.length > 0) {
      return { end_of_cards: { player: without[0].number, step: isDownDue ? "face_down" : "face_up" } };
    }
    if (out !== "last-card") return this.putEvent(fighters, isDownDue, up);
    const putting = fighters.filter((each) => each.faceDownCount < size && each.hand.length > 1);
    return putting.length > 0 ? this.putEvent(putting, true, up) : this.putEvent(fighters, false, up);
  }

  /** Returns the event in which these players put a card each, or first pick up their second
   *  piles. */
  putEvent(fighters, isDown, up) {
    const event = this.pickUpEvent(fighters);
    if (event) return event;
    const plays = this.choosePlays(fighters);
    return isDown ? { face_down: { plays } } : { war_round: { round: up + 1, plays } };
  }

  collectedEvent(winner) {
    const order = this.orders[(winner.number - 1) % this.orders.length];
    return {
      collected: { player: winner.number, cards: collectCards(order, winner, this.holders, this.source) },
    };
  }

  /** Returns the event of a drawn turn: each player takes the cards of the next player. */
  drawnEvent() {
    const putting = this.holders.filter(({ pile }) => pile.length > 0);
    if (putting.some((holder) => new Set(holder.cards()).size > 1)) this.seenHands.clear();
    const takes = putting.map(({ number }, at) => {
      const cards = putting[(at + 1) % putting.length].cards();
      this.source.shuffle(cards);
      return { player: number, cards };
    });
    return { drawn: { takes } };
  }
}
