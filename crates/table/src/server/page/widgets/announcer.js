// Announcements to screen readers, besides the heading that receives the focus.

import { sortedHand } from "../state/rules.js";
import { handName, playerName, tiedName } from "./labels.js";
import * as view from "../views/page.js";
import { say } from "./words.js";

/**
 * @import { Card } from "../protocol/messages.js"
 * @import { ConnectionStatus, Game, Stage, TableState, Word } from "../types.js"
 */

/** Remaining seconds that are announced. */
const ANNOUNCED_SECONDS = [20, 10, 5];
/**
 * Announcements of a lost connection.
 *
 * @type {Partial<Record<ConnectionStatus["state"], Word>>}
 */
const LOST_CONNECTION = { lost: "link-lost-told", crowded: "link-crowded-told" };

export class Announcer {
  /** Number of remaining seconds that was announced last. */
  #seconds = Infinity;
  /**
   * Key of the last announcement of a lost connection; `null` once the connection is back.
   *
   * @type {Word | null}
   */
  #lostConnection = null;

  /**
   * Announces a new stage, with the milliseconds that are left for a decision.
   *
   * @param {Stage} stage
   * @param {TableState} state
   * @param {number} timeLeft
   */
  announceStage(stage, { game }, timeLeft) {
    this.#seconds = Infinity;
    if (stage === "deciding" && game) view.announce(dealtText(game.hands, timeLeft));
    else view.announce(stage === "result" ? view.resultSummary() : "");
  }

  /**
   * Announces the remaining time, given in milliseconds, when one of `ANNOUNCED_SECONDS` is
   * reached.
   *
   * @param {number} timeLeft
   */
  announceTime(timeLeft) {
    const seconds = Math.ceil(timeLeft / 1000);
    const next = ANNOUNCED_SECONDS.filter((at) => at < this.#seconds && seconds <= at).at(-1);
    if (next === undefined) return;
    this.#seconds = next;
    if (seconds === next) view.announce(say("left-told", { seconds: say("seconds", { n: seconds }) }));
  }

  /**
   * Announces once that the connection is lost, and that it is back.
   *
   * @param {ConnectionStatus["state"]} state
   */
  announceConnection(state) {
    const key = LOST_CONNECTION[state];
    if (key && key !== this.#lostConnection) {
      this.#lostConnection = key;
      view.announce(say(key));
    }
    if (state !== "open" || !this.#lostConnection) return;
    this.#lostConnection = null;
    view.announce(say("link-back"));
  }

  /**
   * Announces that the opponent has decided.
   *
   * @param {Game} game
   */
  announceOpponentDecision({ opponent }) {
    view.announce(say("they-decided", { opponent: playerName(opponent) }));
  }
}

/**
 * @param {Card[][]} hands
 * @param {number} timeLeft
 */
function dealtText(hands, timeLeft) {
  const seconds = say("seconds", { n: Math.max(1, Math.round(timeLeft / 1000)) });
  const cards = handName(sortedHand(hands.at(-1) ?? []));
  if (hands.length === 1) return say("dealt-told", { cards, seconds });
  const tied = tiedName(hands.at(-2) ?? []);
  return say("tied-told", { tied, cards, seconds });
}
