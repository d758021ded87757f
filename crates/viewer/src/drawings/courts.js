// Court figures: half of a jack, queen or king in flat colours; the other half is rotated.

import { heldItem } from "./held-items.js";
import { createSvg, mirror } from "./svg.js";

const PAINTS = {
  skin: "#f7d9bb",
  gold: "#f3b92f",
  white: "#fffdf7",
  steel: "#d5dfe8",
  wood: "#8a5a2b",
  leaf: "#3d8b4f",
  bloom: "#e0506b",
  ink: "#1d1a1f",
  lip: "#b5303c",
  blush: "#f0b79a",
  nose: "#b9855a",
};

/** Colours of robe, trim and hair by suit; the last ones are for a court card without a suit. */
const SUIT_PAINTS = {
  c: { robe: "#1b7a55", trim: "#b3272d", hair: "#6b4222" },
  d: { robe: "#d8641c", trim: "#1f4e8c", hair: "#9a4a1d" },
  h: { robe: "#c4203a", trim: "#264a9c", hair: "#d9a441" },
  s: { robe: "#26479c", trim: "#c4203a", hair: "#3a3334" },
  "": { robe: "#5d5470", trim: "#2d7d7a", hair: "#7a5636" },
};

/**
 * Shapes of the figures, from back to front. Each is a colour and a path: `~` draws only a line
 * in that colour, `.` fills the path without an outline.
 */
