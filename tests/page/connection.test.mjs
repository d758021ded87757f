// A player's connection, over sockets and a clock that the tests control.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection } from "../../crates/table/src/server/page/protocol/connection.js";
import { FakeEnvironment } from "./fake-environment.mjs";

const WELCOME = { type: "welcome", player: 4, balance: 1_000, now_ms: 1, protocol: 4 };
const ANN = { name: "Ann", token: "t", watchable: false };
const CHOICE = { game: "single-card-game", seed_hash: "ab" };

/** Opens a connection that records its events. */
function connect(after = 0, identity = () => ANN) {
  const environment = new FakeEnvironment();
  const events = [];
  const names = [
    "status",
    "welcome",
    "message",
    "settings",
    "error",
    "ready",
    "messagesLost",
    "resync",
    "requestExpired",
  ];
  const record = (name) => [name, (...values) => events.push([name, ...values])];
  const listener = Object.fromEntries(names.map(record));
  const connection = new Connection(identity, "en", after, listener, environment);
  return { environment, connection, events };
}

/** Opens a connection that has caught up to the message with this number. */
function connectAndCatchUp(seq = 0) {
  const all = connect(seq);
  welcome(all.environment, seq);
  all.environment.socket.take();
  all.events.splice(0);
  return all;
}

/** Opens the socket, and answers `hello`. */
function welcome(environment, seq) {
  environment.socket.open();
  environment.socket.receive({ ...WELCOME, seq });
}

function types(sent) {
  return sent.map(({ type }) => type);
}

test("each hello says what all tabs know by then", () => {
  let known = { ...ANN, watchable: true };
  const { environment, connection } = connect(0, () => known);
  welcome(environment, 0);
  assert.deepEqual(environment.socket.take()[0].watchable, true);
  known = { ...ANN, name: "Anna" };
  connection.open();
  welcome(environment, 0);
  const [{ name, watchable }] = environment.socket.take();
  assert.deepEqual([name, watchable], ["Anna", undefined]);
  // The browser has another account by now, or none.
  known = null;
  connection.open();
  environment.socket.open();
  assert.deepEqual(environment.socket.take(), []);
  assert.equal(environment.socket.readyState, 3);
});

test("settings are sent under the same id until the table has answered, over any connection", () => {
  const { environment, connection, events } = connectAndCatchUp();
  const id = connection.request("settings", { name: "Anna" });
  const expected = [{ type: "settings", id, name: "Anna" }];
  assert.deepEqual(environment.socket.take(), expected);
  connection.open();
  welcome(environment, 0);
  assert.deepEqual(environment.socket.take().slice(-1), expected);
  // Another device has changed something in the meantime.
  const other = { type: "settings", seq: 0, name: "Zoe", watchable: true };
  environment.socket.receive(other);
  assert.ok(connection.isPending("settings"));
  const answer = { type: "settings", seq: 0, name: "Anna", watchable: true, in_reply_to: id };
  environment.socket.receive(answer);
  assert.ok(!connection.isPending("settings"));
  assert.deepEqual(
    events.filter(([name]) => name === "settings"),
    [
      ["settings", other],
      ["settings", answer],
    ],
  );
});

test("it says hello, requests the missed messages, and is ready when all have arrived", () => {
  const { environment, events } = connect(2);
  assert.deepEqual(events, [["status", { state: "trying" }]]);
  environment.socket.open();
  const [hello] = environment.socket.take();
  assert.deepEqual(hello, { type: "hello", id: hello.id, name: "Ann", token: "t", protocol: 4 });
  environment.socket.receive({ ...WELCOME, seq: 4 });
  const [resume] = environment.socket.take();
  assert.deepEqual([resume.type, resume.after], ["resume", 2]);
  environment.socket.receive({ type: "waiting", seq: 3, game: "single-card-game" });
  assert.ok(!events.some(([name]) => name === "ready"));
  environment.socket.receive({ type: "cancelled", seq: 4, game: "single-card-game" });
  assert.deepEqual(
    events.slice(-4).map(([name]) => name),
    ["message", "message", "status", "ready"],
  );
  assert.deepEqual(events.at(-2), ["status", { state: "open" }]);
});

