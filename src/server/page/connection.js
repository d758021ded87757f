// One player's line to the table: it comes back by itself, asks for what it missed, hands
// every message on once and in order, and asks again what was not answered.

/** The version of the protocol that is spoken here. */
const PROTOCOL = 2;

/** The messages that answer a request; an error answers any. */
const ANSWERS = {
  choose: ["waiting", "started"],
  cancel: ["cancelled", "draining", "started"],
  seed: ["seeded", "dealt", "result"],
  decide: ["decided", "result"],
};

/** What a request and its answer are both about. */
const ABOUT = ["game_id", "deal", "game"];

/** A `hello` that is refused so will be refused again. */
const FINAL = ["bad_message", "banned", "old_protocol"];

const ANSWER_MS = 10_000;
const AGAIN_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;
/** A player who has too many connections gets another one only when one of them ends. */
const CROWDED_PAUSE_MS = 5_000;
/** Who asked for a game this long ago may not be there any more. */
const OLD_MS = 30_000;
/** A line that held as long as this begins again with short pauses. */
const STEADY_MS = 5_000;

export class Connection {
  #person;
  #tell;
  #last;
  #target = 0;
  #asked = null;
  #ids = {};
  #pending = new Map();
  #socket = null;
  #opened = 0;
  #pauses = 0;
  #timer = 0;

  /**
   * `person` has `name`, `lang` and the `token` that it drew when it came first; `after` is the
   * number of the last message it has. `tell` is called with what happens:
   * `link(line)`, `welcome(message)`, `message(message)`, `error(message, request)`,
   * `ready()` once all that was missed is there, `forgotten()` where the server has lost
   * messages that the player has, `resync(message)` where it does not keep those that were missed,
   * `expired()` where a request became too old to be sent.
   */
  constructor(person, after, tell) {
    this.#person = person;
    this.#last = after;
    this.#tell = tell;
    this.open();
  }

  /** Whether an answer to a request of this type is awaited. */
  awaits(type) {
    return this.awaited(type) !== undefined;
  }

