// A player's connection to the table. It reconnects by itself, requests the messages it missed,
// delivers each message once and in order, and repeats unanswered requests.

import { BROWSER } from "./environment.js";
import { ANSWER_TIMEOUT_MS, RequestQueue } from "./request-queue.js";

/**
 * @import { Request, Sent } from "./messages.js"
 * @import { ConnectionListener, ConnectionStatus, Environment, Identity, Lang, MessageOf, NumberedMessage, QueryType, QueuedRequest, RequestFields } from "../types.js"
 */

/** Version of the protocol. */
const PROTOCOL = 4;

/** The `readyState` of an open socket. */
const OPEN = 1;

/** Error codes after which repeating `hello` is pointless. */
const FINAL_CODES = ["bad_message", "banned", "forgotten", "old_protocol"];

const LONGEST_PAUSE_MS = 10_000;
/** Extra pause of a player with too many connections, who has to wait until one of them ends. */
const CROWDED_PAUSE_MS = 5_000;
/**
 * Lifetime of a connection above which the pauses between attempts to reconnect start short again.
 */
const STEADY_MS = 5_000;

export class Connection {
  #identity;
  #lang;
  #listener;
  #environment;
  #queue;
  #lastSeq;
  #targetSeq = 0;
  /**
   * Number of the message after which the last `resume` request asked for messages.
   *
   * @type {number | null}
   */
  #resumedAfter = null;
  /** Ids of the last requests of the types that are not put in the queue. */
  #requestIds = { hello: "", resume: "", forget: "" };
  /** @type {WebSocket | null} */
  #socket = null;
  #openedAt = 0;
  #attempts = 0;
  #timer = 0;

  /**
   * Connects a player who has received all messages up to the number `after`.
   *
   * @param {() => Identity | null} identity player as of now; `null` if the browser has another one
   * @param {Lang} lang
   * @param {number} after
   * @param {ConnectionListener} listener
   * @param {Environment} environment
   */
  constructor(identity, lang, after, listener, environment = BROWSER) {
    this.#identity = identity;
    this.#lang = lang;
    this.#lastSeq = after;
    this.#listener = listener;
    this.#environment = environment;
    const send = (/** @type {QueuedRequest} */ request, /** @type {boolean} */ first) =>
      this.#sendQueued(request, first);
    this.#queue = new RequestQueue(environment, send, () => this.open());
    this.open();
  }

  /**
   * Returns true if a request of this type is unanswered.
   *
   * @param {QueuedRequest["type"]} type
   */
  isPending(type) {
    return this.pending(type) !== undefined;
  }

  /**
   * Returns the unanswered request of this type.
   *
   * @template {QueuedRequest["type"]} T
   * @param {T} type
   */
  pending(type) {
    return this.#queue.pending(type);
  }

  /** Returns true if a request for a game is unanswered, and the player is ready to play it. */
  isRequestingGame() {
    return this.pending("choose")?.seed_hash !== undefined;
  }

  /**
   * Sends a request, now or once the connection is ready, until it is answered. Returns its id.
   *
   * @template {QueuedRequest["type"]} T
   * @param {T} type
   * @param {RequestFields<T>} fields
   */
  request(type, fields) {
    return this.#queue.add(type, fields);
  }

  /**
   * Drops unanswered requests of this type; returns true if the server may have received one of
   * them.
   *
   * @param {QueuedRequest["type"]} type
   */
  withdraw(type) {
    return this.#queue.withdraw(type);
  }

  /** Drops a request for a game if it went unanswered for too long. Returns true in this case. */
  expire() {
    const expired = this.#queue.expire();
    if (expired) this.#listener.requestExpired();
    return expired;
  }