test("messages are delivered once and in order; a gap is requested once", () => {
  const { environment, events } = connectAndCatchUp(2);
  environment.socket.receive({ type: "waiting", seq: 2 });
  environment.socket.receive({ type: "waiting", seq: 5 });
  environment.socket.receive({ type: "waiting", seq: 6 });
  assert.deepEqual(events, []);
  // No second `resume`: the first one already asked for everything after message 2.
  assert.deepEqual(types(environment.socket.take()), []);
  environment.socket.receive({ type: "waiting", seq: 3 });
  environment.socket.receive({ type: "waiting", seq: 5 });
  environment.socket.receive({ type: "waiting", seq: 5 });
  const sent = environment.socket.take();
  assert.deepEqual(
    sent.map(({ type, after }) => [type, after]),
    [["resume", 3]],
  );
  assert.deepEqual(
    events.map(([, { seq }]) => seq),
    [3],
  );
});

test("a request is sent until a matching message answers it", () => {
  const { environment, connection } = connectAndCatchUp();
  connection.request("decide", { game_id: 7, deal: 2, decision: "play" });
  const [sent] = environment.socket.take();
  environment.socket.receive({ type: "decided", seq: 1, game_id: 7, deal: 1, decision: "play" });
  assert.ok(connection.isPending("decide"));
  environment.advance(10_000);
  welcome(environment, 1);
  const again = environment.socket.take().find(({ type }) => type === "decide");
  assert.deepEqual(again, sent);
  environment.socket.receive({ type: "decided", seq: 2, game_id: 7, deal: 2, decision: "play" });
  assert.ok(!connection.isPending("decide"));
  environment.advance(60_000);
  assert.equal(environment.sockets.length, 2);
});

test("requests made while the connection is lost are sent after catching up", () => {
  const { environment, connection } = connectAndCatchUp();
  environment.socket.break();
  connection.request("choose", CHOICE);
  environment.advance(500);
  environment.socket.open();
  assert.deepEqual(types(environment.socket.take()), ["hello"]);
  environment.socket.receive({ ...WELCOME, seq: 1 });
  assert.deepEqual(types(environment.socket.take()), ["resume"]);
  environment.socket.receive({ type: "adjusted", seq: 1, tokens: 1 });
  assert.deepEqual(types(environment.socket.take()), ["choose"]);
});

test("a request withdrawn before it was sent needs no cancellation", () => {
  const { environment, connection } = connectAndCatchUp();
  environment.socket.break();
  connection.request("choose", CHOICE);
  assert.equal(connection.withdraw("choose"), false);
  environment.advance(500);
  welcome(environment, 0);
  assert.deepEqual(types(environment.socket.take()), ["hello", "resume"]);
});

test("a cancellation is sent before catching up", () => {
  const { environment, connection } = connectAndCatchUp();
  connection.request("choose", CHOICE);
  environment.socket.break();
  assert.equal(connection.withdraw("choose"), true);
  connection.request("cancel", { game: "single-card-game" });
  environment.advance(500);
  environment.socket.open();
  environment.socket.receive({ ...WELCOME, seq: 1 });
  assert.deepEqual(types(environment.socket.take()), ["hello", "cancel", "resume"]);
});

test("a request for a game is dropped after half a minute offline", () => {
  const { environment, connection, events } = connectAndCatchUp();
  environment.socket.break();
  connection.request("choose", CHOICE);
  environment.advance(30_000);
  assert.equal(connection.expire(), false);
  environment.advance(1);
  assert.equal(connection.expire(), true);
  assert.equal(connection.isPending("choose"), false);
  assert.equal(connection.isPending("cancel"), false);
  assert.deepEqual(events.at(-1), ["requestExpired"]);
});

test("an expired request that may have been received is cancelled", () => {
  const { environment, connection } = connectAndCatchUp();
  connection.request("choose", CHOICE);
  environment.socket.break();
  environment.advance(30_001);
  welcome(environment, 0);
  const sent = environment.socket.take();
  assert.ok(!types(sent).includes("choose"));
  assert.ok(types(sent).includes("cancel"));
  assert.equal(connection.pending("cancel").game, "single-card-game");
});

