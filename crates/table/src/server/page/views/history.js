// Rendering of the player's finished games, the curve of their balance, their statistics, and the
// ladder.

import { sortedHand } from "../state/rules.js";
import { all, byId, createElement, createSvg, hasChanged } from "../widgets/dom.js";
import { cardDrawing } from "../widgets/hands.js";
import { GAME_NAMES, playerName, ranksLabel } from "../widgets/labels.js";
import { DAILY_GAMES, gamesToday, LISTED_GAMES } from "../state/ladder.js";
import { formatNumber, language, say } from "../widgets/words.js";

/**
 * @import { GameHistory, MessageOf, ViewModel, Word } from "../types.js"
 *
 * @typedef {GameHistory["games"][number]} FinishedGame
 */

/** @type {Record<string, Word>} */
const FINAL_ACTIONS = { play: "deed-play", fold: "deed-fold", forfeit: "deed-forfeit", open: "deed-open" };

/** Number of players at the top of the ladder that the lobby shows. */
const LEADERS = 3;

/** Size of the curve in SVG units. */
const WIDTH = 300;
const HEIGHT = 80;

/**
 * Renders everything that is loaded, if something has changed.
 *
 * @param {ViewModel} model
 */
export function renderHistory({ gameHistory }) {
  const { games, figures, ladder, span, hasMore } = gameHistory;
  for (const button of all("[data-span]", HTMLButtonElement)) {
    button.setAttribute("aria-pressed", String(button.dataset.span === span));
  }
  const values = [games.length, games[0]?.game_id, figures?.total.games, span, ladder?.in_reply_to];
  if (!hasChanged(byId("past"), language(), ...values)) return;
  byId("past-none").hidden = games.length > 0;
  byId("past-more").hidden = !hasMore;
  byId("past-curve").replaceChildren(...balanceCurve(gameHistory));
  byId("past-figures").replaceChildren(...figureRows(figures));
  byId("past-hands").replaceChildren(...handRows(figures));
  byId("past-by-hand").hidden = !figures?.hands.length;
  byId("past-list").replaceChildren(...games.map(gameItem));
  renderLadder(ladder);
}

/** @param {FinishedGame} game */
function gameItem(game) {
  const { opponent, cards, their_cards: theirs, delta, balance } = game;
  const item = document.createElement("li");
  const tokens = createElement("b", formatNumber(delta, true));
  tokens.className = delta > 0 ? "won" : "lost";
  const seats = createElement("div", "");
  seats.className = "seats";
  seats.append(seatSummary("past-you", game.yours, cards), seatSummary("past-they", game.theirs, theirs));
  const time = new Date(game.ended_ms).toLocaleString(language(), { dateStyle: "short", timeStyle: "short" });
  const newBalance = say("past-balance", { balance: say("tokens", { n: balance }) });
  const about = createElement("p", `${say(GAME_NAMES[game.game])} · ${time} · ${newBalance}`);
  about.className = "hint";
  const details = createElement("div", "");
  details.append(createElement("p", playerName(opponent)), seats, about, gameLinks(game));
  item.append(tokens, details);
  return item;
}

/**
 * Returns a player's final action, with their cards if they are known.
 *
 * @param {Word} player
 * @param {string} action
 * @param {string[]} [cards]
 */
function seatSummary(player, action, cards = []) {
  const summary = createElement("span", "");
  const text = `${say(player)}: ${say(FINAL_ACTIONS[action])}`;
  summary.append(...sortedHand(cards).map(cardDrawing), createElement("span", text));
  return summary;
}

/** @param {FinishedGame} finished */
function gameLinks({ game_id, journal }) {
  const game = String(game_id);
  const links = createElement("p", "");
  // An accessible name has to contain the visible text.
  const watchLabel = `${say("past-watch")}: ${say("watch-link", { game })}`;
  links.append(
    createLink(`games/${journal}/view?lang=${language()}`, say("past-watch"), watchLabel),
    " · ",
    createLink(`games/${journal}/journal.json`, say("past-journal"), say("journal-link", { game })),
  );
  return links;
}

/**
 * @param {string} address
 * @param {string} text
 * @param {string} label
 */
function createLink(address, text, label) {
  const link = createElement("a", text);
  link.href = address;
  link.setAttribute("aria-label", label);
  return link;
}

/**
 * Draws the balance after each of the loaded games, from the oldest to the newest.
 *
 * @param {GameHistory} history
 */
function balanceCurve({ games }) {
  if (games.length < 2) return [];
  const balances = games.map(({ balance }) => balance).reverse();
  const [least, most] = [Math.min(...balances), Math.max(...balances)];
  const point = (/** @type {number} */ balance, /** @type {number} */ at) => {
    const x = (at / (balances.length - 1)) * WIDTH;
    const y = HEIGHT - ((balance - least) / Math.max(1, most - least)) * HEIGHT;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  };
  const [from, to] = [balances[0], balances.at(-1)].map((balance) => formatNumber(balance ?? 0));
  const range = { least: formatNumber(least), most: formatNumber(most) };
  const label = say("past-curve", { from, to, ...range });
  const viewBox = `-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`;
  const picture = createSvg("svg", { viewBox, role: "img", "aria-label": label });
  const points = balances.map(point);
  const [x, y] = (points.at(-1) ?? "").split(",");
  picture.append(
    createSvg("polygon", { points: `0,${HEIGHT} ${points.join(" ")} ${WIDTH},${HEIGHT}` }),
    createSvg("polyline", { points: points.join(" ") }),
    createSvg("circle", { cx: x, cy: y, r: 3 }),
  );
  return [curveScale(range), picture, Object.assign(createElement("p", label), { className: "hint" })];
}

