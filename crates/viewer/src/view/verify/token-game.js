// The rules of a token game, and its state.

import { ChaCha8 } from "./chance.js";
import { rulesOf } from "./editions.js";
import { ensure } from "./fault.js";
import { TOKEN_EVENTS } from "./fields.js";
import { fromHex, hmac, sha256OfHex, toHex, utf8 } from "./sha256.js";
import { isEqual, onlyField, toJson } from "./validators.js";

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";

export class TokenGame {
  /** @param {object} header  in canonical form */
  constructor(header) {
    this.header = header;
    this.rules = rulesOf(header);
    this.deal = header.deal.committed;
    this.eventValidator = TOKEN_EVENTS;
    /** True if the players commit to their seeds too, not only the table. */
    this.hasPlayerCommitments = this.rules.first === "committed";
    /** True for a hand of the daily duel, which has no seeds of players and no second deal. */
    this.isDaily = this.rules.first === "duel_started";
    this.turn = 0;
    /** Outcome and winner of the game. */
    this.outcome = null;
    this.players = null;
    this.hashes = null;
    this.seeds = [null, null];
    this.forfeited = [false, false];
    this.hands = null;
    this.decisions = [null, null];
    this.deltas = null;
  }

  /**
   * Checks the next event and applies it.
   * @throws {Fault} if the event can't come next
   */
  play(event) {
    const [kind, content] = onlyField(event);
    ensure(this.outcome === null, "WJ301", "DIVERGED");
    if (this.players === null) this.checkBeginning(kind);
    else this.check(event, kind, content);
    this.apply(kind, content);
  }

  checkBeginning(kind) {
    const { players, deck } = this.header;
    const fits = players === 2 && deck === "large" && sha256OfHex(this.deal.seed) === this.deal.commitment;
    ensure(kind === this.rules.first && fits, "WJ303", "DIVERGED");
  }

  check(event, kind, content) {
    const answers = this.seeds.map((seed, seat) => seed !== null || this.forfeited[seat]);
    const seat = (content.player ?? 1) - 1;
    const isAwaited = seat < 2 && this.turn === 0 && !answers[seat] && !this.isDaily;
    const all = answers.every(Boolean);
    const required = this.requiredEvent(all);
    let [mayBe, code] = [false, "WJ301"];
    if (kind === "seeded") mayBe = isAwaited && !this.hasPlayerCommitments;
    if (kind === "forfeited") mayBe = isAwaited && this.hasPlayerCommitments;
    if (kind === "opened" && isAwaited && this.hasPlayerCommitments) {
      [mayBe, code] = [sha256OfHex(content.seed) === this.hashes[seat], "WJ303"];
    }
    if (kind === "decided") mayBe = this.mayDecide(seat, content);
    if (required) mayBe = isEqual(event, required);
    else if (kind === "dealt" && this.hands === null && (all || !this.hasPlayerCommitments)) {
      [mayBe, code] = [isEqual(content.hands, this.dealHands()), "WJ303"];
    }
    ensure(mayBe, code, "DIVERGED");
  }

  mayDecide(seat, { decision, timed_out: isLate }) {
    return (
      seat < 2 && this.hands !== null && this.decisions[seat] === null && (!isLate || decision === "fold")
    );
  }

  /** Returns the settlement or tie that must come next, or null if none is due. */
  requiredEvent(areAllAnswered) {
    if (areAllAnswered && this.forfeited.includes(true)) {
      return this.resultEvent(this.forfeited.map((isGone) => (isGone ? "fold" : "play")));
    }
    if (this.isDaily && this.turn > 0 && this.hands === null) return { settled: { deltas: [0, 0] } };
    return this.hands !== null && !this.decisions.includes(null) ? this.resultEvent(this.decisions) : null;
  }

  /** Returns the event that follows both decisions. */
  resultEvent(decisions) {
    const folds = decisions.filter((decision) => decision === "fold").length;
    const stake = this.rules.stakes[folds];
    if (folds === 2) return { settled: { deltas: [-stake, -stake] } };
    let firstWins = decisions[1] === "fold";
    if (folds === 0) {
      const [one, two] = this.hands.map(strength);
      if (one === two) return { tied: {} };
      firstWins = one > two;
    }
    return { settled: { deltas: firstWins ? [stake, -stake] : [-stake, stake] } };
  }

  /** Returns the two hands of the next deal. */
  dealHands() {
    const {
      rules: { id, hand },
      deal,
    } = this;
    // In version 2 of the rules, seeds are already hexadecimal digits.
    const digits = this.seeds.map((seed) => (this.hasPlayerCommitments ? seed : toHex(utf8(seed ?? ""))));
    const message = [id, deal.game, this.turn + 1, ...digits].map((line) => `${line}\n`).join("");
    const deck = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
    new ChaCha8(hmac(fromHex(deal.seed), utf8(message))).shuffle(deck);
    return [deck.slice(0, hand), deck.slice(hand, 2 * hand)];
  }

  apply(kind, content) {
    const seat = (content.player ?? 1) - 1;
    if (content.players) this.players = content.players;
    if (kind === "duel_started") this.players = [1, 2];
    if (kind === "committed") this.hashes = content.seed_hashes;
    if (kind === "seeded") this.seeds[seat] = content.value;
    if (kind === "opened") this.seeds[seat] = content.seed;
    if (kind === "forfeited") this.forfeited[seat] = true;
    if (kind === "decided") this.decisions[seat] = content.decision;
    if (kind === "dealt")
      [this.turn, this.decisions, this.hands] = [this.turn + 1, [null, null], content.hands];
    if (kind === "tied") this.hands = null;
    if (kind === "settled") {
      this.deltas = content.deltas;
      const best = Math.max(...this.deltas);
      const reason = best === 0 ? "drawn" : "folded";
      this.outcome = best > 0 ? ["won", this.deltas.indexOf(best) + 1] : [reason, null];
    }
  }

  /** Returns the text that is hashed after an event. */
  state() {
    const { turn: deal, seeds, forfeited, hands, decisions, deltas } = this;
    return toJson({
      deal,
      seeds,
      ...(this.hasPlayerCommitments ? { forfeited } : {}),
      hands,
      decisions,
      deltas,
    });
  }
}

/** Returns a number by which hands compare: the highest rank first, then the lower one. */
function strength(hand) {
  const ranks = hand.map(([rank]) => RANKS.indexOf(rank)).sort((one, other) => other - one);
  return ranks.reduce((sum, rank) => sum * RANKS.length + rank, 0);
}
