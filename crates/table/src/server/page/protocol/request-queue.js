// What a player asked for and nobody has answered: it is sent again until somebody does, and what
// is too old is not sent any more.

/**
 * @import { Asked, Fields, Numbered, Outside } from "../types.js"
 *
 * @typedef {{ request: Asked, timer: number, sent: boolean, since: number }} Pending
 */

/**
 * The messages that answer a request; an error answers any.
 *
 * @type {Record<Asked["type"], Numbered["type"][]>}
 */
const ANSWERS = {
  choose: ["waiting", "started"],
  cancel: ["cancelled", "draining", "started"],
  seed: ["seeded", "dealt", "result"],
  decide: ["decided", "result"],
};

/** What a request and its answer are both about. */
const ABOUT = ["game_id", "deal", "game"];

/** How long an answer may take. */
export const ANSWER_MS = 10_000;
const AGAIN_MS = 1_000;
/** Who asked for a game this long ago may not be there any more. */
const OLD_MS = 30_000;

export class Requests {
  /** @type {Map<string, Pending>} */
  #pending = new Map();
  #outside;
  #send;
  #unanswered;

  /**
   * `send` sends a request where the line is ready, or `first` of all where it is open, and says
   * whether it did; `unanswered` is called when nobody answers one that was sent.
   *
   * @param {Outside} outside
   * @param {(request: Asked, first: boolean) => boolean} send
   * @param {() => void} unanswered
   */
  constructor(outside, send, unanswered) {
    this.#outside = outside;
    this.#send = send;
    this.#unanswered = unanswered;
  }

  /**
   * What is asked for by a request of this type that nobody has answered.
   *
   * @template {Asked["type"]} T
   * @param {T} type
   * @returns {Extract<Asked, { type: T }> | undefined}
   */
  awaited(type) {
    const found = [...this.#pending.values()].find(({ request }) => request.type === type);
    return /** @type {Extract<Asked, { type: T }> | undefined} */ (found?.request);
  }

  /**
   * Sends a request, now or when the line is back, until it is answered.
   *
   * @template {Asked["type"]} T
   * @param {T} type
   * @param {Fields<T>} fields
   */
  ask(type, fields) {
    const request = /** @type {Asked} */ (
      /** @type {unknown} */ ({ type, id: this.#outside.name(), ...fields })
    );
    const pending = { request, timer: 0, sent: false, since: this.#outside.now() };
    this.#pending.set(request.id, pending);
    this.#try(pending);
  }

  /**
   * Takes back what nobody has answered; the result is whether the server may know of it.
   *
   * @param {Asked["type"]} type
   */
  withdraw(type) {
    const withdrawn = this.#forget((request) => request.type === type);
    return withdrawn.some(({ sent }) => sent);
  }

  /**
   * Forgets a request for a game that nobody heard for too long; the result is whether there was
   * one.
   */
  expire() {
    const isOld = (/** @type {Pending} */ { since }) => this.#outside.now() - since > OLD_MS;
    const [old] = [...this.#pending.values()]
      .filter(isOld)
      .map(({ request }) => request)
      .filter(isChoice);
    if (!old) return false;
    // Where it may have arrived, the table has to know as well.
    if (this.withdraw("choose")) this.ask("cancel", { game: old.game });
    return true;
  }

  /** Who does not want to wait any more must not meet somebody while they catch up. */
  sendFirst() {
    for (const pending of this.#pending.values()) {
      if (pending.request.type === "cancel") this.#try(pending, true);
    }
  }

  sendAll() {
    for (const pending of this.#pending.values()) this.#try(pending);
  }

  /**
   * Forgets what a message answers.
   *
   * @param {Numbered} message
   */
  heard(message) {
    this.#forget((request) => isAnswer(message, request));
  }

  /**
   * Forgets a request that was refused; the result is the request.
   *
   * @param {string} id
   */
  refused(id) {
    return this.#forget((request) => request.id === id)[0]?.request;
  }

  /**
   * What the table can't do now is asked again under its id; the result is the request.
   *
   * @param {string} id
   */
  later(id) {
    const pending = this.#pending.get(id);
    if (!pending) return undefined;
    this.#outside.stop(pending.timer);
    pending.timer = this.#outside.after(AGAIN_MS, () => this.#try(pending));
    return pending.request;
  }

  /** What was asked about games that are gone is not asked again. */
  forgetGames() {
    this.#forget(({ type }) => type === "seed" || type === "decide");
  }

  /** Nobody waits for an answer any more. */
  close() {
    for (const { timer } of this.#pending.values()) this.#outside.stop(timer);
  }

  /** @param {Pending} pending */
  #try(pending, first = false) {
    if (!this.#send(pending.request, first)) return;
    this.#outside.stop(pending.timer);
    pending.sent = true;
    pending.timer = this.#outside.after(ANSWER_MS, this.#unanswered);
  }

  /** @param {(request: Asked) => boolean} which */
  #forget(which) {
    const gone = [...this.#pending.values()].filter(({ request }) => which(request));
    for (const { request, timer } of gone) {
      this.#outside.stop(timer);
      this.#pending.delete(request.id);
    }
    return gone;
  }
}

/**
 * @param {Asked} request
 * @returns {request is Extract<Asked, { type: "choose" }>}
 */
function isChoice(request) {
  return request.type === "choose";
}

/**
 * Whether a message answers a request: it is of a type that does, and about the same.
 *
 * @param {Numbered} message
 * @param {Asked} request
 */
function isAnswer(message, request) {
  /** @type {Record<string, unknown>[]} */
  const [told, asked] = [{ ...message }, { ...request }];
  const differs = (/** @type {string} */ name) => name in asked && name in told && asked[name] !== told[name];
  const other = message.type === "started" && request.type === "cancel" ? [] : ABOUT.filter(differs);
  return ANSWERS[request.type].includes(message.type) && other.length === 0;
}
