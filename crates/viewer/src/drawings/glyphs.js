// Digits and letters of the ranks, drawn as lines so that they don't depend on fonts.

import { createSvg } from "./svg.js";

/** Paths in a box 12 wide and 20 high. */
const LINES = {
  0: "M6 1.6C9 1.6 10.5 4.6 10.5 10S9 18.4 6 18.4S1.5 15.4 1.5 10S3 1.6 6 1.6Z",
  1: "M2.2 5.3L6.8 1.6V20",
  2: "M1.8 6.2Q1.8 1.6 6 1.6Q10.3 1.6 10.3 5.8C10.3 9.6 3.6 13 1.9 18.5H11",
  3: "M1.8 4.8Q3 1.6 6 1.6Q10.1 1.6 10.1 5.5Q10.1 9.4 5.4 9.4Q10.6 9.4 10.6 14Q10.6 18.4 6 18.4Q2.4 18.4 1.4 15",
  4: "M8.6 20V1.9L1.6 13.8H11.7",
  5: "M10.2 1.6H3.2L2.5 9.2Q4 7.7 6.2 7.7Q10.6 7.7 10.6 13Q10.6 18.4 6 18.4Q2.5 18.4 1.4 15.4",
  6: "M10 4Q9 1.6 6.3 1.6Q1.6 1.6 1.6 11.2Q1.6 18.4 6.1 18.4Q10.6 18.4 10.6 13.2Q10.6 8.3 6.3 8.3Q2.8 8.3 1.6 12",
  7: "M1 1.6H10.6Q5.8 9.5 4.8 20",
  8: "M6 9.3Q2.1 9.3 2.1 5.4Q2.1 1.6 6 1.6Q9.9 1.6 9.9 5.4Q9.9 9.3 6 9.3Q1.4 9.3 1.4 13.9Q1.4 18.4 6 18.4Q10.6 18.4 10.6 13.9Q10.6 9.3 6 9.3Z",
  9: "M2 16Q3 18.4 5.7 18.4Q10.4 18.4 10.4 8.8Q10.4 1.6 5.9 1.6Q1.4 1.6 1.4 6.8Q1.4 11.7 5.7 11.7Q9.2 11.7 10.4 8",
  J: "M3.6 1.6H11M8.6 1.6V13.6Q8.6 18.4 4.9 18.4Q1.3 18.4 1.3 14",
  Q: "M6 1.6C9 1.6 10.7 4.6 10.7 10S9 18.4 6 18.4S1.3 15.4 1.3 10S3 1.6 6 1.6ZM6.3 13.5L11.3 20",
  K: "M2 0V20M10.8 0L2.5 11.3M5.3 7.8L11.2 20",
  A: "M.8 20L6 1L11.2 20M2.7 13.8H9.3",
};

/** Draws a rank of one or two characters, centred on a point. */
export function drawRank(rank, x, y, height, colour) {
  const scale = height / 20;
  const narrow = rank.length > 1 ? 0.74 : 1;
  const step = rank.startsWith("1") ? 11 : 13.5;
  const first = -6 - (step * (rank.length - 1)) / 2;
  const parts = [...rank].map((letter, at) =>
    createSvg("path", { d: LINES[letter], transform: `translate(${first + step * at} -10)` }),
  );
  const look = { fill: "none", stroke: colour, "stroke-width": 3.1, "stroke-linejoin": "round" };
  return createSvg(
    "g",
    { ...look, transform: `translate(${x} ${y}) scale(${scale * narrow} ${scale})` },
    parts,
  );
}