const FIGURES = {
  K: [
    "hair M39 34C32 41 36 47 31 53C29.5 60 37 63 42 58.5L44 40ZM61 34C68 41 64 47 69 53C70.5 60 63 63 58 58.5L56 40Z",
    "~ink M38.5 40C37 46 38 50 35 55M61.5 40C63 46 62 50 65 55",
    "robe M21 64.2V61C22 58 30 57 38 57H62C72 58 79 63 79 68V75.8Z",
    ".gold M23.5 60l1.2 1.8l-1.2 1.8l-1.2-1.8ZM28.5 61.2l1.2 1.8l-1.2 1.8l-1.2-1.8Z",
    "trim M41 60H59V71.8L41 68.2Z",
    "gold M48 61H52V70.4L48 69.6Z",
    "white M31 57.5Q40 54 50 54T69 57.5Q70 64 63 67L50 61L37 66Q30 63 31 57.5Z",
    ".ink M35 58.5l.9 2.8l.9-2.8ZM40.5 61l.9 2.8l.9-2.8ZM57.7 61l.9 2.8l.9-2.8ZM63.2 58.5l.9 2.8l.9-2.8Z",
    "skin M40 33H60V44C60 50 56 54 50 54S40 50 40 44Z",
    "hair M39.3 42C41.5 46 44 47 50 46.5C56 47 58.5 46 60.7 42C62 54 57 62 50 66C43 62 38 54 39.3 42Z",
    "~ink M43.5 51.5C44.5 56 46.5 59.5 49 62M56.5 51.5C55.5 56 53.5 59.5 51 62M50 54.5V59",
    ".lip M47 50Q50 49 53 50Q50 53.3 47 50Z",
    "hair M50 46.2C46.5 44.3 43 46 41.8 50C45.5 51 48.3 50 50 48.2C51.7 50 54.5 51 58.2 50C57 46 53.5 44.3 50 46.2Z",
    "robe M40 29.5C31 19 42.5 14 50 19C57.5 14 69 19 60 29.5Z",
    "gold M50 18.5C46.5 21 45.5 25 46 29H54C54.5 25 53.5 21 50 18.5Z",
    "gold M49 18.5V16.2H46.8V14.2H49V11.8H51V14.2H53.2V16.2H51V18.5Z",
    "gold M38 28.3Q50 25.3 62 28.3V34.3Q50 31.3 38 34.3Z",
    ".trim M50 27.6L52.2 29.8L50 32L47.8 29.8Z",
    ".lip M41.2 31.5L42.7 29.3L44.2 31L42.7 32.8ZM58.8 31.5L57.3 29.3L55.8 31L57.3 32.8Z",
  ],
  Q: [
    "trim M50 23C33 23 34 40 33 46C32 53 28.5 58 26.5 63H73.5C71.5 58 68 53 67 46C66 40 67 23 50 23Z",
    "hair M50 25C38 25 36 33 36.5 41C37 49 33.5 53 33.5 60C37 64 42.5 62 44 55H56C57.5 62 63 64 66.5 60C66.5 53 63 49 63.5 41C64 33 62 25 50 25Z",
    "~ink M39 40C39.5 48 37.5 52 38 58M61 40C60.5 48 62.5 52 62 58",
    "robe M21 64.2V62.5C25 60 34 60.5 42 58.5L50 66L58 58.5C68 61 77 64 79 69V75.8Z",
    ".gold M24 61.6l1.2 1.8l-1.2 1.8l-1.2-1.8ZM30 62.3l1.2 1.8l-1.2 1.8l-1.2-1.8Z",
    "~gold M40 60.3L47 68.5M60 60.3L53 70",
    "trim M46.5 64.5L50 67.5L53.5 64.5L55 71L45 69Z",
    "skin M41.5 59Q46.3 57.5 46.3 52H53.7Q53.7 57.5 58.5 59L50 67.5Z",
    "skin M41 38C41 30 45 28 50 28S59 30 59 38C59 46 55.5 53 50 54.3C44.5 53 41 46 41 38Z",
    ".blush M41.8 45.3a1.7 1.3 0 1 1 3.4 0a1.7 1.3 0 1 1-3.4 0ZM54.8 45.3a1.7 1.3 0 1 1 3.4 0a1.7 1.3 0 1 1-3.4 0Z",
    "hair M50 27.5Q52 34 59.7 43.5C62 33 59 25.5 50 25.5S38 33 40.3 43.5Q48 34 50 27.5Z",
    "gold M40 28.5L36.3 16.5L43.3 22.5L50 13.5L56.7 22.5L63.7 16.5L60 28.5Q50 25 40 28.5Z",
    ".trim M50 20L51.9 22.6L50 25.2L48.1 22.6Z",
    "white M34.7 16a1.7 1.7 0 1 1 3.4 0a1.7 1.7 0 1 1-3.4 0ZM61.9 16a1.7 1.7 0 1 1 3.4 0a1.7 1.7 0 1 1-3.4 0ZM48 13a2 2 0 1 1 4 0a2 2 0 1 1-4 0Z",
    "~white M44 57.5Q50 63 56 57.5",
    "gold M48.5 61a1.5 1.5 0 1 1 3 0a1.5 1.5 0 1 1-3 0Z",
  ],
  J: [
    "hair M39 31C34 39 36.5 47 31.5 51.5C35 58.5 43 57 44.5 50H55.5C57 57 65 58.5 68.5 51.5C63.5 47 66 39 61 31Z",
    "~ink M38.5 38C37.5 45 38.5 49 35.5 54M61.5 38C62.5 45 61.5 49 64.5 54",
    "robe M21 64.2V60.5C24 58 34 58.5 42 57H58C68 58.5 77 63 79 68V75.8Z",
    "~gold M24.5 59.5L25.5 65M30.5 59L31.5 66.2",
    "trim M44.5 60H55.5V71.1L44.5 68.9Z",
    ".gold M48.8 63.5a1.2 1.2 0 1 1 2.4 0a1.2 1.2 0 1 1-2.4 0ZM48.8 67.5a1.2 1.2 0 1 1 2.4 0a1.2 1.2 0 1 1-2.4 0Z",
    "white M41 54L50 57L59 54L67.5 60.5L56.5 65.5L50 59L43.5 65.5L32.5 60.5Z",
    "skin M41 32H59V42C59 49 55 54.5 50 54.5S41 49 41 42Z",
    "hair M40.3 43C38.5 36 39.5 32 41 30H59C60.5 32 61.5 36 59.7 43C58.5 38 57 35.5 54 35C48 34.5 43 36 40.3 43Z",
    "robe M36.5 29.5C28 21 40 12.5 51 14.5C61 15 69 22 63.5 29.5Q50 26 36.5 29.5Z",
    "gold M35.5 28.3Q50 24.3 64.5 28.3V33Q50 29.3 35.5 33Z",
    "white M60 29C66 20 59 10.5 45 11C48 13 48.5 15 48 17C51 17 52.5 18.5 52.5 21C55.5 21.5 57.5 24 60 29Z",
    "~ink M59.5 27.5Q58 18.5 50 13.5",
  ],
};

