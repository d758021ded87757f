// Draws playing cards as pictures that scale.

import { say } from "./words.js";

const RANKS = {
  2: "rank-2",
  3: "rank-3",
  4: "rank-4",
  5: "rank-5",
  6: "rank-6",
  7: "rank-7",
  8: "rank-8",
  9: "rank-9",
  T: "rank-10",
  J: "rank-jack",
  Q: "rank-queen",
  K: "rank-king",
  A: "rank-ace",
};

const SUITS = {
  c: { key: "suit-clubs", colour: "black" },
  d: { key: "suit-diamonds", colour: "red" },
  h: { key: "suit-hearts", colour: "red" },
  s: { key: "suit-spades", colour: "black" },
};

/** The outlines of the suits, around the origin, 20 units high. */
const PIPS = {
  c: "M0-10A4.6 4.6 0 0 1 3.7-2.7A4.6 4.6 0 1 1 1.2 4.2Q1.5 7.6 3.6 9.6H-3.6Q-1.5 7.6-1.2 4.2A4.6 4.6 0 1 1-3.7-2.7A4.6 4.6 0 0 1 0-10Z",
  d: "M0-10Q3-4 7 0Q3 4 0 10Q-3 4-7 0Q-3-4 0-10Z",
  h: "M0 9.6C-2-.4-9-.6-9-5.4C-9-11 -1.6-11 0-5.4C1.6-11 9-11 9-5.4C9-.6 2-.4 0 9.6Z",
  s: "M0-10C2-5 9-1.500 9 3C9 7.800 2.800 7.800 1.100 4.200Q1.400 7.800 3.600 9.600H-3.600Q-1.400 7.800-1.100 4.200C-2.800 7.800-9 7.800-9 3C-9-1.500-2-5 0-10Z",
};

/** Where the pips of a number are: columns at 32, 50 and 68, rows by height. */
const PLACES = {
  2: [[50, 30], [50, 110]],
  3: [[50, 30], [50, 70], [50, 110]],
  4: [[32, 30], [68, 30], [32, 110], [68, 110]],
  5: [[32, 30], [68, 30], [50, 70], [32, 110], [68, 110]],
  6: [[32, 30], [68, 30], [32, 70], [68, 70], [32, 110], [68, 110]],
  7: [[32, 30], [68, 30], [50, 50], [32, 70], [68, 70], [32, 110], [68, 110]],
  8: [[32, 30], [68, 30], [50, 50], [32, 70], [68, 70], [50, 90], [32, 110], [68, 110]],
  9: [[32, 28], [68, 28], [32, 56], [68, 56], [50, 70], [32, 84], [68, 84], [32, 112], [68, 112]],
  T: [[32, 28], [68, 28], [50, 42], [32, 56], [68, 56], [32, 84], [68, 84], [50, 98], [32, 112], [68, 112]],
};

/** The headgear of the court, around the origin: a plumed cap, a tiara and a crown. */
const COURT = {
  J: "M-15 8Q-14-6 1-8Q14-8 15 8ZM-17 8H17V13H-17ZM5-8Q6-19 19-20Q17-10 8-6Z",
  Q: "M-17 11L-19-6L-9 2L-6-11L0 0L6-11L9 2L19-6L17 11ZM-19-12A3 3 0 1 0-19-6.100ZM-6-17A3 3 0 1 0-6-11ZM6-17A3 3 0 1 1 6-11ZM19-12A3 3 0 1 1 19-6.100ZM-17 13H17V16H-17Z",
  K: "M-16 11L-20-7Q-12-6-8 1Q-5-9 0-13Q5-9 8 1Q12-6 20-7L16 11ZM-16 13H16V17H-16ZM-1.500-23H1.500V-20H4.500V-17H1.500V-13H-1.500V-17H-4.500V-20H-1.500Z",
};

/** What a card such as `Jc` is called. */
export function name([rank, suit]) {
  return say("card", { rank: say(RANKS[rank]), suit: say(SUITS[suit].key) });
}

/** What a hand is called. */
export function names(cards) {
  const [first, ...others] = cards.map(name);
  return others.reduce((all, card) => say("and", { cards: all, card }), first);
}

/** A card, face up. */
export function face([rank, suit]) {
  const picture = card(`card ${SUITS[suit].colour}`, name([rank, suit]));
  const corner = [index(rank), pip(suit, 12, 35, 0.62)];
  const body = PLACES[rank] ? pips(rank, suit) : rank === "A" ? [ace(suit)] : court(rank, suit);
  picture.append(...corner, ...turned(corner), ...body);
  return picture;
}

/** A card, face down. */
export function back() {
  const picture = card("card back", say("face-down"));
  picture.append(shape("rect", { class: "frame", x: 7, y: 7, width: 86, height: 126, rx: 5 }));
  for (let row = 0; row < 7; row += 1) {
    for (let column = 0; column < 4; column += 1) {
      const suit = "shdc"[(row + column) % 4];
      picture.append(pip(suit, 20 + 20 * column, 22 + 16 * row, 0.5));
    }
  }
  return picture;
}

function card(kind, label) {
  const picture = shape("svg", { class: kind, viewBox: "0 0 100 140", role: "img" });
  picture.setAttribute("aria-label", label);
  picture.append(shape("rect", { class: "paper", x: 0.5, y: 0.5, width: 99, height: 139, rx: 8 }));
  return picture;
}

function pips(rank, suit) {
  return PLACES[rank].map(([x, y]) => pip(suit, x, y, y > 70 ? -0.95 : 0.95));
}

function ace(suit) {
  return pip(suit, 50, 70, 2.8);
}

/** A half of the picture and the same half turned, as on cards that have no upside down. */
function court(rank, suit) {
  const frame = shape("rect", { class: "frame", x: 23, y: 15, width: 54, height: 110, rx: 3 });
  const line = shape("path", { class: "frame", d: "M23 83L77 57" });
  const gear = shape("path", { class: "gear", d: COURT[rank], transform: "translate(47 44) scale(0.85)" });
  const half = [pip(suit, 66, 27, 0.7), gear];
  return [frame, line, ...half, ...turned(half)];
}

function turned(shapes) {
  const group = shape("g", { transform: "rotate(180 50 70)" });
  group.append(...shapes.map((part) => part.cloneNode(true)));
  return [group];
}

function pip(suit, x, y, scale) {
  return shape("path", { class: "pip", d: PIPS[suit], transform: `translate(${x} ${y}) scale(${scale})` });
}

/** The rank in the corner; the ten has two digits in the room of one. */
function index(rank) {
  const [content, fit] = rank === "T" ? ["10", { textLength: 17, lengthAdjust: "spacingAndGlyphs" }] : [rank, {}];
  const element = shape("text", { class: "index", x: 12, y: 22, ...fit });
  element.textContent = content;
  return element;
}

function shape(kind, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