  /** Sends a request, now or when the line is back, until it is answered. */
  ask(type, fields = {}) {
    const request = { type, id: id(), ...fields };
    const pending = { request, timer: 0, sent: false, since: Date.now() };
    this.#pending.set(request.id, pending);
    if (this.#ready()) this.#send(pending);
  }

  /** Takes back what nobody has answered; the result is whether the server may know of it. */
  withdraw(type) {
    let known = false;
    for (const [id, { request, timer, sent }] of this.#pending) {
      if (request.type !== type) continue;
      clearTimeout(timer);
      this.#pending.delete(id);
      known ||= sent;
    }
    return known;
  }

  /** Forgets a request for a game that nobody heard for too long; the result is whether there was one. */
  expire() {
    const [old] = [...this.#pending.values()].filter(({ request, since }) =>
      request.type === "choose" && Date.now() - since > OLD_MS);
    if (!old) return false;
    // Where it may have arrived, the table has to know as well.
    if (this.withdraw("choose")) this.ask("cancel", { game: old.request.game });
    this.#tell.expired();
    return true;
  }

  /** What is asked for by a request of this type that nobody has answered. */
  awaited(type) {
    return [...this.#pending.values()].find(({ request }) => request.type === type)?.request;
  }

  /** Connects, now; a line that was there is closed, as it may be dead. */
  open() {
    clearTimeout(this.#timer);
    const old = this.#socket;
    this.#socket = null;
    old?.close();
    this.#tell.link({ state: "trying" });
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const address = `${scheme}//${location.host}/ws?lang=${this.#person.lang}`;
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.#asked = null;
    this.#target = Infinity;
    this.#opened = Date.now();
    const current = (act) => (event) => this.#socket === socket && act(event);
    socket.onopen = current(() => this.#hello());
    socket.onmessage = current(({ data }) => this.#take(JSON.parse(data)));
    socket.onclose = current(() => this.#lost());
    this.#timer = setTimeout(() => this.#giveUp(), ANSWER_MS);
  }

  /** Speaks another language from the next connection on, which is made now. */
  speak(lang) {
    this.#person.lang = lang;
    this.open();
  }

  /** Takes the line for dead. */
  lose() {
    if (this.#socket) this.#giveUp();
  }

  /** Leaves for good. */
  close() {
    clearTimeout(this.#timer);
    for (const { timer } of this.#pending.values()) clearTimeout(timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #ready() {
    return this.#socket?.readyState === WebSocket.OPEN && this.#last >= this.#target;
  }

  #hello() {
    const { name, token } = this.#person;
    this.#ids.hello = id();
    const hello = { type: "hello", id: this.#ids.hello, name, token, protocol: PROTOCOL };
    this.#socket.send(JSON.stringify(hello));
  }

  #take(message) {
    switch (message.type) {
      case "welcome":
        return this.#welcome(message);
      case "error":
        return this.#refused(message);
      case "resync":
        return this.#resync(message);
      default:
        return this.#next(message);
    }
  }

  #welcome(message) {
    this.#target = message.seq;
    if (this.#last > message.seq) {
      this.#last = 0;
      this.#forget();
      this.#tell.forgotten();
    }
    this.#tell.welcome(message);
    this.#sendFirst();
    this.#resume();
    if (this.#ready()) this.#caughtUp();
  }

  #resume() {
    if (this.#asked === this.#last) return;
    this.#asked = this.#last;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.open(), ANSWER_MS);
    this.#ids.resume = id();
    const resume = { type: "resume", id: this.#ids.resume, after: this.#last };
    this.#socket.send(JSON.stringify(resume));
  }

  #next(message) {
    if (message.seq <= this.#last) return;
    if (message.seq > this.#last + 1) {
      this.#resume();
      return;
    }
    const before = this.#ready();
    this.#last = message.seq;
    if (this.#ready()) clearTimeout(this.#timer);
    this.#answered((request) => isAnswer(message, request));
    this.#tell.message(message);
    if (!before && this.#ready()) this.#caughtUp();
  }

  /** What was missed is not kept any more; what follows begins at another place. */
  #resync(message) {
    // It may come twice where the page asked twice: it does not lead back.
    if (message.seq <= this.#last) return;
    this.#last = message.seq;
    this.#forget();
    this.#tell.resync(message);
    if (this.#ready()) this.#caughtUp();
  }

  /** Who does not want to wait any more must not meet somebody while they catch up. */
  #sendFirst() {
    for (const pending of this.#pending.values()) {
      if (pending.request.type === "cancel") this.#send(pending);
    }
  }

  #caughtUp() {
    clearTimeout(this.#timer);
    this.expire();
    this.#tell.link({ state: "open" });
    for (const pending of this.#pending.values()) this.#send(pending);
    this.#tell.ready();
  }

  #refused(message) {
    if (message.code === "too_many_connections") {
      this.#giveUp("crowded", CROWDED_PAUSE_MS);
      return;
    }
    const { hello, resume } = this.#ids;
    if (message.in_reply_to === resume) {
      this.#giveUp();
      return;
    }
    if (message.in_reply_to === hello) {
      if (!FINAL.includes(message.code)) this.#giveUp("lost", CROWDED_PAUSE_MS);
      this.#tell.error(message, { type: "hello" });
      return;
    }
    // A message may have answered already: a player in a game need not hear that it is
    // too late to stop waiting.
    const pending = this.#pending.get(message.in_reply_to);
    if (message.in_reply_to && !pending) return;
    if (message.code === "unavailable" && pending) {
      this.#later(pending);
      this.#tell.error(message, pending.request);
      return;
    }
    this.#answered(({ id }) => id === message.in_reply_to);
    this.#tell.error(message, pending?.request);
  }

  /** What was asked about games that are gone is not asked again. */
  #forget() {
    this.#answered(({ type }) => type === "seed" || type === "decide");
  }

  #answered(by) {
    for (const [id, { request, timer }] of this.#pending) {
      if (by(request)) {
        clearTimeout(timer);
        this.#pending.delete(id);
      }
    }
  }

  /** What the table can't do now is asked again under its id. */
  #later(pending) {
    clearTimeout(pending.timer);
    pending.timer = setTimeout(() => {
      if (this.#ready()) this.#send(pending);
    }, AGAIN_MS);
  }

  #send(pending) {
    clearTimeout(pending.timer);
    pending.sent = true;
    pending.timer = setTimeout(() => this.open(), ANSWER_MS);
    this.#socket.send(JSON.stringify(pending.request));
  }

  #giveUp(state = "lost", atLeast = 0) {
    const socket = this.#socket;
    this.#lost(state, atLeast);
    socket?.close();
  }

  /** Connects again after a pause: at least this one, and longer each time. */
  #lost(state = "lost", atLeast = 0) {
    clearTimeout(this.#timer);
    this.#socket = null;
    if (Date.now() - this.#opened > STEADY_MS) this.#pauses = 0;
    const longest = Math.min(LONGEST_PAUSE_MS, 500 * 2 ** this.#pauses);
    const pause = atLeast + longest * (0.5 + Math.random() / 2);
    this.#pauses += 1;
    this.#timer = setTimeout(() => this.open(), pause);
    this.#tell.link({ state, until: Date.now() + pause });
  }
}

/** Whether a message answers a request: it is of a type that does, and about the same. */
function isAnswer(message, request) {
  const differs = (name) => name in request && name in message && request[name] !== message[name];
  const other = message.type === "started" && request.type === "cancel" ? [] : ABOUT.filter(differs);
  return ANSWERS[request.type].includes(message.type) && other.length === 0;
}

/** A name for a request that no other one of the player has, in this page or another. */
function id() {
  return random(16);
}

/** So many random bytes, as hexadecimal digits. */
export function random(bytes) {
  const drawn = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(drawn, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
