// The chart of everyone's number of cards over the turns, and the marks on the scrubber below it.

import { facts } from "./data.js";
import { byId, createSvg, setStyleProperty } from "./dom.js";

/** Size of the drawing area, which is stretched to the available space. */
const [WIDTH, HEIGHT] = [1000, 100];

/** Number of columns that marks are grouped into, and of strengths that they are drawn in. */
const MARK_COLUMNS = 500;
const STRENGTH_LEVELS = 4;

/** Maximum number of columns with marks; if there are more, a histogram is drawn instead. */
const MAX_MARKED_COLUMNS = MARK_COLUMNS / 4;

/** Draws the areas and the marks, which stay the same for the whole game. */
export function drawChart({ turns, hands, wars, leads, outs }) {
  byId("chart").hidden = hands.length < 2 || turns.length < 2;
  const areas = byId("areas");
  areas.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  const all = turns.map((_, at) => hands.reduce((sum, hand) => sum + hand[at], 0));
  let below = turns.map(() => 0);
  areas.replaceChildren(
    ...hands.map((hand, seat) => {
      const top = below.map((sum, at) => sum + hand[at]);
      const area = createSvg("path", {
        class: `area s${(seat % 5) + 1}`,
        d: areaPath(turns, below, top, all),
      });
      below = top;
      return area;
    }),
  );
  const marks = byId("marks");
  marks.setAttribute("viewBox", `0 0 ${WIDTH} 30`);
  marks.replaceChildren(
    ...drawMarks(wars, "war", 8, 22),
    ...drawMarks(leads, "lead", 24, 29),
    ...drawMarks(outs, "gone", 1, 6),
  );
  byId("mark-legend").hidden = wars.length + leads.length + outs.length === 0;
  for (const [kind, { length }] of Object.entries({ war: wars, lead: leads, gone: outs })) {
    byId("mark-legend").querySelector(`.${kind}`).hidden = length === 0;
  }
}

/** Returns the outline of the area between two lines. */
function areaPath(turns, below, top, all) {
  const point = (sums) => (turn, at) => `${x(turn)} ${y(sums[at], all[at])}`;
  const over = turns.map(point(top));
  const under = turns.map(point(below)).reverse();
  return `M${over.join("L")}L${under.join("L")}Z`;
}

function x(turn) {
  return facts.turns > 0 ? Number(((turn / facts.turns) * WIDTH).toFixed(2)) : 0;
}

function y(sum, all) {
  return Number((HEIGHT - (sum / Math.max(1, all)) * HEIGHT).toFixed(2));
}

/** Draws the marks of one kind, stronger in columns with more of them, or as a histogram. */
function drawMarks(turns, kind, from, to) {
  const columns = new Map();
  for (const turn of turns) {
    const column = Math.round((x(turn) / WIDTH) * MARK_COLUMNS);
    columns.set(column, (columns.get(column) ?? 0) + 1);
  }
  const most = Math.max(1, ...columns.values());
  if (columns.size > MAX_MARKED_COLUMNS) return [drawHistogram(columns, most, kind, from, to)];
  const paths = Array.from({ length: STRENGTH_LEVELS }, () => "");
  for (const [column, count] of columns) {
    const strength = Math.ceil((count / most) * STRENGTH_LEVELS) - 1;
    paths[strength] += `M${(column / MARK_COLUMNS) * WIDTH} ${from}V${to}`;
  }
  return paths.flatMap((d, strength) =>
    d ? [createSvg("path", { class: `mark ${kind} m${strength + 1}`, d })] : [],
  );
}

/** Draws a bar for the number of marks in each column. */
function drawHistogram(columns, most, kind, from, to) {
  const wide = WIDTH / MARK_COLUMNS;
  const bar = ([column, count]) => {
    const top = to - ((to - from) * count) / most;
    return `M${(column - 0.5) * wide} ${to}V${top.toFixed(2)}h${wide}V${to}Z`;
  };
  return createSvg("path", { class: `heights ${kind}`, d: Array.from(columns, bar).join("") });
}

/** Moves the position line to a turn. */
export function showPosition(turn) {
  setStyleProperty(byId("game"), "at", facts.turns > 0 ? turn / facts.turns : 0);
}

/** Seeks the turn at which the chart is clicked or dragged. */
export function listenToChart(seek) {
  const chart = byId("chart");
  const seekTo = ({ clientX }) => {
    const { left, width } = byId("areas").getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (clientX - left) / Math.max(1, width)));
    seek(Math.round(part * facts.turns));
  };
  chart.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    chart.setPointerCapture(event.pointerId);
    seekTo(event);
  });
  chart.addEventListener("pointermove", (event) => {
    if (chart.hasPointerCapture(event.pointerId)) seekTo(event);
  });
}
