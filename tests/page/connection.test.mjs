// One player's line to the table, over sockets and a clock that the tests move.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Connection } from "../../crates/table/src/server/page/protocol/connection.js";
import { World } from "./world.mjs";

const WELCOME = { type: "welcome", player: 4, balance: 1_000, now_ms: 1, protocol: 2 };
const CHOICE = { game: "single-card-game", seed_hash: "ab" };

/** A player's line to a table, and what it tells. */
function line(after = 0) {
  const world = new World();
  const told = [];
  const tells = ["link", "welcome", "message", "error", "ready", "forgotten", "resync", "expired"];
  const tell = Object.fromEntries(tells.map((what) => [what, (...about) => told.push([what, ...about])]));
  const connection = new Connection({ name: "Ann", token: "t", lang: "en" }, after, tell, world);
  return { world, connection, told };
}

/** The same, greeted by a table whose last message has this number, and caught up. */
function greeted(seq = 0) {
  const all = line(seq);
  greets(all.world, seq);
  all.world.socket.take();
  all.told.splice(0);
  return all;
}

/** The table answers the call, and all that it asks. */
function greets(world, seq) {
  world.socket.opens();
  world.socket.says({ ...WELCOME, seq });
}

function types(sent) {
  return sent.map(({ type }) => type);
}

test("it says who is there, asks for what it missed, and is ready when all of it came", () => {
  const { world, told } = line(2);
  assert.deepEqual(told, [["link", { state: "trying" }]]);
  world.socket.opens();
  const [hello] = world.socket.take();
  assert.deepEqual(hello, { type: "hello", id: hello.id, name: "Ann", token: "t", protocol: 2 });
  world.socket.says({ ...WELCOME, seq: 4 });
  const [resume] = world.socket.take();
  assert.deepEqual([resume.type, resume.after], ["resume", 2]);
  world.socket.says({ type: "waiting", seq: 3, game: "single-card-game" });
  assert.ok(!told.some(([what]) => what === "ready"));
  world.socket.says({ type: "cancelled", seq: 4, game: "single-card-game" });
  assert.deepEqual(
    told.slice(-4).map(([what]) => what),
    ["message", "message", "link", "ready"],
  );
  assert.deepEqual(told.at(-2), ["link", { state: "open" }]);
});

test("messages are told once and in order; a gap is asked for, once", () => {
  const { world, told } = greeted(2);
  world.socket.says({ type: "waiting", seq: 2 });
  world.socket.says({ type: "waiting", seq: 5 });
  world.socket.says({ type: "waiting", seq: 6 });
  assert.deepEqual(told, []);
  // What it asked for at the beginning was after the same message.
  assert.deepEqual(types(world.socket.take()), []);
  world.socket.says({ type: "waiting", seq: 3 });
  world.socket.says({ type: "waiting", seq: 5 });
  world.socket.says({ type: "waiting", seq: 5 });
  const asked = world.socket.take();
  assert.deepEqual(
    asked.map(({ type, after }) => [type, after]),
    [["resume", 3]],
  );
  assert.deepEqual(
    told.map(([, { seq }]) => seq),
    [3],
  );
});

test("a request is sent until a message about the same answers it", () => {
  const { world, connection } = greeted();
  connection.ask("decide", { game_id: 7, deal: 2, decision: "play" });
  const [sent] = world.socket.take();
  world.socket.says({ type: "decided", seq: 1, game_id: 7, deal: 1, decision: "play" });
  assert.ok(connection.awaits("decide"));
  world.passes(10_000);
  greets(world, 1);
  const again = world.socket.take().find(({ type }) => type === "decide");
  assert.deepEqual(again, sent);
  world.socket.says({ type: "decided", seq: 2, game_id: 7, deal: 2, decision: "play" });
  assert.ok(!connection.awaits("decide"));
  world.passes(60_000);
  assert.equal(world.sockets.length, 2);
});

test("what is asked for while the line is lost goes out when all that was missed is there", () => {
  const { world, connection } = greeted();
  world.socket.breaks();
  connection.ask("choose", CHOICE);
  world.passes(500);
  world.socket.opens();
  assert.deepEqual(types(world.socket.take()), ["hello"]);
  world.socket.says({ ...WELCOME, seq: 1 });
  assert.deepEqual(types(world.socket.take()), ["resume"]);
  world.socket.says({ type: "adjusted", seq: 1, tokens: 1 });
  assert.deepEqual(types(world.socket.take()), ["choose"]);
});

test("who takes a request back before the table heard of it need not tell the table", () => {
  const { world, connection } = greeted();
  world.socket.breaks();
  connection.ask("choose", CHOICE);
  assert.equal(connection.withdraw("choose"), false);
  world.passes(500);
  greets(world, 0);
  assert.deepEqual(types(world.socket.take()), ["hello", "resume"]);
});

test("who may have been heard stops waiting first of all", () => {
  const { world, connection } = greeted();
  connection.ask("choose", CHOICE);
  world.socket.breaks();
  assert.equal(connection.withdraw("choose"), true);
  connection.ask("cancel", { game: "single-card-game" });
  world.passes(500);
  world.socket.opens();
  world.socket.says({ ...WELCOME, seq: 1 });
  assert.deepEqual(types(world.socket.take()), ["hello", "cancel", "resume"]);
});

