// Shows the games of the player that are over, the curve of their tokens, their figures, and the ladder.

import { names } from "./card-names.js";
import { all, byId, element, named } from "./dom.js";
import { highestFirst } from "./games.js";
import { language, number, say } from "./words.js";

/**
 * @import { Kind } from "./messages.js"
 * @import { Model, Past, Told, Word } from "./types.js"
 */

/** @type {Record<Kind, Word>} */
const KINDS = { "single-card-game": "game-single", "double-card-game": "game-double" };

/** @type {Record<string, Word>} */
const DEEDS = { play: "deed-play", fold: "deed-fold", forfeit: "deed-forfeit", open: "deed-open" };

/** How many players of the ladder the lobby shows. */
const FIRST = 3;

/** The size of the curve, in its own units. */
const WIDTH = 300;
const HEIGHT = 80;
const SVG = "http://www.w3.org/2000/svg";

/**
 * Shows what is known, where something else is than before.
 *
 * @param {Model} model
 */
export function past({ past }) {
  const { games, figures, ladder, span, more } = past;
  const shown = [
    language(),
    games.length,
    games[0]?.game_id,
    figures?.total.games,
    span,
    ladder?.in_reply_to,
  ];
  const key = shown.join(" ");
  for (const button of all("[data-span]", HTMLButtonElement)) {
    button.setAttribute("aria-pressed", String(button.dataset.span === span));
  }
  if (byId("past").dataset.shown === key) return;
  byId("past").dataset.shown = key;
  byId("past-none").hidden = games.length > 0;
  byId("past-more").hidden = !more;
  byId("past-curve").replaceChildren(...curve(past));
  byId("past-figures").replaceChildren(...table(figures));
  byId("past-hands").replaceChildren(...hands(figures));
  byId("past-list").replaceChildren(...games.map(row));
  rungs(ladder);
}

/** @param {Past["games"][number]} game */
function row(game) {
  const { opponent, cards, their_cards: theirs, delta, balance } = game;
  const item = document.createElement("li");
  const head = element("p", "");
  head.append(element("b", number(delta, true)), ` ${named(opponent)}`);
  head.append(` · ${say("past-balance", { balance: say("tokens", { n: balance }) })}`);
  const yours = `${say("past-you")}: ${say(DEEDS[game.yours])}${held(cards)}`;
  const others = `${say("past-they")}: ${say(DEEDS[game.theirs])}${held(theirs)}`;
  const when = new Date(game.ended_ms).toLocaleString(language(), { dateStyle: "short", timeStyle: "short" });
  const links = element("p", `${when} · ${say(KINDS[game.game])} · `);
  const watch = link(
    `/games/${game.game_id}/view`,
    say("past-watch"),
    // What is read on the screen is part of the name.
    `${say("past-watch")}: ${say("watch-link", { game: String(game.game_id) })}`,
  );
  const journal = link(
    `/games/${game.game_id}/journal.json`,
    say("past-journal"),
    say("journal-link", { game: String(game.game_id) }),
  );
  links.append(watch, " · ", journal);
  links.className = "hint";
  item.append(head, element("p", `${yours} · ${others}`), links);
  return item;
}

/** @param {string[] | undefined} cards */
function held(cards) {
  return cards?.length ? ` (${names(highestFirst(cards))})` : "";
}

/**
 * @param {string} address
 * @param {string} text
 * @param {string} label
 */
function link(address, text, label) {
  const made = element("a", text);
  made.href = address;
  made.setAttribute("aria-label", label);
  return made;
}

/**
 * The tokens after each of the games that are shown, from the first to the last.
 *
 * @param {Past} past
 */
