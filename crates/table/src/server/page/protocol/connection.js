// One player's line to the table: it comes back by itself, asks for what it missed, hands
// every message on once and in order, and asks again what was not answered.

import { BROWSER } from "./environment.js";
import { ANSWER_MS, Requests } from "./request-queue.js";

/**
 * @import { Request, Sent } from "./messages.js"
 * @import { Asked, Fields, Lang, Line, Look, Numbered, Outside, Tell, Told } from "../types.js"
 */

/** The version of the protocol that is spoken here. */
const PROTOCOL = 2;

/** What the number of a socket's state is while it is open. */
const OPEN = 1;

/** A `hello` that is refused so will be refused again. */
const FINAL = ["bad_message", "banned", "old_protocol"];

const LONGEST_PAUSE_MS = 10_000;
/** A player who has too many connections gets another one only when one of them ends. */
const CROWDED_PAUSE_MS = 5_000;
/** A line that held as long as this begins again with short pauses. */
const STEADY_MS = 5_000;

export class Connection {
  #person;
  #tell;
  #outside;
  #requests;
  #last;
  #target = 0;
  /** @type {number | null} */
  #asked = null;
  /** The names of what was said to the server last, which is not asked for again by itself. */
  #names = { hello: "", resume: "", forget: "" };
  /** @type {WebSocket | null} */
  #socket = null;
  #opened = 0;
  #pauses = 0;
  #timer = 0;

  /**
   * `person` has the `token` that it drew when it came first; `after` is the number of the last
   * message it has; `tell` is called with what happens.
   *
   * @param {{ name: string, token: string, lang: Lang, watchable: boolean }} person
   * @param {number} after
   * @param {Tell} tell
   * @param {Outside} outside
   */
  constructor(person, after, tell, outside = BROWSER) {
    this.#person = person;
    this.#last = after;
    this.#tell = tell;
    this.#outside = outside;
    const send = (/** @type {Asked} */ request, /** @type {boolean} */ first) => this.#ask(request, first);
    this.#requests = new Requests(outside, send, () => this.open());
    this.open();
  }

  /**
   * Whether an answer to a request of this type is awaited.
   *
   * @param {Asked["type"]} type
   */
  awaits(type) {
    return this.awaited(type) !== undefined;
  }

  /**
   * What is asked for by a request of this type that nobody has answered.
   *
   * @template {Asked["type"]} T
   * @param {T} type
   */
  awaited(type) {
    return this.#requests.awaited(type);
  }

  /**
   * Sends a request, now or when the line is back, until it is answered.
   *
   * @template {Asked["type"]} T
   * @param {T} type
   * @param {Fields<T>} fields
   */
  ask(type, fields) {
    this.#requests.ask(type, fields);
  }

  /**
   * Takes back what nobody has answered; the result is whether the server may know of it.
   *
   * @param {Asked["type"]} type
   */
  withdraw(type) {
    return this.#requests.withdraw(type);
  }

  /** Forgets a request for a game that nobody heard for too long; the result is whether there was one. */
  expire() {
    const expired = this.#requests.expire();
    if (expired) this.#tell.expired();
    return expired;
  }

