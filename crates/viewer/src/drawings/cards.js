// Draws playing cards as scalable pictures.

import { backPattern, crossedSwords } from "./back.js";
import { court } from "./courts.js";
import { drawRank } from "./glyphs.js";
import { pip, pips } from "./pips.js";
import { createSvg, defineShape, mirror, useShape } from "./svg.js";

const PAPER = "var(--card-paper, #fffdf7)";
const PANEL = "var(--card-panel, #fdf3d8)";
const EDGE = "var(--card-edge, #a9a28f)";
const RED = "var(--card-red, #b8132b)";
const BLACK = "var(--card-black, #17181c)";
const COLOURS = { c: BLACK, d: RED, h: RED, s: BLACK };

/**
 * Draws a face-up card; screen readers announce its label, and skip a card without one.
 *
 * A card is a rank and a suit, such as `Jc`, or a rank without a suit: `J`, `Q`, `K`, `A`, or a
 * number such as `10` or `64`.
 */
export function face(card, label) {
  return picture(
    "card",
    defineShape(`card-${card}`, () => cardSymbol(front(card))),
    label,
  );
}

/** Draws a face-down card; screen readers announce its label. */
export function back(label) {
  return picture(
    "card back",
    defineShape("card-back", () => cardSymbol(backPattern())),
    label,
  );
}

/** Draws an empty place for a card; screen readers announce its label. */
export function empty(label) {
  return picture("card empty", defineShape("card-empty", emptySymbol), label);
}

function picture(kind, id, label) {
  const aria = label === undefined ? { "aria-hidden": "true" } : { role: "img", "aria-label": label };
  return createSvg("svg", { class: kind, viewBox: "0 0 100 140", ...aria }, [useShape(id)]);
}

function cardSymbol(shapes) {
  const paper = { x: 0.5, y: 0.5, width: 99, height: 139, rx: 8, fill: PAPER, stroke: EDGE };
  return symbol([createSvg("rect", paper), ...shapes]);
}

function symbol(shapes) {
  return createSvg("symbol", { viewBox: "0 0 100 140" }, shapes);
}

function emptySymbol() {
  const look = { x: 2, y: 2, width: 96, height: 136, rx: 7, fill: "none", stroke: "currentColor" };
  return symbol([
    createSvg("rect", { ...look, "stroke-width": 2, "stroke-dasharray": "7 6", "stroke-opacity": 0.5 }),
  ]);
}

function front(card) {
  const [, rank, suit] = /^(\d+|[TJQKA])([cdhs]?)$/.exec(card);
  const colour = COLOURS[suit] ?? "var(--card-plain, #2b3a55)";
  const shown = rank === "T" ? "10" : rank;
  const wide = shown.length > 1 && !suit ? 16 : 12;
  const corner = [drawRank(shown, wide, 17.5, 23, colour)];
  if (suit) corner.push(pip(suit, 12, 39, 14));
  return [createSvg("g", { fill: colour }, [...mirror(corner), ...body(rank, suit, card, colour)])];
}

function body(rank, suit, card, colour) {
  if ("JQK".includes(rank)) return drawFramed(card, suit, colour);
  if (!suit) return drawRinged(rank, colour);
  if (rank !== "A") return pips(rank, suit);
  return suit === "s" ? aceOfSpades(suit) : [pip(suit, 50, 70, 48)];
}

/** Draws a court figure on a framed panel. */
function drawFramed(card, suit, colour) {
  const frame = { x: 21, y: 9, width: 58, height: 122, rx: 2 };
  const signs = suit ? mirror([pip(suit, 27.8, 18.3, 12)]) : [];
  return [
    createSvg("rect", { ...frame, fill: PANEL }),
    court(card),
    ...signs,
    createSvg("rect", { ...frame, fill: "none", stroke: colour }),
  ];
}

/** Draws a rank without a suit in a ring. */
function drawRinged(rank, colour) {
  const ring = { cx: 50, cy: 70, rx: 27, ry: 37, stroke: `var(--card-ring, ${colour})` };
  return [
    createSvg("ellipse", { ...ring, fill: PANEL, "stroke-width": 1.4 }),
    drawRank(rank, 50, 70, 40, colour),
  ];
}

/** Draws the ace of spades, which is larger than the other aces and bears the crossed swords of the back. */
function aceOfSpades(suit) {
  const line = pip(suit, 50, 70, 62);
  for (const [name, value] of Object.entries({ fill: "none", stroke: PAPER, "stroke-width": 0.4 })) {
    line.setAttribute(name, value);
  }
  return [pip(suit, 50, 70, 76), line, crossedSwords(50, 72, 0.95, PAPER)];
}
