// Unanswered requests of the player. Each is resent until it is answered, and dropped once it is too
// old.

/**
 * @import { Environment, NumberedMessage, QueuedRequest, RequestFields } from "../types.js"
 *
 * @typedef {{ request: QueuedRequest, timer: number, sent: boolean, since: number }} PendingRequest
 */

/**
 * Types of messages that answer a request. An error answers any request.
 *
 * @type {Record<QueuedRequest["type"], NumberedMessage["type"][]>}
 */
const ANSWERS = {
  choose: ["waiting", "started"],
  cancel: ["cancelled", "draining", "started"],
  seed: ["seeded", "dealt", "result"],
  decide: ["decided", "result"],
  // The answers are not numbered, and name the request.
  settings: [],
  create_link: [],
  revoke_link: [],
};

/** Fields that a request and its answer have in common. */
const COMMON_FIELDS = ["game_id", "deal", "game"];

/** Longest time to wait for an answer. */
export const ANSWER_TIMEOUT_MS = 10_000;
const RETRY_MS = 1_000;
/** Age from which a request for a game is dropped: the player may have left. */
const EXPIRY_MS = 30_000;

export class RequestQueue {
  /** @type {Map<string, PendingRequest>} */
  #pending = new Map();
  #environment;
  #send;
  #onTimeout;

  /**
   * Creates a queue. `send` sends a request if the connection is ready, or with `first` as soon as
   * it is open, and returns true if the request was sent. `onTimeout` is called when a sent request
   * stays unanswered.
   *
   * @param {Environment} environment
   * @param {(request: QueuedRequest, first: boolean) => boolean} send
   * @param {() => void} onTimeout
   */
  constructor(environment, send, onTimeout) {
    this.#environment = environment;
    this.#send = send;
    this.#onTimeout = onTimeout;
  }

  /**
   * Returns the unanswered request of this type.
   *
   * @template {QueuedRequest["type"]} T
   * @param {T} type
   * @returns {Extract<QueuedRequest, { type: T }> | undefined}
   */
  pending(type) {
    const found = [...this.#pending.values()].find(({ request }) => request.type === type);
    return /** @type {Extract<QueuedRequest, { type: T }> | undefined} */ (found?.request);
  }

  /**
   * Sends a request, now or once the connection is ready, until it is answered. Returns its id.
   *
   * @template {QueuedRequest["type"]} T
   * @param {T} type
   * @param {RequestFields<T>} fields
   */
  add(type, fields) {
    const request = /** @type {QueuedRequest} */ (
      /** @type {unknown} */ ({ type, id: this.#environment.requestId(), ...fields })
    );
    const pending = { request, timer: 0, sent: false, since: this.#environment.now() };
    this.#pending.set(request.id, pending);
    this.#try(pending);
    return request.id;
  }

  /**
   * Drops unanswered requests of this type; returns true if the server may have received one of
   * them.
   *
   * @param {QueuedRequest["type"]} type
   */
  withdraw(type) {
    const withdrawn = this.#remove((request) => request.type === type);
    return withdrawn.some(({ sent }) => sent);
  }

  /** Drops a request for a game if it went unanswered for too long. Returns true in this case. */
  expire() {
    const isOld = (/** @type {PendingRequest} */ { since }) => this.#environment.now() - since > EXPIRY_MS;
    const [old] = [...this.#pending.values()]
      .filter(isOld)
      .map(({ request }) => request)
      .filter(isChoice);
    if (!old) return false;
    // The server may have received the request, and has to drop it as well.
    if (this.withdraw("choose")) this.add("cancel", { game: old.game });
    return true;
  }

  /** Sends withdrawals at once: the player must not be matched while the page is catching up. */
  sendFirst() {
    for (const pending of this.#pending.values()) {
      if (pending.request.type === "cancel") this.#try(pending, true);
    }
  }

  sendAll() {
    for (const pending of this.#pending.values()) this.#try(pending);
  }

  /**
   * Removes the requests that a message answers.
   *
   * @param {NumberedMessage} message
   */
  removeAnswered(message) {
    this.#remove((request) => isAnswer(message, request));
  }

  /**
   * Removes and returns the request with this id.
   *
   * @param {string} id
   */
  take(id) {
    return this.#remove((request) => request.id === id)[0]?.request;
  }

  /**
   * Schedules resending a request that the server can't handle now, under the same id. Returns the
   * request.
   *
   * @param {string} id
   */
  retryLater(id) {
    const pending = this.#pending.get(id);
    if (!pending) return undefined;
    this.#environment.clearTimer(pending.timer);
    pending.timer = this.#environment.setTimer(RETRY_MS, () => this.#try(pending));
    return pending.request;
  }

  /** Drops requests about games that no longer exist. */
  dropGameRequests() {
    this.#remove(({ type }) => type === "seed" || type === "decide");
  }

  /** Stops all timers. */
  close() {
    for (const { timer } of this.#pending.values()) this.#environment.clearTimer(timer);
  }

  /** @param {PendingRequest} pending */
  #try(pending, first = false) {
    if (!this.#send(pending.request, first)) return;
    this.#environment.clearTimer(pending.timer);
    pending.sent = true;
    pending.timer = this.#environment.setTimer(ANSWER_TIMEOUT_MS, this.#onTimeout);
  }

  /** @param {(request: QueuedRequest) => boolean} predicate */
  #remove(predicate) {
    const removed = [...this.#pending.values()].filter(({ request }) => predicate(request));
    for (const { request, timer } of removed) {
      this.#environment.clearTimer(timer);
      this.#pending.delete(request.id);
    }
    return removed;
  }
}

/**
 * @param {QueuedRequest} request
 * @returns {request is Extract<QueuedRequest, { type: "choose" }>}
 */
function isChoice(request) {
  return request.type === "choose";
}

/**
 * Returns true if a message answers a request: the message's type answers the request's type, and
 * their common fields are equal.
 *
 * @param {NumberedMessage} message
 * @param {QueuedRequest} request
 */
function isAnswer(message, request) {
  /** @type {Record<string, unknown>[]} */
  const [answer, question] = [{ ...message }, { ...request }];
  const differs = (/** @type {string} */ name) =>
    name in question && name in answer && question[name] !== answer[name];
  const different =
    message.type === "started" && request.type === "cancel" ? [] : COMMON_FIELDS.filter(differs);
  return ANSWERS[request.type].includes(message.type) && different.length === 0;
}