/** Eyes, brows and nose, the same in every face. */
const FACE = [
  ".white M43 41.2Q45.4 38.8 47.8 41.2Q45.4 43 43 41.2ZM52.2 41.2Q54.6 38.8 57 41.2Q54.6 43 52.2 41.2Z",
  ".ink M44.2 40.8a1.3 1.3 0 1 1 2.6 0a1.3 1.3 0 1 1-2.6 0ZM53.2 40.8a1.3 1.3 0 1 1 2.6 0a1.3 1.3 0 1 1-2.6 0Z",
  "~ink M42.8 41.2Q45.4 38.5 48 41.2M52 41.2Q54.6 38.5 57.2 41.2",
  "~wood M42.8 38Q45 36.3 47.6 37.6M52.4 37.6Q55 36.3 57.2 38",
  "~nose M50.3 40.5L49 44.8Q50 45.7 51.2 44.9",
];

const MOUTHS = {
  Q: [".lip M47.2 48.6Q48.8 47.3 50 48Q51.2 47.3 52.8 48.6Q50 51.5 47.2 48.6Z"],
  J: [".lip M47 49Q50 49.6 53 48.8Q50 51 47 49Z"],
};

/** Features that distinguish the faces, besides hair. */
const TRAITS = {
  Jd: [
    "hair M50 46.3C48.2 45.2 45.6 45.6 44.2 47.8C46.6 48.6 48.8 48 50 47.2C51.2 48 53.4 48.6 55.8 47.8C54.4 45.6 51.8 45.2 50 46.3Z",
  ],
  Js: ["hair M47.8 51.8Q50 51 52.2 51.8L50 56Z", ".hair M46.5 47.3Q50 45.4 53.5 47.3Q50 46.9 46.5 47.3Z"],
  Jc: [
    ".blush M42.3 45.3a1.7 1.3 0 1 1 3.4 0a1.7 1.3 0 1 1-3.4 0ZM54.3 45.3a1.7 1.3 0 1 1 3.4 0a1.7 1.3 0 1 1-3.4 0Z",
  ],
  Qc: [".ink M54.6 49.6a.5 .5 0 1 1 1 0a.5 .5 0 1 1-1 0Z"],
  Qd: [
    "gold M39.7 48a1.2 1.2 0 1 1 2.4 0a1.2 1.2 0 1 1-2.4 0ZM57.9 48a1.2 1.2 0 1 1 2.4 0a1.2 1.2 0 1 1-2.4 0Z",
  ],
  Qs: ["white M41 45.5L42.2 49.5L41 51.5L39.8 49.5ZM59 45.5L60.2 49.5L59 51.5L57.8 49.5Z"],
  Ks: ["~ink M43 36L45.8 37.2M57 36L54.2 37.2"],
  Kh: [
    ".blush M41.3 43.6a1.5 1.1 0 1 1 3 0a1.5 1.1 0 1 1-3 0ZM55.7 43.6a1.5 1.1 0 1 1 3 0a1.5 1.1 0 1 1-3 0Z",
  ],
};

/** The band where the two halves meet. */
const SASH = ["gold M21 61.9L79 73.5V78.1L21 66.5Z", "~trim M22 64.4L78 75.6"];

/** Draws the figure of a court card such as `Kh`, or `K` without a suit. */
export function court(card) {
  const [rank, suit = ""] = card;
  const paints = { ...PAINTS, ...SUIT_PAINTS[suit] };
  const face = [...FACE, ...(MOUTHS[rank] ?? []), ...(TRAITS[card] ?? [])];
  const shapes = [...FIGURES[rank], ...face, ...heldItem(card)];
  const outlined = { stroke: PAINTS.ink, "stroke-width": 0.8, "stroke-linejoin": "round" };
  const halves = mirror(shapes.map((each) => paint(each, paints)));
  return createSvg("g", outlined, [...halves, ...SASH.map((each) => paint(each, paints))]);
}

function paint(each, paints) {
  const [, kind, name, d] = /^([~.]?)(\w+) (.*)$/.exec(each);
  const colour = paints[name];
  if (kind === "~") return createSvg("path", { d, fill: "none", stroke: colour });
  return createSvg("path", { d, fill: colour, ...(kind === "." ? { stroke: "none" } : {}) });
}
