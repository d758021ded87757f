// Rendering of a running game.

import { countingText } from "../state/ladder.js";
import { GAMES, ranksOf } from "../state/rules.js";
import { byId } from "../widgets/dom.js";
import { faceDownHand, renderHand, renderTokens } from "../widgets/hands.js";
import { playerName, tiedName } from "../widgets/labels.js";
import { say } from "../widgets/words.js";

/**
 * @import { Kind } from "../protocol/messages.js"
 * @import { Game, PlayingState, ReportedDecision, Stage, ViewModel } from "../types.js"
 */

/** @param {ViewModel<PlayingState>} model */
export function renderGame(model) {
  const { stage, state, isSendingDecision, isInputBlocked, isTieShown, name, player } = model;
  const { game, kind } = state;
  const opponent = playerName(game.opponent);
  const faceDown = faceDownHand(kind);
  byId("opponent").textContent = say(game.opponent.house ? "against-house" : "against", { opponent });
  renderTokens("opponent-tokens", game.opponentBalance);
  byId("counts").textContent = say(...countingText(model.whom, game.opponent, model.gameHistory.ladder));
  const did = say(game.hasOpponentDecided ? "opponent-decided" : "opponent-undecided");
  byId("opponent-did").textContent = stage === "starting" ? "" : did;
  byId("opponent-did").classList.toggle("done", game.hasOpponentDecided);
  byId("game-theirs").classList.toggle("done", game.hasOpponentDecided);
  byId("pot").textContent = say("pot", { stake: GAMES[kind].showdown, deal: Math.max(1, game.hands.length) });
  const you = say("player-named", { name, player: String(player) });
  byId("game-you").textContent = say("seat-you", { you, tokens: say("tokens", { n: state.balance ?? 0 }) });
  byId("game-theirs").setAttribute("aria-label", say("their-cards", { opponent }));
  // Of the opponent's tied cards, only the ranks are known before the game is over.
  const tied = (isTieShown && game.hands.at(-2)) || null;
  renderHand("game-theirs", tied ? ranksOf(tied) : faceDown);
  renderHand("game-yours", tied ?? game.hands.at(-1) ?? faceDown);
  byId("game-section").classList.toggle("tie", tied !== null);
  byId("game-title").dataset.game = String(game.id);
  byId("game-title").textContent = tied ? say("tie-title") : titleText(stage, game);
  byId("game-lead").textContent = tied
    ? say("tie-lead", { cards: tiedName(tied) })
    : leadText(stage, game, isSendingDecision, opponent);
  byId("clock").classList.toggle("still", stage === "starting");
  byId("clock-label").textContent = say(stage === "decided" ? "time-theirs" : "time-left");
  for (const id of ["play", "fold"]) {
    const isDisabled = stage !== "deciding" || isSendingDecision || isInputBlocked;
    byId(id).setAttribute("aria-disabled", String(isDisabled));
    byId(id).classList.toggle("chosen", game.decision?.decision === id);
  }
  renderBets(GAMES[kind]);
}

/**
 * Renders the remaining time as a fraction of the given time, both in milliseconds.
 *
 * @param {number} left
 * @param {number | undefined} given
 */
export function renderClock(left, given = left) {
  const seconds = Math.ceil(Math.max(0, left) / 1000);
  const text = seconds > 0 ? say("seconds", { n: seconds }) : say("time-up");
  if (byId("time-left").textContent !== text) byId("time-left").textContent = text;
  byId("fill").style.transform = `scaleX(${Math.max(0, Math.min(1, left / given))})`;
  byId("clock").classList.toggle("short", seconds <= 5);
}

/**
 * Renders the possible wins and losses on each button.
 *
 * @param {typeof GAMES[Kind]} stakes
 */
function renderBets({ bothFold, oneFolds, showdown }) {
  byId("play-bet").textContent = say("play-bet", { showdown, won: oneFolds });
  byId("fold-bet").textContent = say("fold-bet", { lost: oneFolds, both: bothFold });
}

/**
 * @param {Stage} stage
 * @param {Game} game
 */
function titleText(stage, { hands, decision }) {
  if (stage === "starting") return say("starting-title");
  if (stage === "decided" && decision) return decidedTitle(decision);
  if (hands.length > 1) return say("tied-title");
  return say("deciding-title", { n: hands[0].length });
}

/** @param {ReportedDecision} reported */
function decidedTitle({ decision, timed_out }) {
  if (timed_out) return say("decided-late");
  return decision === "play" ? say("decided-play") : say("decided-fold");
}

/**
 * @param {Stage} stage
 * @param {Game} game
 * @param {boolean} isSendingDecision
 * @param {string} opponent
 */
function leadText(stage, { hands }, isSendingDecision, opponent) {
  if (stage === "starting") return "";
  if (stage === "decided") return say("decided-lead", { opponent });
  if (isSendingDecision) return say("sending");
  const tied = hands.at(-2);
  if (tied) return say("tied-lead", { cards: tiedName(tied), deal: hands.length });
  return say("deciding-lead", { n: hands[0].length });
}
