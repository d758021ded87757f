// Suit pips, and their layout on the cards from two to ten.

import { createSvg, defineShape, useShape } from "./svg.js";

/** Outlines of the suits, around the origin, 20 units high. */
const OUTLINES = {
  c: "M-4.6-5.3a4.6 4.6 0 1 1 9.2 0a4.6 4.6 0 1 1-9.2 0ZM-9.4 2.2a4.6 4.6 0 1 1 9.2 0a4.6 4.6 0 1 1-9.2 0ZM.2 2.2a4.6 4.6 0 1 1 9.2 0a4.6 4.6 0 1 1-9.2 0ZM-3.5-3.5H3.5V4H1.9Q1.6 8 4.2 10H-4.2Q-1.6 8-1.9 4H-3.5Z",
  d: "M0-10.4C1.9-6.2 4.8-2.5 7.6 0C4.8 2.5 1.9 6.2 0 10.4C-1.9 6.2-4.8 2.5-7.6 0C-4.8-2.5-1.9-6.2 0-10.4Z",
  h: "M0 10C-1.4 6.8-9.2 2-9.2-4.3C-9.2-7.6-6.9-9.7-4.4-9.7C-2.1-9.7-.6-8.1 0-6C.6-8.1 2.1-9.7 4.4-9.7C6.9-9.7 9.2-7.6 9.2-4.3C9.2 2 1.4 6.8 0 10Z",
  s: "M0-10.2C1.3-6.6 9-2.6 9 3.1C9 6.2 6.7 7.7 4.6 7.7C2.7 7.7 1.3 6.6.7 4.9C.8 7.2 1.8 9.1 4 10.2H-4C-1.8 9.1-.8 7.2-.7 4.9C-1.3 6.6-2.7 7.7-4.6 7.7C-6.7 7.7-9 6.2-9 3.1C-9-2.6-1.3-6.6 0-10.2Z",
};

const TWO = [26, 114];
const THREE = [26, 70, 114];
const FOUR = [26, 55.3, 84.7, 114];

/** Vertical positions of the pips: in each of the side columns, and in the middle one. */
const COLUMNS = {
  2: [[], TWO],
  3: [[], THREE],
  4: [TWO, []],
  5: [TWO, [70]],
  6: [THREE, []],
  7: [THREE, [48]],
  8: [THREE, [48, 92]],
  9: [FOUR, [70]],
  T: [FOUR, [40.6, 99.4]],
};

/** Draws a pip centred on a point, upside down in the lower half of the card. */
export function pip(suit, x, y, size) {
  const id = defineShape(`card-suit-${suit}`, () => createSvg("path", { d: OUTLINES[suit] }));
  const scale = size / 20;
  return useShape(id, { transform: `translate(${x} ${y}) scale(${scale} ${y > 70 ? -scale : scale})` });
}

/** Draws the pips of a card from two to ten. */
export function pips(rank, suit) {
  const [sides, between] = COLUMNS[rank];
  const column = (x, heights) => heights.map((y) => pip(suit, x, y, 18.5));
  return [...column(34, sides), ...column(66, sides), ...column(50, between)];
}
