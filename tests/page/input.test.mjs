// Keys of decisions on keyboards of different alphabets.

import assert from "node:assert/strict";
import { test } from "node:test";
import { typedLetter } from "../../crates/table/src/server/page/controllers/input.js";

test("a Latin letter counts as it is typed, wherever it is on the keyboard", () => {
  assert.equal(typedLetter({ key: "p", code: "KeyR" }), "P");
  assert.equal(typedLetter({ key: "P", code: "KeyP" }), "P");
  assert.equal(typedLetter({ key: "ó", code: "KeyP" }), "Ó");
});

test("a letter of another alphabet counts by its place on the keyboard", () => {
  assert.equal(typedLetter({ key: "з", code: "KeyP" }), "P");
  assert.equal(typedLetter({ key: "а", code: "KeyF" }), "F");
  assert.equal(typedLetter({ key: "φ", code: "KeyF" }), "F");
});

test("other keys are no letters", () => {
  for (const key of ["Enter", "F5", "PageUp"]) assert.equal(typedLetter({ key, code: key }), key);
});
