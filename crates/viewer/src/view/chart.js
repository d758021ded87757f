// The chart of everyone's cards over the turns, and the marks of the scrubber below it.

import { about } from "./data.js";
import { byId, shape, style } from "./dom.js";

/** The room of the picture, stretched to the place it has. */
const [WIDTH, HEIGHT] = [1000, 100];

/** How many columns marks are gathered in, and in how many strengths they are drawn. */
const COLUMNS = 500;
const STRENGTHS = 4;

/** Where one in so many columns has marks, they would run into each other. */
const DENSE = 4;

/** Draws what stays the same for the whole game. */
export function draw({ turns, hands, wars, leads, outs }) {
  byId("chart").hidden = hands.length < 2 || turns.length < 2;
  const areas = byId("areas");
  areas.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  const all = turns.map((_, at) => hands.reduce((sum, hand) => sum + hand[at], 0));
  let below = turns.map(() => 0);
  areas.replaceChildren(
    ...hands.map((hand, seat) => {
      const top = below.map((sum, at) => sum + hand[at]);
      const area = shape("path", { class: `area s${(seat % 5) + 1}`, d: band(turns, below, top, all) });
      below = top;
      return area;
    }),
  );
  const marks = byId("marks");
  marks.setAttribute("viewBox", `0 0 ${WIDTH} 30`);
  marks.replaceChildren(
    ...ticks(wars, "war", 8, 22),
    ...ticks(leads, "lead", 24, 29),
    ...ticks(outs, "gone", 1, 6),
  );
  byId("mark-legend").hidden = wars.length + leads.length + outs.length === 0;
  for (const [kind, { length }] of Object.entries({ war: wars, lead: leads, gone: outs })) {
    byId("mark-legend").querySelector(`.${kind}`).hidden = length === 0;
  }
}

/** The outline between two lines. */
function band(turns, below, top, all) {
  const point = (sums) => (turn, at) => `${x(turn)} ${y(sums[at], all[at])}`;
  const over = turns.map(point(top));
  const under = turns.map(point(below)).reverse();
  return `M${over.join("L")}L${under.join("L")}Z`;
}

function x(turn) {
  return about.turns > 0 ? Number(((turn / about.turns) * WIDTH).toFixed(2)) : 0;
}

function y(sum, all) {
  return Number((HEIGHT - (sum / Math.max(1, all)) * HEIGHT).toFixed(2));
}

/** Marks of one kind: the stronger the more of them lie in a column, or the higher if many do. */
function ticks(turns, kind, from, to) {
  const columns = new Map();
  for (const turn of turns) {
    const column = Math.round((x(turn) / WIDTH) * COLUMNS);
    columns.set(column, (columns.get(column) ?? 0) + 1);
  }
  const most = Math.max(1, ...columns.values());
  if (columns.size > COLUMNS / DENSE) return [heights(columns, most, kind, from, to)];
  const paths = Array.from({ length: STRENGTHS }, () => "");
  for (const [column, count] of columns) {
    const strength = Math.ceil((count / most) * STRENGTHS) - 1;
    paths[strength] += `M${(column / COLUMNS) * WIDTH} ${from}V${to}`;
  }
  return paths.flatMap((d, strength) =>
    d ? [shape("path", { class: `mark ${kind} m${strength + 1}`, d })] : [],
  );
}

/** How many marks there are in each column. */
function heights(columns, most, kind, from, to) {
  const wide = WIDTH / COLUMNS;
  const bar = ([column, count]) => {
    const top = to - ((to - from) * count) / most;
    return `M${(column - 0.5) * wide} ${to}V${top.toFixed(2)}h${wide}V${to}Z`;
  };
  return shape("path", { class: `heights ${kind}`, d: Array.from(columns, bar).join("") });
}

/** Shows where the game is. */
export function point(turn) {
  style(byId("game"), "at", about.turns > 0 ? turn / about.turns : 0);
}

/** Takes a turn from where the chart is touched. */
export function listenToChart(seek) {
  const chart = byId("chart");
  const sought = ({ clientX }) => {
    const { left, width } = byId("areas").getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (clientX - left) / Math.max(1, width)));
    seek(Math.round(part * about.turns));
  };
  chart.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    chart.setPointerCapture(event.pointerId);
    sought(event);
  });
  chart.addEventListener("pointermove", (event) => {
    if (chart.hasPointerCapture(event.pointerId)) sought(event);
  });
}
