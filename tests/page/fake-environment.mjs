// Sockets and a clock that a test controls.

/** A socket that records the sent requests. */
class Socket {
  readyState = 0;
  sent = [];

  /** Opens the socket. */
  open() {
    this.readyState = 1;
    this.onopen();
  }

  /** Receives a message from the server. */
  receive(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }

  /** Breaks the connection. */
  break() {
    this.readyState = 3;
    this.onclose();
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.readyState = 3;
  }

  /** Removes and returns the requests sent so far. */
  take() {
    return this.sent.splice(0);
  }
}

/** An environment that records its sockets. Its random numbers are all 1, its ids consecutive. */
export class FakeEnvironment {
  sockets = [];
  #time = 1_000_000;
  #timers = new Map();
  #lastId = 0;

  get socket() {
    return this.sockets.at(-1);
  }

  connect(lang) {
    this.sockets.push(Object.assign(new Socket(), { lang }));
    return this.socket;
  }

  now() {
    return this.#time;
  }

  setTimer(ms, action) {
    this.#lastId += 1;
    this.#timers.set(this.#lastId, { at: this.#time + ms, action });
    return this.#lastId;
  }

  clearTimer(timer) {
    this.#timers.delete(timer);
  }

  random() {
    return 1;
  }

  requestId() {
    this.#lastId += 1;
    return `n${this.#lastId}`;
  }

  /** Advances the clock, and runs the timers that are due. */
  advance(ms) {
    const until = this.#time + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, { at }]) => at <= until);
      const [first] = due.sort(([, one], [, other]) => one.at - other.at);
      if (!first) break;
      const [timer, { at, action }] = first;
      this.#timers.delete(timer);
      this.#time = at;
      action();
    }
    this.#time = until;
  }
}
