// Shows the games of others: which of them may be watched, and the one that the player watches.

import { names } from "../widgets/labels.js";
import { backsOf, byId, element, hand, named } from "../widgets/dom.js";
import { highestFirst } from "../state/rules.js";
import { language, say } from "../widgets/words.js";

/**
 * @import { Kind } from "../protocol/messages.js"
 * @import { Model, Watched, Word } from "../types.js"
 *
 * @typedef {NonNullable<Watched["seen"]>} Game
 */

/** @type {Record<Kind, Word>} */
const KINDS = { "single-card-game": "game-single", "double-card-game": "game-double" };

/**
 * Shows both, where something else is than before.
 *
 * @param {Model} model
 */
export function watching({ page, watched }) {
  const { open, seen, known, game } = watched;
  const shown = JSON.stringify([language(), open.map((one) => one.game_id), game, known, seen]);
  if (byId("open").dataset.shown === shown) return;
  byId("open").dataset.shown = shown;
  byId("open").hidden = open.length === 0;
  byId("open-list").replaceChildren(...open.map(row));
  if (page !== "watch") return;
  byId("watch-title").textContent = say("watch-title", { game: String(game) });
  byId("watch-seats").hidden = seen === null;
  byId("watch-lead").textContent = seen ? lead(seen) : say(known ? "watch-none" : "watch-waits");
  byId("watch-ties").replaceChildren(...(seen ? ties(seen) : []));
  byId("watch-replay").hidden = !seen?.result;
  byId("watch-replay", HTMLAnchorElement).href = `/games/${game}/view`;
  if (seen) for (const seat of [0, 1]) seated(seen, seat);
}

/** @param {Game} game */
function row(game) {
  const item = document.createElement("li");
  const [one, other] = game.players.map(called);
  const link = element("a", say("watch-this"));
  link.href = `/watch?game=${game.game_id}`;
  link.dataset.go = "watch";
  link.dataset.watch = String(game.game_id);
  const about = say("watch-row", { one, other, game: say(KINDS[game.game]) });
  link.setAttribute("aria-label", `${say("watch-this")}: ${about}`);
  item.append(element("span", about), link);
  return item;
}

/**
 * Shows a player of the game, and the cards once both players know them.
 *
 * @param {Game} game
 * @param {number} seat
 */
function seated({ players, decided, deal, game, result }, seat) {
  const number = seat + 1;
  byId(`watch-name-${number}`).textContent = called(players[seat]);
  const state = decided[seat] ? "watch-has-decided" : "watch-is-deciding";
  const done = result?.decisions?.[seat];
  const deed = done ? say(done === "play" ? "deed-play" : "deed-fold") : say(state);
  byId(`watch-did-${number}`).textContent = deal === 0 ? "" : deed;
  byId(`watch-hand-${number}`).setAttribute(
    "aria-label",
    say("watch-cards", { name: called(players[seat]) }),
  );
  hand(`watch-hand-${number}`, result?.cards?.[seat] ?? backsOf(game));
}

/** @param {Game} game */
function ties({ ties }) {
  const shown = ties.map((hands) => hands.map((cards) => names(highestFirst(cards))));
  return shown.map(([one, other], at) => element("li", say("watch-tie", { deal: at + 1, one, other })));
}

/** @param {Game} game */
function lead({ players, deal, decided, result }) {
  const [one, other] = players.map(called);
  if (result) return outcome(result, [one, other]);
  if (deal === 0) return say("watch-begins");
  if (decided[0] !== decided[1]) return say("watch-one", { name: decided[0] ? one : other });
  return say(deal > 1 ? "watch-tied" : "watch-deciding");
}

/**
 * @param {NonNullable<Game["result"]>} result
 * @param {string[]} names
 */
function outcome({ deltas, decisions, forfeited, cards }, names) {
  const won = deltas[0] > 0 ? 0 : 1;
  const tokens = say("tokens", { n: Math.abs(deltas[won]) });
  if (deltas[won] < 0) return say("watch-both-folded", { tokens });
  const values = { name: names[won], other: names[1 - won], tokens };
  if (forfeited?.length) return say("watch-late", values);
  return say(decisions && !cards ? "watch-folded" : "watch-won", values);
}

/** @param {Game["players"][number]} player */
function called(player) {
  return player.house ? say("watch-house", { name: named(player) }) : named(player);
}