  /** Asks once how many people are at the table, if the connection is ready. */
  queryPeople() {
    if (this.#isReady()) this.#send({ type: "people", id: this.#environment.requestId() });
  }

  /**
   * Sends a read-only request once, if the connection is ready; returns its id.
   *
   * @template {QueryType} T
   * @param {T} type
   * @param {Omit<Extract<Request, { type: T }>, "type" | "id">} fields
   */
  query(type, fields) {
    const request = { type, id: this.#environment.requestId(), ...fields };
    if (this.#isReady()) this.#send(/** @type {Request} */ (/** @type {unknown} */ (request)));
    return request.id;
  }

  /** Connects now. An existing connection is closed, as it may be dead. */
  open() {
    this.#environment.clearTimer(this.#timer);
    const old = this.#socket;
    this.#socket = null;
    old?.close();
    this.#listener.status({ state: "trying" });
    const socket = this.#environment.connect(this.#lang);
    this.#socket = socket;
    this.#resumedAfter = null;
    this.#targetSeq = Infinity;
    this.#openedAt = this.#environment.now();
    const isCurrent = () => this.#socket === socket;
    socket.onopen = () => isCurrent() && this.#sendHello();
    socket.onmessage = ({ data }) => isCurrent() && this.#handle(JSON.parse(data));
    socket.onclose = () => isCurrent() && this.#reconnectLater();
    this.#timer = this.#environment.setTimer(ANSWER_TIMEOUT_MS, () => this.#giveUp());
  }

  /**
   * Reconnects in another language.
   *
   * @param {Lang} lang
   */
  setLanguage(lang) {
    this.#lang = lang;
    this.open();
  }

  /** Asks the server to delete the player, if the connection is ready. */
  deletePlayer() {
    if (!this.#isReady()) return;
    this.#requestIds.forget = this.#environment.requestId();
    this.#send({ type: "forget", id: this.#requestIds.forget });
  }

  /** Treats the connection as lost. */
  drop() {
    if (this.#socket) this.#giveUp();
  }

  /** Closes the connection without reconnecting. */
  close() {
    this.#environment.clearTimer(this.#timer);
    this.#queue.close();
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #isReady() {
    return this.#socket?.readyState === OPEN && this.#lastSeq >= this.#targetSeq;
  }

  /**
   * Sends a request if the connection is ready or `first` is set; returns true if the request was
   * sent.
   *
   * @param {QueuedRequest} request
   * @param {boolean} first
   */
  #sendQueued(request, first) {
    if (!first && !this.#isReady()) return false;
    this.#send(request);
    return true;
  }

  /** @param {Request} request */
  #send(request) {
    this.#socket?.send(JSON.stringify(request));
  }

  #sendHello() {
    const identity = this.#identity();
    if (identity === null) {
      this.close();
      return;
    }
    const { name, token, watchable } = identity;
    this.#requestIds.hello = this.#environment.requestId();
    const hello = { type: /** @type {const} */ ("hello"), id: this.#requestIds.hello, name, token };
    this.#send({ ...hello, protocol: PROTOCOL, ...(watchable ? { watchable } : {}) });
  }

  /** @param {Sent} message */
  #handle(message) {
    switch (message.type) {
      case "welcome":
        return this.#handleWelcome(message);
      case "games":
      case "figures":
      case "score":
      case "ladder":
      case "watched":
        return this.#listener.queryResult(message);
      case "people":
        return this.#listener.people(message);
      case "settings":
      case "links":
        this.#queue.take(message.in_reply_to ?? "");
        return this.#listener[message.type](/** @type {never} */ (message));
      case "friend":
        return this.#listener.friend(message);
      case "forgotten":
        return this.#listener.playerDeleted();
      case "error":
        return this.#handleError(message);
      case "resync":
        return this.#handleResync(message);
      default:
        return this.#handleNumbered(message);
    }
  }

  /** @param {MessageOf<"welcome">} message */
  #handleWelcome(message) {
    this.#targetSeq = message.seq;
    if (this.#lastSeq > message.seq) {
      this.#lastSeq = 0;
      this.#queue.dropGameRequests();
      this.#listener.messagesLost();
    }
    this.#listener.welcome(message);
    this.#queue.sendFirst();
    this.#resume();
    if (this.#isReady()) this.#finishCatchUp();
  }

  /** Requests the messages after the last one, unless they have been requested already. */
  #resume() {
    if (this.#resumedAfter === this.#lastSeq) return;
    this.#resumedAfter = this.#lastSeq;
    this.#environment.clearTimer(this.#timer);
    this.#timer = this.#environment.setTimer(ANSWER_TIMEOUT_MS, () => this.open());
    this.#requestIds.resume = this.#environment.requestId();
    this.#send({ type: "resume", id: this.#requestIds.resume, after: this.#lastSeq });
  }

  /** @param {NumberedMessage} message */
  #handleNumbered(message) {
    if (message.seq <= this.#lastSeq) return;
    if (message.seq > this.#lastSeq + 1) {
      this.#resume();
      return;
    }
    const wasReady = this.#isReady();
    this.#lastSeq = message.seq;
    if (this.#isReady()) this.#environment.clearTimer(this.#timer);
    this.#queue.removeAnswered(message);
    this.#listener.message(message);
    if (!wasReady && this.#isReady()) this.#finishCatchUp();
  }

  /**
   * Continues after a gap: the server no longer has the missed messages.
   *
   * @param {MessageOf<"resync">} message
   */
  #handleResync(message) {
    // After two `resume` requests, `resync` arrives twice. The second one must not set `#lastSeq`
    // back.
    if (message.seq <= this.#lastSeq) return;
    const wasReady = this.#isReady();
    this.#lastSeq = message.seq;
    if (this.#isReady()) this.#environment.clearTimer(this.#timer);
    this.#queue.dropGameRequests();
    this.#listener.resync(message);
    if (!wasReady && this.#isReady()) this.#finishCatchUp();
  }

  #finishCatchUp() {
    this.#environment.clearTimer(this.#timer);
    this.expire();
    this.#listener.status({ state: "open" });
    this.#queue.sendAll();
    this.#listener.ready();
  }

  /** @param {MessageOf<"error">} message */
  #handleError(message) {
    const { code, in_reply_to: id } = message;
    if (code === "too_many_connections") {
      this.#giveUp("crowded", CROWDED_PAUSE_MS);
    } else if (!id) {
      this.#listener.error(message);
    } else if (id === this.#requestIds.resume) {
      this.#giveUp();
    } else if (id === this.#requestIds.hello) {
      if (!FINAL_CODES.includes(code)) this.#giveUp("lost", CROWDED_PAUSE_MS);
      this.#listener.error(message, { type: "hello" });
    } else if (id === this.#requestIds.forget) {
      this.#listener.error(message, { type: "forget" });
    } else {
      const request = code === "unavailable" ? this.#queue.retryLater(id) : this.#queue.take(id);
      // A request that a message has already answered needs no error. For example, a player whose
      // game has started doesn't need to know that it is too late to stop waiting.
      if (request) this.#listener.error(message, request);
    }
  }

  /** @param {ConnectionStatus["state"]} state */
  #giveUp(state = "lost", extraPause = 0) {
    const socket = this.#socket;
    this.#reconnectLater(state, extraPause);
    socket?.close();
  }

  /**
   * Schedules the next attempt, after a pause that grows with each attempt.
   *
   * @param {ConnectionStatus["state"]} state
   */
  #reconnectLater(state = "lost", extraPause = 0) {
    this.#environment.clearTimer(this.#timer);
    this.#socket = null;
    if (this.#environment.now() - this.#openedAt > STEADY_MS) this.#attempts = 0;
    const longest = Math.min(LONGEST_PAUSE_MS, 500 * 2 ** this.#attempts);
    const pause = extraPause + longest * (0.5 + this.#environment.random() / 2);
    this.#attempts += 1;
    this.#timer = this.#environment.setTimer(pause, () => this.open());
    this.#listener.status({ state, until: this.#environment.now() + pause });
  }
}
