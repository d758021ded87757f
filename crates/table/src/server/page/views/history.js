// Shows the games of the player that are over, the curve of their tokens, their figures, and the ladder.

import { all, byId, drawing, drawn, element, named } from "../widgets/dom.js";
import { highestFirst } from "../state/rules.js";
import { language, number, say } from "../widgets/words.js";

/**
 * @import { Kind } from "../protocol/messages.js"
 * @import { Model, Past, Told, Word } from "../types.js"
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
  byId("past-by-hand").hidden = !figures?.hands.length;
  byId("past-list").replaceChildren(...games.map(row));
  rungs(ladder);
}

/** @param {Past["games"][number]} game */
function row(game) {
  const { opponent, cards, their_cards: theirs, delta, balance } = game;
  const item = document.createElement("li");
  const tokens = element("b", number(delta, true));
  tokens.className = delta > 0 ? "won" : "lost";
  const seats = element("div", "");
  seats.className = "seats";
  seats.append(seat("past-you", game.yours, cards), seat("past-they", game.theirs, theirs));
  const when = new Date(game.ended_ms).toLocaleString(language(), { dateStyle: "short", timeStyle: "short" });
  const then = say("past-balance", { balance: say("tokens", { n: balance }) });
  const about = element("p", `${say(KINDS[game.game])} · ${when} · ${then}`);
  about.className = "hint";
  const told = element("div", "");
  told.append(element("p", named(opponent)), seats, about, links(game.game_id));
  item.append(tokens, told);
  return item;
}

/**
 * What one of the two did, with the cards where they are known.
 *
 * @param {Word} whose
 * @param {string} deed
 * @param {string[]} [cards]
 */
function seat(whose, deed, cards = []) {
  const made = element("span", "");
  made.append(...highestFirst(cards).map(drawing), element("span", `${say(whose)}: ${say(DEEDS[deed])}`));
  return made;
}

/** @param {number} id */
function links(id) {
  const game = String(id);
  const made = element("p", "");
  // What is read on the screen is part of the name.
  const watch = `${say("past-watch")}: ${say("watch-link", { game })}`;
  made.append(
    link(`/games/${id}/view`, say("past-watch"), watch),
    " · ",
    link(`/games/${id}/journal.json`, say("past-journal"), say("journal-link", { game })),
  );
  return made;
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
  const [from, to] = [balances[0], balances.at(-1)].map((balance) => number(balance ?? 0));
  const range = { least: number(least), most: number(most) };
  const label = say("past-curve", { from, to, ...range });
  const viewBox = `-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`;
  const picture = drawn("svg", { viewBox, role: "img", "aria-label": label });
  const points = balances.map(point);
  const [x, y] = (points.at(-1) ?? "").split(",");
  picture.append(
    drawn("polygon", { points: `0,${HEIGHT} ${points.join(" ")} ${WIDTH},${HEIGHT}` }),
    drawn("polyline", { points: points.join(" ") }),
    drawn("circle", { cx: x, cy: y, r: 3 }),
  );
  return [scale(range), picture, Object.assign(element("p", label), { className: "hint" })];
}

/**
 * Beside the curve: the most at its top and the least at its bottom. Who can't see them hears them in
 * the label of the picture.
 *
 * @param {{ least: string, most: string }} range
 */
function scale({ least, most }) {
  const made = element("div", "");
  made.className = "scale";
  made.setAttribute("aria-hidden", "true");
  made.append(...(most === least ? [] : [element("span", most)]), element("span", least));
  return made;
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
