// The back of the cards: a lattice in claret, which stands out on green felt.

import { createSvg } from "./svg.js";

const CLOTH = "var(--card-back, #7d1a2b)";
const THREAD = "var(--card-back-line, #f0dfb4)";

const SWORD =
  "M-1.3 8V-14L0-18L1.3-14V8ZM-5.5 8H5.5V10.4H-5.5ZM-1.2 10.4H1.2V16H-1.2ZM-2.2 16H2.2V18.5H-2.2Z";

/** Number of lattice fields across and down, and the rectangle that they fill. */
const FIELDS = { across: 8, down: 12, left: 9, top: 9, width: 82, height: 122 };

/** Draws two crossed swords around a point. */
export function crossedSwords(x, y, scale, colour) {
  const swords = [-35, 35].map((turn) => createSvg("path", { d: SWORD, transform: `rotate(${turn})` }));
  return createSvg("g", { fill: colour, transform: `translate(${x} ${y}) scale(${scale})` }, swords);
}

/** Draws the pattern of a back. */
export function backPattern() {
  const line = { fill: "none", stroke: THREAD };
  const { left: x, top: y, width, height } = FIELDS;
  return [
    createSvg("rect", { x: 5, y: 5, width: 90, height: 130, rx: 5, fill: CLOTH }),
    createSvg("path", { d: diamonds(1), ...line, "stroke-width": 0.7 }),
    createSvg("path", { d: diamonds(0.35), fill: THREAD }),
    createSvg("rect", { x, y, width, height, rx: 2, ...line, "stroke-width": 1.5 }),
    createSvg("ellipse", {
      cx: 50,
      cy: 70,
      rx: 25,
      ry: 30,
      fill: CLOTH,
      stroke: THREAD,
      "stroke-width": 1.8,
    }),
    createSvg("ellipse", { cx: 50, cy: 70, rx: 22, ry: 27, ...line, "stroke-width": 0.6 }),
    crossedSwords(50, 70, 1.15, THREAD),
  ];
}

/** Outlines a diamond in each field; at size 1 the diamonds form a lattice. */
function diamonds(size) {
  const { across, down, left, top, width, height } = FIELDS;
  const [w, h] = [width / across / 2, height / down / 2];
  const d = [];
  for (let row = 0; row < down; row += 1) {
    for (let column = 0; column < across; column += 1) {
      const [x, y] = [left + w * (2 * column + 1), top + h * (2 * row + 1 - size)];
      const [a, b] = [(w * size).toFixed(2), (h * size).toFixed(2)];
      d.push(`M${x} ${y.toFixed(2)}l${a} ${b}l-${a} ${b}l-${a}-${b}Z`);
    }
  }
  return d.join("");
}