/**
 * Returns the scale next to the curve. Screen readers skip it, as the picture's label contains the
 * same numbers.
 *
 * @param {{ least: string, most: string }} range
 */
function curveScale({ least, most }) {
  const scale = createElement("div", "");
  scale.className = "scale";
  scale.setAttribute("aria-hidden", "true");
  scale.append(...(most === least ? [] : [createElement("span", most)]), createElement("span", least));
  return scale;
}

/** @param {MessageOf<"figures"> | null} figures */
function figureRows(figures) {
  if (!figures || figures.total.games === 0) return [];
  const kinds = figures.kinds.map((kind) => figureRow(say(GAME_NAMES[kind.game]), kind));
  return [headerRow("past-what"), figureRow(say("past-all"), figures.total), ...kinds];
}

/** @param {MessageOf<"figures"> | null} figures */
function handRows(figures) {
  const rows = (figures?.hands ?? []).map((hand) => {
    return figureRow(ranksLabel(hand.hand) || say("deed-open"), hand);
  });
  return rows.length > 0 ? [headerRow("past-hand"), ...rows] : [];
}

/** @param {Word} first */
function headerRow(first) {
  return headerCells([first, "past-games", "past-won", "past-folded", "past-tokens"]);
}

/** @param {Word[]} columns */
export function headerCells(columns) {
  const row = document.createElement("tr");
  row.append(...columns.map((word) => Object.assign(createElement("th", say(word)), { scope: "col" })));
  return row;
}

/**
 * @param {string} label
 * @param {{ games: number, won: number, folded: number, tokens: number }} tally
 */
function figureRow(label, { games, won, folded, tokens }) {
  const figures = [formatNumber(games), formatNumber(won), formatNumber(folded), formatNumber(tokens, true)];
  return tableRow(label, figures);
}

/**
 * @param {string} header
 * @param {string[]} cells
 */
export function tableRow(header, cells) {
  const row = document.createElement("tr");
  const head = Object.assign(createElement("th", header), { scope: "row" });
  row.append(head, ...cells.map((text) => createElement("td", text)));
  return row;
}

/** @param {MessageOf<"ladder">["top"][number]} entry */
function ladderName(entry) {
  return entry.house ? say("ladder-house") : playerName({ ...entry, name: entry.name ?? say("nameless") });
}

/** @param {MessageOf<"ladder">["top"][number]} entry */
function leaderItem(entry) {
  const item = createElement("li", `${formatNumber(entry.place ?? 0)}. ${ladderName(entry)}`);
  item.append(createElement("b", formatNumber(entry.rating)));
  return item;
}

/** @param {MessageOf<"ladder"> | null} ladder */
function renderLadder(ladder) {
  const top = ladder?.top ?? [];
  byId("ladder-none").hidden = ladder === null || top.length > 0;
  const head = headerCells(["ladder-place", "ladder-player", "ladder-rating", "past-games"]);
  const rows = top.map((entry) => {
    const name = ladderName(entry);
    const rating = `${formatNumber(entry.rating)} ± ${formatNumber(2 * entry.deviation)}`;
    const row = tableRow(formatNumber(entry.place ?? 0), [name, rating, formatNumber(entry.games)]);
    if (entry.place === ladder?.own?.place) row.setAttribute("aria-current", "true");
    return row;
  });
  byId("ladder-rows").replaceChildren(...(top.length > 0 ? [head, ...rows] : []));
  const leaders = top.slice(0, LEADERS);
  byId("ladder-first").hidden = leaders.length === 0;
  byId("ladder-top").replaceChildren(...leaders.map((entry) => leaderItem(entry)));
  const { own, until_ms: until } = ladder ?? {};
  const last = new Date((until ?? 0) - 1);
  const day = last.toLocaleDateString(language(), { dateStyle: "long", timeZone: "UTC" });
  byId("ladder-until").textContent = until ? say("ladder-until", { day }) : "";
  const rating = `${formatNumber(own?.rating ?? 0)} ± ${formatNumber(2 * (own?.deviation ?? 0))}`;
  byId("ladder-own").textContent = own ? say("ladder-own", { rating, games: formatNumber(own.games) }) : "";
  const house = gamesToday(ladder, null);
  byId("ladder-progress").hidden = house === null;
  const played = { games: formatNumber(Math.min(own?.games ?? 0, LISTED_GAMES)), listed: LISTED_GAMES };
  const today = { house: Math.min(house ?? 0, DAILY_GAMES), most: DAILY_GAMES };
  byId("ladder-progress").textContent = say("ladder-progress", { ...played, ...today });
}