function curve({ games }) {
  if (games.length < 2) return [];
  const balances = games.map(({ balance }) => balance).reverse();
  const [least, most] = [Math.min(...balances), Math.max(...balances)];
  const point = (/** @type {number} */ balance, /** @type {number} */ at) => {
    const x = (at / (balances.length - 1)) * WIDTH;
    const y = HEIGHT - ((balance - least) / Math.max(1, most - least)) * HEIGHT;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  };
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", `-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`);
  drawing.setAttribute("role", "img");
  const [from, to] = [balances[0], balances.at(-1)].map((balance) => number(balance ?? 0));
  const range = { least: number(least), most: number(most) };
  const label = say("past-curve", { from, to, ...range });
  drawing.setAttribute("aria-label", label);
  const line = document.createElementNS(SVG, "polyline");
  line.setAttribute("points", balances.map(point).join(" "));
  drawing.append(line);
  return [drawing, element("p", label)];
}

/** @param {Told<"figures"> | null} figures */
function table(figures) {
  if (!figures || figures.total.games === 0) return [];
  const kinds = figures.kinds.map((kind) => figuresOf(say(KINDS[kind.game]), kind));
  return [heading("past-what"), figuresOf(say("past-all"), figures.total), ...kinds];
}

/** @param {Told<"figures"> | null} figures */
function hands(figures) {
  const rows = (figures?.hands ?? []).map((hand) => {
    const ranks = [...hand.hand].map((rank) => (rank === "T" ? "10" : rank)).join(" ");
    return figuresOf(ranks || say("deed-open"), hand);
  });
  return rows.length > 0 ? [heading("past-hand"), ...rows] : [];
}

/** @param {Word} first */
function heading(first) {
  const head = document.createElement("tr");
  /** @type {Word[]} */
  const columns = [first, "past-games", "past-won", "past-folded", "past-tokens"];
  head.append(...columns.map((word) => Object.assign(element("th", say(word)), { scope: "col" })));
  return head;
}

/**
 * @param {string} what
 * @param {{ games: number, won: number, folded: number, tokens: number }} tally
 */
function figuresOf(what, { games, won, folded, tokens }) {
  const counted = [number(games), number(won), number(folded), number(tokens, true)];
  return cells(what, counted);
}

/**
 * @param {string} first
 * @param {string[]} others
 */
function cells(first, others) {
  const made = document.createElement("tr");
  const head = Object.assign(element("th", first), { scope: "row" });
  made.append(head, ...others.map((text) => element("td", text)));
  return made;
}

/** @param {Told<"ladder">["top"][number]} rung */
function climber(rung) {
  return rung.house ? say("ladder-house") : named({ ...rung, name: rung.name ?? say("nameless") });
}

/** @param {Told<"ladder">["top"][number]} rung */
function leader(rung) {
  const item = element("li", `${number(rung.place ?? 0)}. ${climber(rung)}`);
  item.append(element("b", number(rung.rating)));
  return item;
}

/** @param {Told<"ladder"> | null} ladder */
function rungs(ladder) {
  const top = ladder?.top ?? [];
  byId("ladder-none").hidden = ladder === null || top.length > 0;
  /** @type {Word[]} */
  const columns = ["ladder-place", "ladder-player", "ladder-rating", "past-games"];
  const head = document.createElement("tr");
  head.append(...columns.map((word) => Object.assign(element("th", say(word)), { scope: "col" })));
  const rows = top.map((rung) => {
    const who = climber(rung);
    const strength = `${number(rung.rating)} ± ${number(2 * rung.deviation)}`;
    const made = cells(number(rung.place ?? 0), [who, strength, number(rung.games)]);
    if (rung.place === ladder?.own?.place) made.setAttribute("aria-current", "true");
    return made;
  });
  byId("ladder-rows").replaceChildren(...(top.length > 0 ? [head, ...rows] : []));
  const first = top.slice(0, FIRST);
  byId("ladder-first").hidden = first.length === 0;
  byId("ladder-top").replaceChildren(...first.map((rung) => leader(rung)));
  const { own, until_ms: until } = ladder ?? {};
  const last = new Date((until ?? 0) - 1);
  const day = last.toLocaleDateString(language(), { dateStyle: "long", timeZone: "UTC" });
  byId("ladder-until").textContent = until ? say("ladder-until", { day }) : "";
  const rating = `${number(own?.rating ?? 0)} ± ${number(2 * (own?.deviation ?? 0))}`;
  byId("ladder-own").textContent = own ? say("ladder-own", { rating, games: number(own.games) }) : "";
}
