// Shows a game that is played.

import { backsOf, byId, hand, named, tokens } from "../widgets/dom.js";
import { equals, GAMES } from "../state/rules.js";
import { say } from "../widgets/words.js";

/**
 * @import { Kind } from "../protocol/messages.js"
 * @import { Game, Model, Playing, Stage, Taken } from "../types.js"
 */

/** @param {Model<Playing>} model */
export function game({ stage, state, sending, early, name, player }) {
  const { game, kind } = state;
  const opponent = named(game.opponent);
  const backs = backsOf(kind);
  byId("opponent").textContent = say(game.opponent.house ? "against-house" : "against", { opponent });
  tokens("opponent-tokens", game.theirBalance);
  byId("opponent-did").textContent = say(game.theyDecided ? "opponent-decided" : "opponent-deciding");
  byId("opponent-did").classList.toggle("done", game.theyDecided);
  byId("game-theirs").classList.toggle("done", game.theyDecided);
  byId("pot").textContent = say("pot", { stake: GAMES[kind].showdown, deal: Math.max(1, game.hands.length) });
  const you = say("player-named", { name, player: String(player) });
  byId("game-you").textContent = say("seat-you", { you, tokens: say("tokens", { n: state.balance ?? 0 }) });
  byId("game-theirs").setAttribute("aria-label", say("their-cards", { opponent }));
  hand("game-theirs", backs);
  hand("game-yours", game.hands.at(-1) ?? backs);
  tied(game, opponent);
  byId("game-title").dataset.game = String(game.id);
  byId("game-title").textContent = gameTitle(stage, game);
  byId("game-lead").textContent = gameLead(stage, game, sending, opponent);
  byId("clock").classList.toggle("still", stage === "starting");
  byId("clock-label").textContent = say(stage === "decided" ? "time-theirs" : "time-left");
  for (const id of ["play", "fold"]) {
    byId(id).setAttribute("aria-disabled", String(stage !== "deciding" || sending || early));
    byId(id).classList.toggle("chosen", game.decision?.decision === id);
  }
  bets(GAMES[kind]);
}

/**
 * Shows the time that is left, of the time that was given, in milliseconds.
 *
 * @param {number} left
 * @param {number | undefined} given
 */
export function clock(left, given = left) {
  const seconds = Math.ceil(Math.max(0, left) / 1000);
  const text = seconds > 0 ? say("seconds", { n: seconds }) : say("time-up");
  if (byId("time-left").textContent !== text) byId("time-left").textContent = text;
  byId("fill").style.transform = `scaleX(${Math.max(0, Math.min(1, left / given))})`;
  byId("clock").classList.toggle("short", seconds <= 5);
}

/**
 * Shows the cards of a tie beside the new ones; their suits come out when the game is over.
 *
 * @param {Game} game
 * @param {string} opponent
 */
function tied({ hands }, opponent) {
  const before = hands.at(-2);
  byId("tied").hidden = !before;
  if (!before) return;
  byId("tied-theirs").setAttribute("aria-label", say("their-tied-cards", { opponent }));
  hand("tied-yours", before);
  hand("tied-theirs", equals(before));
}

/**
 * Says on each button the whole bet.
 *
 * @param {typeof GAMES[Kind]} stakes
 */
function bets({ bothFold, oneFolds, showdown }) {
  byId("play-bet").textContent = say("play-bet", { showdown, won: oneFolds });
  byId("fold-bet").textContent = say("fold-bet", { lost: oneFolds, both: bothFold });
}

/**
 * @param {Stage} stage
 * @param {Game} game
 */
function gameTitle(stage, { hands, decision }) {
  if (stage === "starting") return say("starting-title");
  if (stage === "decided" && decision) return decidedTitle(decision);
  if (hands.length > 1) return say("tied-title");
  return say("deciding-title", { n: hands[0].length });
}

/** @param {Taken} taken */
function decidedTitle({ decision, timed_out }) {
  if (timed_out) return say("decided-late");
  return decision === "play" ? say("decided-play") : say("decided-fold");
}

/**
 * @param {Stage} stage
 * @param {Game} game
 * @param {boolean} sending
 * @param {string} opponent
 */
function gameLead(stage, { hands }, sending, opponent) {
  if (stage === "starting") return "";
  if (stage === "decided") return say("decided-lead", { opponent });
  if (sending) return say("sending");
  if (hands.length > 1) return say("tied-lead", { deal: hands.length });
  return say("deciding-lead", { n: hands[0].length });
}
