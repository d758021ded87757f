// A way to the table whose time stands still until a test moves it, and whose other end is the test.

/** A socket that keeps what is sent. */
class Socket {
  readyState = 0;
  sent = [];

  /** The table answers the call. */
  opens() {
    this.readyState = 1;
    this.onopen();
  }

  /** The table says something. */
  says(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }

  /** The line breaks. */
  breaks() {
    this.readyState = 3;
    this.onclose();
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.readyState = 3;
  }

  /** The types of what was sent, and nothing that was sent before. */
  take() {
    return this.sent.splice(0);
  }
}

/** Sockets, time, chance and names that a test looks into. */
export class World {
  sockets = [];
  #time = 1_000_000;
  #timers = new Map();
  #named = 0;

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

  after(ms, act) {
    this.#named += 1;
    this.#timers.set(this.#named, { at: this.#time + ms, act });
    return this.#named;
  }

  stop(timer) {
    this.#timers.delete(timer);
  }

  chance() {
    return 1;
  }

  name() {
    this.#named += 1;
    return `n${this.#named}`;
  }

  /** So much time goes by, and what was to happen in it does. */
  passes(ms) {
    const until = this.#time + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, { at }]) => at <= until);
      const [first] = due.sort(([, one], [, other]) => one.at - other.at);
      if (!first) break;
      const [timer, { at, act }] = first;
      this.#timers.delete(timer);
      this.#time = at;
      act();
    }
    this.#time = until;
  }
}