test("pauses between attempts grow to ten seconds, and are short again after a steady connection", () => {
  const { environment, events } = connectAndCatchUp();
  const pauses = [];
  for (let attempt = 0; attempt < 7; attempt += 1) {
    environment.socket.break();
    const { until } = events.at(-1)[1];
    pauses.push(until - environment.now());
    environment.advance(until - environment.now());
  }
  assert.deepEqual(pauses, [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  welcome(environment, 0);
  environment.advance(5_001);
  environment.socket.break();
  assert.equal(events.at(-1)[1].until - environment.now(), 500);
});

test("an unanswered attempt is given up", () => {
  const { environment, events } = connect();
  environment.advance(9_999);
  assert.equal(events.at(-1)[1].state, "trying");
  environment.advance(1);
  assert.equal(events.at(-1)[1].state, "lost");
});

test("an abandoned socket is ignored", () => {
  const { environment, connection, events } = connectAndCatchUp();
  const old = environment.socket;
  connection.open();
  events.splice(0);
  old.receive({ type: "waiting", seq: 1 });
  old.onclose();
  assert.deepEqual(events, []);
});

test("a player with too many connections waits five more seconds", () => {
  const { environment, events } = connectAndCatchUp();
  environment.socket.receive({ type: "error", seq: 0, code: "too_many_connections", message: "" });
  assert.equal(events.at(-1)[1].state, "crowded");
  assert.equal(events.at(-1)[1].until - environment.now(), 5_500);
});

test("a request that the server can't handle now is repeated with its id", () => {
  const { environment, connection, events } = connectAndCatchUp();
  connection.request("choose", CHOICE);
  const [sent] = environment.socket.take();
  environment.socket.receive({
    type: "error",
    seq: 0,
    code: "unavailable",
    message: "later",
    in_reply_to: sent.id,
  });
  assert.equal(events.at(-1)[0], "error");
  environment.advance(1_000);
  assert.deepEqual(environment.socket.take(), [sent]);
});

test("a refusal ends a request; that of an answered one is not reported", () => {
  const { environment, connection, events } = connectAndCatchUp();
  connection.request("choose", CHOICE);
  const [{ id }] = environment.socket.take();
  const refusal = { type: "error", seq: 0, code: "playing", message: "no", in_reply_to: id };
  environment.socket.receive(refusal);
  assert.deepEqual(events.at(-1)[2].type, "choose");
  assert.equal(connection.isPending("choose"), false);
  events.splice(0);
  environment.socket.receive(refusal);
  assert.deepEqual(events, []);
});

test("a refused name is reported, and causes no reconnection", () => {
  const { environment, events } = connect();
  environment.socket.open();
  const [{ id }] = environment.socket.take();
  environment.socket.receive({ type: "error", seq: 0, code: "bad_message", message: "no", in_reply_to: id });
  assert.deepEqual(events.at(-1)[2], { type: "hello" });
  assert.equal(events.filter(([name]) => name === "status").length, 1);
});

test("after the server has lost messages, requests about lost games are dropped", () => {
  const { environment, connection, events } = connectAndCatchUp(9);
  connection.request("decide", { game_id: 7, deal: 1, decision: "fold" });
  environment.socket.break();
  environment.advance(500);
  environment.socket.open();
  environment.socket.receive({ ...WELCOME, seq: 0 });
  assert.ok(events.some(([name]) => name === "messagesLost"));
  assert.equal(connection.isPending("decide"), false);
});

test("a resync skips the missed messages, and never leads back", () => {
  const { environment, events } = connect(2);
  environment.socket.open();
  environment.socket.receive({ ...WELCOME, seq: 20 });
  const resync = { type: "resync", seq: 20, first_seq: 21, balance: 5, place: "free", cards: [] };
  environment.socket.receive(resync);
  assert.deepEqual(
    events.slice(-3).map(([name]) => name),
    ["resync", "status", "ready"],
  );
  events.splice(0);
  environment.socket.receive({ ...resync, seq: 19 });
  environment.socket.receive({ type: "waiting", seq: 21 });
  assert.deepEqual(
    events.map(([name]) => name),
    ["message"],
  );
});

test("a resync in the middle of a connection does not repeat its beginning", () => {
  // The balance of `welcome` is no longer that of the player.
  const { environment, events } = connectAndCatchUp(9);
  environment.socket.receive({ type: "waiting", seq: 12 });
  environment.socket.receive({
    type: "resync",
    seq: 11,
    first_seq: 12,
    balance: 5,
    place: "free",
    cards: [],
  });
  environment.socket.receive({ type: "waiting", seq: 12 });
  environment.advance(60_000);
  assert.deepEqual(
    events.map(([name]) => name),
    ["resync", "message"],
  );
});

test("a change of language reconnects", () => {
  const { environment, connection } = connectAndCatchUp();
  connection.setLanguage("pl");
  assert.deepEqual(
    environment.sockets.map(({ lang }) => lang),
    ["en", "pl"],
  );
});

test("a closed connection is not reopened", () => {
  const { environment, connection } = connectAndCatchUp();
  connection.request("choose", CHOICE);
  connection.close();
  environment.advance(60_000);
  assert.equal(environment.sockets.length, 1);
});
