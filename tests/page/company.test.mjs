// Whom the player wants to play with: links, and games that are not what was asked for.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  accepted,
  fits,
  invitation,
  invited,
  link,
} from "../../crates/table/src/server/page/state/invitations.js";

const CODE = "0123456789abcdef".repeat(2);
const PERSON = { player: 7, name: "Ola", house: false };
const HOUSE = { player: 1, name: "House 1", house: true };

test("a request that accepts an invitation says which", () => {
  const game = "double-card-game";
  assert.deepEqual(accepted({ game, with: { accept: CODE } }), { code: CODE, game });
  for (const other of ["house", { invitation: CODE }, { rematch: 7 }, undefined]) {
    assert.equal(accepted({ game, with: other }), null);
  }
});

test("a link says what it invites to, and nothing else does", () => {
  const address = link("https://war.example", CODE, "double-card-game");
  assert.equal(address, `https://war.example/#invite=${CODE}&game=double-card-game`);
  assert.deepEqual(invited(new URL(address).hash), { code: CODE, game: "double-card-game" });
  const others = [
    "",
    "#",
    `#invite=${CODE}`,
    `#invite=${CODE}&game=chess`,
    `#invite=x${CODE}&game=double-card-game`,
  ];
  for (const other of others) assert.equal(invited(other), null, other);
});

test("only who waits with an invitation has a link to show", () => {
  assert.equal(invitation({ invitation: CODE }), CODE);
  for (const whom of [undefined, "house", { rematch: 7 }, { accept: CODE }]) {
    assert.equal(invitation(whom), null);
  }
});

/** Whether a start fits what was asked for. */
function fit(whom, opponent, { game = "single-card-game", hash = "ab", before = null } = {}) {
  const wish = { hash, game: "single-card-game", whom, opponent: before };
  return fits(wish, { game, seat: 2, opponent, seed_hashes: ["cd", "ab"] });
}

test("a game is with whom the player asked for", () => {
  assert.ok(fits(null, { seat: 2, opponent: HOUSE, seed_hashes: ["cd", "ab"] }));
  for (const opponent of [PERSON, HOUSE]) assert.ok(fit(null, opponent));
  assert.ok(fit("house", HOUSE));
  assert.ok(fit({ invitation: CODE }, PERSON));
  assert.ok(fit({ accept: CODE }, PERSON));
  assert.ok(fit({ rematch: 5 }, PERSON, { before: 7 }));
  assert.ok(fit("house", PERSON, { hash: "ef" }), "that was another request");
});

test("a game with somebody else, or another game, is found", () => {
  assert.ok(!fit(null, PERSON, { game: "double-card-game" }));
  assert.ok(!fit("house", PERSON));
  assert.ok(!fit({ invitation: CODE }, HOUSE));
  assert.ok(!fit({ accept: CODE }, HOUSE));
  assert.ok(!fit({ accept: CODE }, PERSON, { game: "double-card-game" }));
  assert.ok(!fit({ rematch: 5 }, HOUSE, { before: 7 }));
  assert.ok(!fit({ rematch: 5 }, PERSON, { before: 8 }));
});