  /** Asks how many people are at the table, if the line is ready; nobody waits for the answer. */
  count() {
    if (this.#ready()) this.#send({ type: "people", id: this.#outside.name() });
  }

  /**
   * Asks to see something, if the line is ready; nobody waits for the answer. The result is the name of
   * the request.
   *
   * @template {Look} T
   * @param {T} type
   * @param {Omit<Extract<Request, { type: T }>, "type" | "id">} fields
   */
  look(type, fields) {
    const request = { type, id: this.#outside.name(), ...fields };
    if (this.#ready()) this.#send(/** @type {Request} */ (/** @type {unknown} */ (request)));
    return request.id;
  }

  /** Connects, now; a line that was there is closed, as it may be dead. */
  open() {
    this.#outside.stop(this.#timer);
    const old = this.#socket;
    this.#socket = null;
    old?.close();
    this.#tell.link({ state: "trying" });
    const socket = this.#outside.connect(this.#person.lang);
    this.#socket = socket;
    this.#asked = null;
    this.#target = Infinity;
    this.#opened = this.#outside.now();
    const isCurrent = () => this.#socket === socket;
    socket.onopen = () => isCurrent() && this.#hello();
    socket.onmessage = ({ data }) => isCurrent() && this.#take(JSON.parse(data));
    socket.onclose = () => isCurrent() && this.#lost();
    this.#timer = this.#outside.after(ANSWER_MS, () => this.#giveUp());
  }

  /**
   * Speaks another language from the next connection on, which is made now.
   *
   * @param {Lang} lang
   */
  speak(lang) {
    this.#person.lang = lang;
    this.open();
  }

  /**
   * Says another name from the next connection on, which is made now.
   *
   * @param {string} name
   */
  rename(name) {
    this.#person.name = name;
    this.open();
  }

  /**
   * Lets others watch the player's games, or not, from the next connection on, which is made now.
   *
   * @param {boolean} watchable
   */
  letWatch(watchable) {
    this.#person.watchable = watchable;
    this.open();
  }

  /** Has the player forgotten, if the line is ready. */
  forget() {
    if (!this.#ready()) return;
    this.#names.forget = this.#outside.name();
    this.#send({ type: "forget", id: this.#names.forget });
  }

  /** Takes the line for dead. */
  lose() {
    if (this.#socket) this.#giveUp();
  }

  /** Leaves for good. */
  close() {
    this.#outside.stop(this.#timer);
    this.#requests.close();
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #ready() {
    return this.#socket?.readyState === OPEN && this.#last >= this.#target;
  }

  /**
   * Sends a request where that makes sense; the result is whether it did.
   *
   * @param {Asked} request
   * @param {boolean} first
   */
  #ask(request, first) {
    if (!first && !this.#ready()) return false;
    this.#send(request);
    return true;
  }

  /** @param {Request} request */
  #send(request) {
    this.#socket?.send(JSON.stringify(request));
  }

  #hello() {
    const { name, token, watchable } = this.#person;
    this.#names.hello = this.#outside.name();
    const hello = { type: /** @type {const} */ ("hello"), id: this.#names.hello, name, token };
    this.#send({ ...hello, protocol: PROTOCOL, ...(watchable ? { watchable } : {}) });
  }

  /** @param {Sent} message */
  #take(message) {
    switch (message.type) {
      case "welcome":
        return this.#welcome(message);
      case "games":
      case "figures":
      case "ladder":
      case "watched":
        return this.#tell.seen(message);
      case "people":
        return this.#tell.people(message);
      case "forgotten":
        return this.#tell.gone();
      case "error":
        return this.#refused(message);
      case "resync":
        return this.#resync(message);
      default:
        return this.#next(message);
    }
  }

  /** @param {Told<"welcome">} message */
  #welcome(message) {
    this.#target = message.seq;
    if (this.#last > message.seq) {
      this.#last = 0;
      this.#requests.forgetGames();
      this.#tell.forgotten();
    }
    this.#tell.welcome(message);
    this.#requests.sendFirst();
    this.#resume();
    if (this.#ready()) this.#caughtUp();
  }

  #resume() {
    if (this.#asked === this.#last) return;
    this.#asked = this.#last;
    this.#outside.stop(this.#timer);
    this.#timer = this.#outside.after(ANSWER_MS, () => this.open());
    this.#names.resume = this.#outside.name();
    this.#send({ type: "resume", id: this.#names.resume, after: this.#last });
  }

  /** @param {Numbered} message */
  #next(message) {
    if (message.seq <= this.#last) return;
    if (message.seq > this.#last + 1) {
      this.#resume();
      return;
    }
    const before = this.#ready();
    this.#last = message.seq;
    if (this.#ready()) this.#outside.stop(this.#timer);
    this.#requests.heard(message);
    this.#tell.message(message);
    if (!before && this.#ready()) this.#caughtUp();
  }

  /**
   * What was missed is not kept any more; what follows begins at another place.
   *
   * @param {Told<"resync">} message
   */
  #resync(message) {
    // It may come twice where the page asked twice: it does not lead back.
    if (message.seq <= this.#last) return;
    this.#last = message.seq;
    this.#requests.forgetGames();
    this.#tell.resync(message);
    if (this.#ready()) this.#caughtUp();
  }

  #caughtUp() {
    this.#outside.stop(this.#timer);
    this.expire();
    this.#tell.link({ state: "open" });
    this.#requests.sendAll();
    this.#tell.ready();
  }

  /** @param {Told<"error">} message */
  #refused(message) {
    const { code, in_reply_to: about } = message;
    if (code === "too_many_connections") {
      this.#giveUp("crowded", CROWDED_PAUSE_MS);
    } else if (!about) {
      this.#tell.error(message);
    } else if (about === this.#names.resume) {
      this.#giveUp();
    } else if (about === this.#names.hello) {
      if (!FINAL.includes(code)) this.#giveUp("lost", CROWDED_PAUSE_MS);
      this.#tell.error(message, { type: "hello" });
    } else if (about === this.#names.forget) {
      this.#tell.error(message, { type: "forget" });
    } else {
      const request = code === "unavailable" ? this.#requests.later(about) : this.#requests.refused(about);
      // A message may have answered already: a player in a game need not hear that it is
      // too late to stop waiting.
      if (request) this.#tell.error(message, request);
    }
  }

  /** @param {Line["state"]} state */
  #giveUp(state = "lost", atLeast = 0) {
    const socket = this.#socket;
    this.#lost(state, atLeast);
    socket?.close();
  }

  /**
   * Connects again after a pause: at least this one, and longer each time.
   *
   * @param {Line["state"]} state
   */
  #lost(state = "lost", atLeast = 0) {
    this.#outside.stop(this.#timer);
    this.#socket = null;
    if (this.#outside.now() - this.#opened > STEADY_MS) this.#pauses = 0;
    const longest = Math.min(LONGEST_PAUSE_MS, 500 * 2 ** this.#pauses);
    const pause = atLeast + longest * (0.5 + this.#outside.chance() / 2);
    this.#pauses += 1;
    this.#timer = this.#outside.after(pause, () => this.open());
    this.#tell.link({ state, until: this.#outside.now() + pause });
  }
}