test("a wish for a game that nobody heard for half a minute is never sent", () => {
  const { world, connection, told } = greeted();
  world.socket.breaks();
  connection.ask("choose", CHOICE);
  world.passes(30_000);
  assert.equal(connection.expire(), false);
  world.passes(1);
  assert.equal(connection.expire(), true);
  assert.equal(connection.awaits("choose"), false);
  assert.equal(connection.awaits("cancel"), false);
  assert.deepEqual(told.at(-1), ["expired"]);
});

test("an old wish that may have been heard is taken back where the table can hear that", () => {
  const { world, connection } = greeted();
  connection.ask("choose", CHOICE);
  world.socket.breaks();
  world.passes(30_001);
  greets(world, 0);
  const sent = world.socket.take();
  assert.ok(!types(sent).includes("choose"));
  assert.ok(types(sent).includes("cancel"));
  assert.equal(connection.awaited("cancel").game, "single-card-game");
});

test("pauses between attempts grow to ten seconds, and are short again after a steady line", () => {
  const { world, told } = greeted();
  const pauses = [];
  for (let attempt = 0; attempt < 7; attempt += 1) {
    world.socket.breaks();
    const { until } = told.at(-1)[1];
    pauses.push(until - world.now());
    world.passes(until - world.now());
  }
  assert.deepEqual(pauses, [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  greets(world, 0);
  world.passes(5_001);
  world.socket.breaks();
  assert.equal(told.at(-1)[1].until - world.now(), 500);
});

test("a call that nobody answers is given up", () => {
  const { world, told } = line();
  world.passes(9_999);
  assert.equal(told.at(-1)[1].state, "trying");
  world.passes(1);
  assert.equal(told.at(-1)[1].state, "lost");
});

test("a socket that was given up says nothing any more", () => {
  const { world, connection, told } = greeted();
  const old = world.socket;
  connection.open();
  told.splice(0);
  old.says({ type: "waiting", seq: 1 });
  old.onclose();
  assert.deepEqual(told, []);
});

test("a player with too many connections waits five seconds more", () => {
  const { world, told } = greeted();
  world.socket.says({ type: "error", seq: 0, code: "too_many_connections", message: "" });
  assert.equal(told.at(-1)[1].state, "crowded");
  assert.equal(told.at(-1)[1].until - world.now(), 5_500);
});

test("what the table can't do now is asked again under its name", () => {
  const { world, connection, told } = greeted();
  connection.ask("choose", CHOICE);
  const [sent] = world.socket.take();
  world.socket.says({ type: "error", seq: 0, code: "unavailable", message: "later", in_reply_to: sent.id });
  assert.equal(told.at(-1)[0], "error");
  world.passes(1_000);
  assert.deepEqual(world.socket.take(), [sent]);
});

test("a refusal ends a request; one that was answered already is not told", () => {
  const { world, connection, told } = greeted();
  connection.ask("choose", CHOICE);
  const [{ id }] = world.socket.take();
  const refusal = { type: "error", seq: 0, code: "playing", message: "no", in_reply_to: id };
  world.socket.says(refusal);
  assert.deepEqual(told.at(-1)[2].type, "choose");
  assert.equal(connection.awaits("choose"), false);
  told.splice(0);
  world.socket.says(refusal);
  assert.deepEqual(told, []);
});

test("a name that is refused is told, and the line is not tried again for it", () => {
  const { world, told } = line();
  world.socket.opens();
  const [{ id }] = world.socket.take();
  world.socket.says({ type: "error", seq: 0, code: "bad_message", message: "no", in_reply_to: id });
  assert.deepEqual(told.at(-1)[2], { type: "hello" });
  assert.equal(told.filter(([what]) => what === "link").length, 1);
});

test("a table that lost messages says so, and is asked nothing about games that are gone", () => {
  const { world, connection, told } = greeted(9);
  connection.ask("decide", { game_id: 7, deal: 1, decision: "fold" });
  world.socket.breaks();
  world.passes(500);
  world.socket.opens();
  world.socket.says({ ...WELCOME, seq: 0 });
  assert.ok(told.some(([what]) => what === "forgotten"));
  assert.equal(connection.awaits("decide"), false);
});

test("what is not kept any more is gone over, and never leads back", () => {
  const { world, told } = line(2);
  world.socket.opens();
  world.socket.says({ ...WELCOME, seq: 20 });
  const resync = { type: "resync", seq: 20, first_seq: 21, balance: 5, place: "free", cards: [] };
  world.socket.says(resync);
  assert.deepEqual(
    told.slice(-3).map(([what]) => what),
    ["resync", "link", "ready"],
  );
  told.splice(0);
  world.socket.says({ ...resync, seq: 19 });
  world.socket.says({ type: "waiting", seq: 21 });
  assert.deepEqual(
    told.map(([what]) => what),
    ["message"],
  );
});

test("another language is spoken from the next connection on", () => {
  const { world, connection } = greeted();
  connection.speak("pl");
  assert.deepEqual(
    world.sockets.map(({ lang }) => lang),
    ["en", "pl"],
  );
});

test("a line that was left is not tried again", () => {
  const { world, connection } = greeted();
  connection.ask("choose", CHOICE);
  connection.close();
  world.passes(60_000);
  assert.equal(world.sockets.length, 1);
});
