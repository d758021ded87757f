// What a screen reader hears besides the heading, which gets the focus.

import { names } from "./labels.js";
import { named } from "./dom.js";
import { equals, highestFirst } from "../state/rules.js";
import * as view from "../views/page.js";
import { say } from "./words.js";

/**
 * @import { Card } from "../protocol/messages.js"
 * @import { Game, Line, Stage, State, Word } from "../types.js"
 */

/** The seconds left at which they are said. */
const TOLD_SECONDS = [20, 10, 5];
/**
 * What is said about a line that is not there, once.
 *
 * @type {Partial<Record<Line["state"], Word>>}
 */
const LINES = { lost: "link-lost-told", crowded: "link-crowded-told" };

export class Announcer {
  /** The seconds that were said last. */
  #seconds = Infinity;
  /**
   * The key of what was said about a line that is not there.
   *
   * @type {Word | null}
   */
  #line = null;

  /**
   * Another stage is shown, with so many milliseconds to decide where there is something to.
   *
   * @param {Stage} stage
   * @param {State} state
   * @param {number} left
   */
  stage(stage, { game }, left) {
    this.#seconds = Infinity;
    if (stage === "deciding" && game) view.tell(dealt(game.hands, left));
    else view.tell(stage === "result" ? view.outcome() : "");
  }

  /**
   * So many milliseconds are left.
   *
   * @param {number} left
   */
  time(left) {
    const seconds = Math.ceil(left / 1000);
    const next = TOLD_SECONDS.filter((at) => at < this.#seconds && seconds <= at).at(-1);
    if (next === undefined) return;
    this.#seconds = next;
    if (seconds === next) view.tell(say("left-told", { seconds: say("seconds", { n: seconds }) }));
  }

  /**
   * The line is in this state now.
   *
   * @param {Line["state"]} state
   */
  line(state) {
    const key = LINES[state];
    if (key && key !== this.#line) {
      this.#line = key;
      view.tell(say(key));
    }
    if (state !== "open" || !this.#line) return;
    this.#line = null;
    view.tell(say("link-back"));
  }

  /**
   * The opponent has decided.
   *
   * @param {Game} game
   */
  opponent({ opponent }) {
    view.tell(say("they-decided", { opponent: named(opponent) }));
  }
}

/**
 * @param {Card[][]} hands
 * @param {number} left
 */
function dealt(hands, left) {
  const seconds = say("seconds", { n: Math.max(1, Math.round(left / 1000)) });
  const cards = names(highestFirst(hands.at(-1) ?? []));
  if (hands.length === 1) return say("dealt-told", { cards, seconds });
  return say("tied-told", { tied: names(highestFirst(equals(hands.at(-2) ?? []))), cards, seconds });
}
