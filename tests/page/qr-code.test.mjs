// QR codes, read by an independent decoder.

import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeQrCode } from "../../crates/table/src/server/page/widgets/qr-code.js";
import { load } from "../../crates/table/src/server/page/tools/packages.mjs";

const decode = load("jsqr");
/** Pixels per module, and modules around the code. */
const MODULE_PIXELS = 3;
const MARGIN = 4;

/** Draws a QR code as pixels, and decodes them. */
function decodeQrCode(modules) {
  const size = (modules.length + 2 * MARGIN) * MODULE_PIXELS;
  const pixels = new Uint8ClampedArray(4 * size * size);
  for (let at = 0; at < size * size; at += 1) {
    const [row, column] = [Math.floor(at / size), at % size].map(
      (place) => Math.floor(place / MODULE_PIXELS) - MARGIN,
    );
    const light = modules[row]?.[column] ? 0 : 255;
    pixels.set([light, light, light, 255], 4 * at);
  }
  return decode(pixels, size, size)?.data;
}

test("codes of every version are decoded", () => {
  const sizes = new Set();
  const letters = "https://table.example/#key=aZ09-_ż".repeat(12);
  for (let length = 1; length < 365; length += 7) {
    const text = letters.slice(0, length);
    const modules = encodeQrCode(text);
    assert.equal(decodeQrCode(modules), text, text);
    sizes.add(modules.length);
  }
  assert.deepEqual(
    [...sizes],
    Array.from({ length: 15 }, (_, at) => 21 + 4 * at),
  );
});

test("a slightly damaged code is still decoded", () => {
  const modules = encodeQrCode("https://table.example/");
  for (const at of [9, 11, 13]) modules[at][12] = !modules[at][12];
  assert.equal(decodeQrCode(modules), "https://table.example/");
});

test("a text that is too long has no code", () => {
  assert.equal(encodeQrCode("x".repeat(412)).length, 77);
  assert.equal(encodeQrCode("x".repeat(413)), null);
});
