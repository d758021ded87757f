// A table that deals a game honestly, and browsers that see all or a part of it.

import { createPublicKey, verify } from "node:crypto";
import { createHash, createPrivateKey, sign } from "node:crypto";
import { dealHands } from "../../crates/table/src/server/page/fairness/deal.js";
import { startText } from "../../crates/table/src/server/page/fairness/log-format.js";
import { Referee } from "../../crates/table/src/server/page/fairness/referee.js";
import * as seeds from "../../crates/table/src/server/page/fairness/seeds.js";
import * as storage from "../../crates/table/src/server/page/state/storage.js";
import { store } from "../../crates/table/src/server/page/state/store.js";
import * as vectors from "./vectors.mjs";

/** Start of a public Ed25519 key in the format of node. */
const KEY_HEADER = Buffer.from("302a300506032b6570032100", "hex");

// Signatures are checked without other threads, so that each run has the same order of steps.
globalThis.crypto.subtle.importKey = async (_, key) => key;
globalThis.crypto.subtle.verify = async (_, key, signature, text) => {
  const encoded = Buffer.concat([KEY_HEADER, Buffer.from(key)]);
  return verify(null, text, createPublicKey({ key: encoded, format: "der", type: "spki" }), signature);
};

export const TABLE_SEED = "00".repeat(32);
export const THEIR_SEED = "22".repeat(32);
export const GAME = 1_234;

const SECRET = createPrivateKey({
  key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 1)]),
  format: "der",
  type: "pkcs8",
});

export function hashed(digits) {
  return createHash("sha256").update(Buffer.from(digits, "hex")).digest("hex");
}

/** Returns a signed start with the player's hash, with changes made before it is signed. */
export function start(hash, change = {}) {
  const message = {
    type: "started",
    seq: 1,
    game_id: GAME,
    game: "single-card-game",
    seat: 1,
    opponent: { player: 7, name: "Ola", house: false },
    seed_hashes: [hash, hashed(THEIR_SEED)],
    commitment: hashed(TABLE_SEED),
    time_ms: 1_790_000_000_000,
    table: vectors.TABLE,
    left_ms: 5_000,
    ...change,
  };
  const { game_id, game, seed_hashes, commitment, time_ms } = message;
  const text = startText(vectors.TABLE, {
    game: game_id,
    rules: `${game}/2`,
    players: [12, 7],
    commitment,
    seedHashes: seed_hashes,
    time: time_ms,
  });
  return { ...message, signature: sign(null, Buffer.from(text), SECRET).toString("hex") };
}

/** Returns the messages of a game in which the player waits, and folds. */
export function folded({ seed, hash = hashed(seed), choice = "c1", decision = "d1", game = GAME }) {
  const about = { game_id: game };
  const [cards] = dealHands("single-card-game/2", game, 1, TABLE_SEED, [seed, THEIR_SEED]);
  const started = start(hash, { seq: 2, ...about });
  return [
    { type: "waiting", seq: 1, game: "single-card-game", in_reply_to: choice },
    started,
    { type: "seeded", seq: 3, ...about },
    { type: "dealt", seq: 4, ...about, deal: 1, cards, left_ms: 30_000 },
    { type: "decided", seq: 5, ...about, deal: 1, decision: "fold", timed_out: false, in_reply_to: decision },
    foldedResult(started, seed, 6),
  ];
}

/** Returns the messages of a game that the player forfeits, as their seed is missing. */
export function forfeited(hash) {
  const messages = folded({ seed: "11".repeat(32), hash });
  const result = messages.at(-1);
  delete result.decisions;
  Object.assign(result, { seq: 3, forfeited: [1] });
  Object.assign(result.reveal, { client_seeds: [null, THEIR_SEED], deals: 0 });
  return [messages[0], messages[1], result];
}

/** A browser with its own storage. */
export class FakeBrowser {
  #storage;

  constructor(content = []) {
    this.#storage = new Map(content);
    this.load();
  }

  /** Loads the page, and connects. */
  load(balance) {
    store.fallbackStorage = this.#storage;
    this.profile = { name: "Ann", token: "", settled: 0, player: 12, balance, balanceSeq: 0 };
    this.referee = new Referee(() => {});
    this.connect();
  }

  /** Connects, also after a lost connection. */
  connect() {
    store.fallbackStorage = this.#storage;
    this.welcome = { table: vectors.TABLE, key: vectors.KEY, balance: 1_000 };
    this.referee.handleWelcome(this.welcome);
  }

  /** Copies what the browser has stored. */
  backup() {
    return [...this.#storage];
  }

  /** Requests a game; returns the seed. */
  choose(id = "c1") {
    store.fallbackStorage = this.#storage;
    const hash = seeds.draw();
    const fields = { game: "single-card-game", whom: null, opponent: null };
    storage.saveMatchRequest({ hash, id, logSize: 0, ...fields });
    return storage.seeds().at(-1);
  }

  receive(messages) {
    store.fallbackStorage = this.#storage;
    for (const message of messages) this.referee.handleMessage(message, this.profile);
  }

  /** Reveals the seed if the start allows it; returns the seed. */
  async reveal(left = 4_000) {
    store.fallbackStorage = this.#storage;
    const seed = await this.referee.seedToReveal();
    if (seed !== null) this.referee.recordReveal(left);
    return seed;
  }

  decide(id = "d1") {
    store.fallbackStorage = this.#storage;
    this.referee.recordDecision(1, "fold", id);
  }

  /** Takes part in a whole game; `step` is called after each step of it. */
  async play(messages, step = () => {}) {
    const [waiting, started, seeded, dealt, decided, result] = messages;
    for (const act of [
      () => this.receive([waiting]),
      () => this.receive([started]),
      () => this.reveal(),
      () => this.receive([seeded]),
      () => this.receive([dealt]),
      () => this.decide(),
      () => this.receive([decided]),
      () => this.receive([result]),
    ]) {
      await act();
      await step();
    }
  }

  /** Waits for the verdict on the game. */
  async outcome() {
    store.fallbackStorage = this.#storage;
    while (this.referee.verdict.outcome === "pending") await new Promise(setImmediate);
    return this.referee.verdict.outcome;
  }

  problems(stage) {
    store.fallbackStorage = this.#storage;
    return this.referee.problems(stage);
  }
}

/** Returns the result of a game that the player folded after one deal, with their opened seed. */
export function foldedResult({ game_id, seed_hashes }, seed, seq) {
  return {
    type: "result",
    seq,
    game_id,
    outcome: "lost",
    delta: -3,
    balance: 997,
    decisions: { yours: "fold", theirs: "play" },
    digest: "65beb305410a611f291a47ef8b561854",
    time_ms: 1,
    reveal: { seed: TABLE_SEED, client_seeds: [seed, THEIR_SEED], seed_hashes, deals: 1 },
  };
}
