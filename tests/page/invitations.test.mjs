// Friend links, and games that don't match the player's request.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  friendAddress,
  friendLink,
  matchesRequest,
  parseFriendAddress,
} from "../../crates/table/src/server/page/state/invitations.js";

const CODE = "0123456789abcdef".repeat(2);
const LINK = "0123456789abcdef";
const PERSON = { player: 7, name: "Ola", house: false };
const HOUSE = { player: 1, name: "House 1", house: true };

test("an address contains the link and its secret, and nothing else is one", () => {
  const friend = { link: LINK, secret: CODE };
  assert.equal(
    friendAddress("https://war.example/", friend, "en"),
    `https://war.example/with/0123456789abcdef#${CODE}`,
  );
  const address = friendAddress("https://example.org/war/", friend, "pl");
  assert.equal(address, `https://example.org/war/with/0123456789abcdef?lang=pl#${CODE}`);
  assert.deepEqual(parseFriendAddress(new URL(address)), friend);
  for (const other of ["", "table", "with", "with/0123456789abcdef/more"])
    assert.equal(parseFriendAddress(new URL(other, "https://war.example/")), null, other);
  for (const broken of [
    "with/",
    "with/0123",
    "with/0123456789abcdef",
    `with/0123456789ABCDEF#${CODE}`,
    "with/0123456789abcdef#00",
  ])
    assert.deepEqual(
      parseFriendAddress(new URL(broken, "https://war.example/")),
      { link: null, secret: null },
      broken,
    );
});

test("only a player who waits for a friend has a link", () => {
  assert.equal(friendLink({ friend: LINK }), LINK);
  for (const whom of [undefined, null, "house", { rematch: 7 }]) assert.equal(friendLink(whom), null);
});

/** Returns true if the message that starts a game matches the player's request. */
function matches(whom, opponent, { game = "single-card-game", hash = "ab", before = null } = {}) {
  const request = { hash, game: "single-card-game", whom, opponent: before };
  return matchesRequest(request, { game, seat: 2, opponent, seed_hashes: ["cd", "ab"] });
}

test("a game with the requested opponent matches", () => {
  assert.ok(matchesRequest(null, { seat: 2, opponent: HOUSE, seed_hashes: ["cd", "ab"] }));
  for (const opponent of [PERSON, HOUSE]) assert.ok(matches(null, opponent));
  assert.ok(matches("house", HOUSE));
  assert.ok(matches({ friend: LINK }, PERSON));
  assert.ok(matches({ rematch: 5 }, PERSON, { before: 7 }));
  assert.ok(matches("house", PERSON, { hash: "ef" }), "this was another request");
});

test("a game with another opponent, or another game, does not match", () => {
  assert.ok(!matches(null, PERSON, { game: "double-card-game" }));
  assert.ok(!matches("house", PERSON));
  assert.ok(!matches({ friend: LINK }, HOUSE));
  assert.ok(!matches({ friend: LINK }, PERSON, { game: "double-card-game" }));
  assert.ok(!matches({ rematch: 5 }, HOUSE, { before: 7 }));
  assert.ok(!matches({ rematch: 5 }, PERSON, { before: 8 }));
});
