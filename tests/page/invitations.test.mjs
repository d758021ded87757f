// Invitation links, and games that don't match the player's request.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  acceptedInvitation,
  invitationCode,
  invitationLink,
  matchesRequest,
  parseInvitation,
} from "../../crates/table/src/server/page/state/invitations.js";

const CODE = "0123456789abcdef".repeat(2);
const PERSON = { player: 7, name: "Ola", house: false };
const HOUSE = { player: 1, name: "House 1", house: true };

test("a request that accepts an invitation contains it", () => {
  const game = "double-card-game";
  assert.deepEqual(acceptedInvitation({ game, with: { accept: CODE } }), { code: CODE, game });
  for (const other of ["house", { invitation: CODE }, { rematch: 7 }, undefined]) {
    assert.equal(acceptedInvitation({ game, with: other }), null);
  }
});

test("a link contains its invitation, and nothing else is one", () => {
  const address = invitationLink("https://war.example/", CODE, "double-card-game");
  assert.equal(address, `https://war.example/#invite=${CODE}&game=double-card-game`);
  assert.deepEqual(parseInvitation(new URL(address).hash), { code: CODE, game: "double-card-game" });
  const others = [
    "",
    "#",
    `#invite=${CODE}`,
    `#invite=${CODE}&game=chess`,
    `#invite=x${CODE}&game=double-card-game`,
  ];
  for (const other of others) assert.equal(parseInvitation(other), null, other);
});

test("only a player who waits with an invitation has its code", () => {
  assert.equal(invitationCode({ invitation: CODE }), CODE);
  for (const whom of [undefined, "house", { rematch: 7 }, { accept: CODE }]) {
    assert.equal(invitationCode(whom), null);
  }
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
  assert.ok(matches({ invitation: CODE }, PERSON));
  assert.ok(matches({ accept: CODE }, PERSON));
  assert.ok(matches({ rematch: 5 }, PERSON, { before: 7 }));
  assert.ok(matches("house", PERSON, { hash: "ef" }), "this was another request");
});

test("a game with another opponent, or another game, does not match", () => {
  assert.ok(!matches(null, PERSON, { game: "double-card-game" }));
  assert.ok(!matches("house", PERSON));
  assert.ok(!matches({ invitation: CODE }, HOUSE));
  assert.ok(!matches({ accept: CODE }, HOUSE));
  assert.ok(!matches({ accept: CODE }, PERSON, { game: "double-card-game" }));
  assert.ok(!matches({ rematch: 5 }, HOUSE, { before: 7 }));
  assert.ok(!matches({ rematch: 5 }, PERSON, { before: 8 }));
});
