// Rendering of other players' games: the list of games that may be watched, and the watched game.

import { sortedHand } from "../state/rules.js";
import { byId, createElement, hasChanged } from "../widgets/dom.js";
import { faceDownHand, renderHand } from "../widgets/hands.js";
import { GAME_NAMES, handName, playerName } from "../widgets/labels.js";
import { language, say } from "../widgets/words.js";

/**
 * @import { SpectatorState, ViewModel } from "../types.js"
 *
 * @typedef {NonNullable<SpectatorState["snapshot"]>} WatchedGame
 */

/**
 * Renders the list and the watched game, if something has changed.
 *
 * @param {ViewModel} model
 */
export function renderSpectator({ page, spectator }) {
  const { openGames, snapshot, isLoaded, game } = spectator;
  const ids = openGames.map((open) => open.game_id);
  if (!hasChanged(byId("open"), language(), ids, game, isLoaded, snapshot)) return;
  byId("open").hidden = openGames.length === 0;
  byId("open-list").replaceChildren(...openGames.map(openGameItem));
  if (page !== "watch") return;
  byId("watch-title").textContent = say("watch-title", { game: String(game) });
  byId("watch-seats").hidden = snapshot === null;
  byId("watch-lead").textContent = snapshot
    ? leadText(snapshot)
    : say(isLoaded ? "watch-none" : "watch-waits");
  byId("watch-ties").replaceChildren(...(snapshot ? tieItems(snapshot) : []));
  byId("watch-replay").hidden = !snapshot?.result;
  byId("watch-replay", HTMLAnchorElement).href = `games/${snapshot?.journal}/view?lang=${language()}`;
  if (snapshot) for (const seat of [0, 1]) renderSeat(snapshot, seat);
}

/** @param {WatchedGame} game */
function openGameItem(game) {
  const item = document.createElement("li");
  const [one, other] = game.players.map(watchedName);
  const link = createElement("a", say("watch-this"));
  link.href = `watch?game=${game.game_id}`;
  link.dataset.go = "watch";
  link.dataset.watch = String(game.game_id);
  const about = say("watch-row", { one, other, game: say(GAME_NAMES[game.game]) });
  link.setAttribute("aria-label", `${say("watch-this")}: ${about}`);
  item.append(createElement("span", about), link);
  return item;
}

/**
 * Renders a player of the watched game, with their cards once both players know them.
 *
 * @param {WatchedGame} game
 * @param {number} seat
 */
function renderSeat({ players, decided, deal, game, result }, seat) {
  const number = seat + 1;
  byId(`watch-name-${number}`).textContent = watchedName(players[seat]);
  const state = decided[seat] ? "watch-has-decided" : "watch-undecided";
  const decision = result?.decisions?.[seat];
  const text = decision ? say(decision === "play" ? "deed-play" : "deed-fold") : say(state);
  byId(`watch-did-${number}`).textContent = deal === 0 ? "" : text;
  byId(`watch-hand-${number}`).setAttribute(
    "aria-label",
    say("watch-cards", { name: watchedName(players[seat]) }),
  );
  renderHand(`watch-hand-${number}`, result?.cards?.[seat] ?? faceDownHand(game));
}

/** @param {WatchedGame} game */
function tieItems({ ties }) {
  const names = ties.map((hands) => hands.map((cards) => handName(sortedHand(cards))));
  return names.map(([one, other], at) => createElement("li", say("watch-tie", { deal: at + 1, one, other })));
}

/** @param {WatchedGame} game */
function leadText({ players, deal, decided, result }) {
  const [one, other] = players.map(watchedName);
  if (result) return outcomeText(result, [one, other]);
  if (deal === 0) return say("watch-begins");
  if (decided[0] !== decided[1]) return say("watch-one", { name: decided[0] ? one : other });
  return say(deal > 1 ? "watch-tied" : "watch-deciding");
}

/**
 * @param {NonNullable<WatchedGame["result"]>} result
 * @param {string[]} names
 */
function outcomeText({ deltas, decisions, forfeited, cards }, names) {
  const winner = deltas[0] > 0 ? 0 : 1;
  const tokens = say("tokens", { n: Math.abs(deltas[winner]) });
  if (deltas[winner] < 0) return say("watch-both-folded", { tokens });
  const values = { name: names[winner], other: names[1 - winner], tokens };
  if (forfeited?.length) return say("watch-late", values);
  return say(decisions && !cards ? "watch-folded" : "watch-won", values);
}

/** @param {WatchedGame["players"][number]} player */
function watchedName(player) {
  return player.house ? say("watch-house", { name: playerName(player) }) : playerName(player);
}
