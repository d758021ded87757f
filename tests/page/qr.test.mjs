// QR codes, read by a program that others wrote for cameras.

import assert from "node:assert/strict";
import { test } from "node:test";
import { code } from "../../crates/table/src/server/page/widgets/qr-code.js";
import { load } from "../../crates/table/src/server/page/tools/packages.mjs";

const read = load("jsqr");
/** The pixels of a module's side, and the modules around the code. */
const SIDE = 3;
const MARGIN = 4;

/** What a camera makes of the modules. */
function seen(modules) {
  const size = (modules.length + 2 * MARGIN) * SIDE;
  const pixels = new Uint8ClampedArray(4 * size * size);
  for (let at = 0; at < size * size; at += 1) {
    const [row, column] = [Math.floor(at / size), at % size].map(
      (place) => Math.floor(place / SIDE) - MARGIN,
    );
    const light = modules[row]?.[column] ? 0 : 255;
    pixels.set([light, light, light, 255], 4 * at);
  }
  return read(pixels, size, size)?.data;
}

test("every size of code is read as it was meant", () => {
  const sizes = new Set();
  const letters = "https://table.example/#key=aZ09-_ż".repeat(12);
  for (let length = 1; length < 365; length += 7) {
    const text = letters.slice(0, length);
    const modules = code(text);
    assert.equal(seen(modules), text, text);
    sizes.add(modules.length);
  }
  assert.deepEqual(
    [...sizes],
    Array.from({ length: 15 }, (_, at) => 21 + 4 * at),
  );
});

test("a code that is damaged a little is still read", () => {
  const modules = code("https://table.example/");
  for (const at of [9, 11, 13]) modules[at][12] = !modules[at][12];
  assert.equal(seen(modules), "https://table.example/");
});

test("what is too long has no code", () => {
  assert.equal(code("x".repeat(412)).length, 77);
  assert.equal(code("x".repeat(413)), null);
});
