// Rendering of a game's result, and of its verification.

import { actionsOf, GAMES } from "../state/rules.js";
import { moveTokens, turnCards } from "../widgets/animation.js";
import { byId, createElement } from "../widgets/dom.js";
import { faceDownHand, renderHand, renderTokens } from "../widgets/hands.js";
import { playerName } from "../widgets/labels.js";
import { formatNumber, language, say } from "../widgets/words.js";
import { invitationText } from "./lobby.js";

/**
 * @import { Card, Opponent } from "../protocol/messages.js"
 * @import { FairnessCheck, FairnessVerdict, Game, GameRecord, MessageOf, ResultState, ViewModel, Word } from "../types.js"
 */

/**
 * Texts of failed checks.
 *
 * @type {Partial<Record<Word, Word>>}
 */
export const FAILED_CHECKS = {
  "fair-start": "fair-start-wrong",
  "fair-commitment": "fair-commitment-wrong",
  "fair-seed": "fair-seed-wrong",
  "fair-their-seed": "fair-their-seed-wrong",
  "fair-cards": "fair-cards-wrong",
  "fair-outcome": "fair-outcome-wrong",
  "fair-balance": "fair-balance-wrong",
};

/**
 * Prefixes of the checks, by result.
 *
 * @type {Record<"right" | "wrong" | "missing", Word>}
 */
const CHECK_PREFIXES = { right: "check-passed", wrong: "check-failed", missing: "check-missing" };

/**
 * Texts of the verdicts: in short, and in full.
 *
 * @type {Record<FairnessVerdict["outcome"], [Word, Word]>}
 */
const VERDICTS = {
  pending: ["fair-pending", "fair-pending-about"],
  good: ["fair-good", "fair-good-about"],
  unchecked: ["fair-unchecked", "fair-unchecked-about"],
  unrecorded: ["fair-unrecorded", "fair-unrecorded-about"],
  bad: ["fair-bad", "fair-bad-about"],
};

/**
 * Texts about the last action of each player: the player's own, and the opponent's.
 *
 * @type {Record<string, [Word, Word]>}
 */
const ACTIONS = {
  play: ["decided-play", "did-play"],
  fold: ["decided-fold", "did-fold"],
  late: ["decided-late", "did-late"],
};

/** @param {ViewModel<ResultState>} model */
export function renderResult(model) {
  const { game, result, kind } = model.state;
  const { outcome } = result;
  const opponent = playerName(game.opponent);
  const faceDown = faceDownHand(kind);
  const { yours, theirs } = actionsOf(game, result);
  byId("result-section").dataset.outcome = outcome;
  byId("result-title").textContent = resultTitle(result);
  byId("result-lead").textContent = explanation(model.state, opponent);
  byId("result-balance").textContent = say("new-balance", { tokens: say("tokens", { n: result.balance }) });
  byId("theirs-name").textContent = opponent;
  renderTokens("theirs-tokens", opponentBalance(game, result));
  byId("result-theirs").setAttribute("aria-label", say("their-cards", { opponent }));
  byId("did-yours").textContent = yours && say(ACTIONS[yours][0]);
  byId("did-theirs").textContent = theirs && say(ACTIONS[theirs][1]);
  renderHand("result-yours", game.hands.at(-1) ?? faceDown);
  renderOpponentHand(model, faceDown);
  byId("yours").classList.toggle("winner", outcome === "won");
  byId("theirs").classList.toggle("winner", outcome === "lost");
  byId("again", HTMLButtonElement).disabled = model.isRequesting;
  renderRematch(model, game.opponent, opponent);
  renderScore(model, game.opponent);
  const { dataset } = byId("game-title");
  // Only a game that was on the screen is animated, and only once.
  if (dataset.game === String(game.id)) animateOutcome(model.state);
  dataset.game = "";
  renderVerification(model, opponent);
}

/**
 * Returns the opponent's new balance: the opponent wins what the player loses, but if both fold,
 * both lose.
 *
 * @param {Game} game
 * @param {MessageOf<"result">} result
 */
function opponentBalance({ opponentBalance: before }, { outcome, delta }) {
  return before === undefined ? undefined : before + (outcome === "both_folded" ? delta : -delta);
}

/**
 * Turns the opponent's cards over, and moves the tokens.
 *
 * @param {ResultState} state
 */
function animateOutcome({ result }) {
  const [yours, theirs] = [byId("yours"), byId("theirs")];
  const delay = result.cards ? turnCards("result-theirs") : 0;
  if (result.outcome === "won") moveTokens(theirs, yours, delay);
  if (result.outcome === "lost") moveTokens(yours, theirs, delay);
  if (result.outcome === "both_folded")
    for (const seat of [yours, theirs]) moveTokens(seat, byId("result-title"), 0);
}

/**
 * Renders the opponent's hand. A folded hand follows from the seeds, and is revealed if the player
 * asks for it.
 *
 * @param {ViewModel<ResultState>} model
 * @param {Card[]} faceDown
 */
function renderOpponentHand({ state, verdict, peekedGame }, faceDown) {
  const { game, result } = state;
  const shown = result.cards?.theirs;
  const known = shown ?? verdict.opponentHand;
  const isPeeked = peekedGame === game.id;
  byId("peek").hidden = Boolean(shown) || !known;
  byId("peek", HTMLButtonElement).disabled = isPeeked;
  renderHand("result-theirs", shown ?? ((isPeeked && known) || faceDown));
}

/**
 * Renders the button for a rematch, and the opponent's offer of one.
 *
 * @param {ViewModel<ResultState>} model
 * @param {Opponent} opponent
 * @param {string} name
 */
function renderRematch({ isRequesting, state, isFriendGame, friend }, opponent, name) {
  const button = byId("rematch", HTMLButtonElement);
  const isAway = isFriendGame && friend?.presence === "away";
  const isOffered = isFriendGame ? friend?.presence === "ready" : state.rematchOffer === state.game.id;
  button.hidden = opponent.house || isAway;
  button.disabled = isRequesting;
  byId("house-instead").hidden = !isAway;
  byId("again").textContent = say(isFriendGame ? "again-others" : "again");
  const first = isAway ? "house-instead" : isOffered || isFriendGame ? "rematch" : "again";
  for (const id of ["rematch", "again", "house-instead"])
    byId(id).className = id === first ? "first" : "second";
  if (byId("score").nextElementSibling?.id !== first) byId("score").after(byId(first));
  let text = isOffered ? say("rematch-wanted", { opponent: name }) : "";
  if (isFriendGame && !isOffered) text = say(isAway ? "friend-left" : "friend-here", { opponent: name });
  if (!isFriendGame && !isOffered) text = invitationText(friend) ?? "";
  const line = byId("rematch-wanted");
  if (line.textContent !== text) line.textContent = text;
  line.dataset.presence = isFriendGame ? friend?.presence : "";
}

/**
 * Renders the score of the games with the opponent.
 *
 * @param {ViewModel<ResultState>} model
 * @param {Opponent} opponent
 */
function renderScore({ score, name }, { player, name: opponent }) {
  const isKnown = score !== null && score.opponent === player && score.won + score.lost > 1;
  byId("score").hidden = !isKnown;
  if (!isKnown) return;
  const { won, lost, tokens } = score;
  const values = { name, opponent, won, lost, sum: formatNumber(tokens, true) };
  byId("score").textContent = say("score", values);
}

/**
 * Returns the text about the tokens won or lost.
 *
 * @param {MessageOf<"result">} result
 */
export function resultTitle({ outcome, delta }) {
  return say(outcome === "won" ? "won-title" : "lost-title", { n: Math.abs(delta) });
}

/**
 * Returns the reason for the outcome.
 *
 * @param {ResultState} state
 * @param {string} opponent
 */
function explanation({ game, result, kind }, opponent) {
  const { outcome, forfeited = [] } = result;
  const { yours, theirs } = actionsOf(game, result);
  const n = GAMES[kind].cards;
  if (forfeited.length === 2) return say("forfeit-both-lead");
  if (forfeited.length === 1) {
    return say(forfeited[0] === game.seat ? "forfeit-yours-lead" : "forfeit-theirs-lead", { opponent });
  }
  if (outcome === "both_folded") {
    if (theirs === "late")
      return say(yours === "late" ? "both-late-lead" : "both-folded-they-late-lead", { opponent });
    return say(yours === "late" ? "both-folded-late-lead" : "both-folded-lead", { opponent });
  }
  if (outcome === "won") {
    if (theirs === "play") return say("won-cards-lead", { n });
    return say(theirs === "late" ? "won-late-lead" : "won-fold-lead", { opponent });
  }
  if (yours === "play") return say("lost-cards-lead", { n, opponent });
  return say(yours === "late" ? "lost-late-lead" : "lost-fold-lead", { opponent });
}

/**
 * @param {ViewModel<ResultState>} model
 * @param {string} opponent
 */
function renderVerification({ state, verdict }, opponent) {
  const { game, result } = state;
  const { reveal, game_id, journal: journalAddress } = result;
  const panel = byId("fair", HTMLDetailsElement);
  // A panel that was opened for one game is closed for the next game.
  if (panel.dataset.game !== String(game_id)) panel.open = false;
  panel.dataset.game = String(game_id);
  const [short, full] = VERDICTS[verdict.outcome];
  byId("verdict").textContent = say(short);
  byId("verdict").dataset.is = verdict.outcome;
  byId("verdict-about").textContent = say(full);
  byId("checks").replaceChildren(...verdict.checks.map(checkItem));
  const [yours, theirs] = [reveal?.client_seeds?.[game.seat - 1], reveal?.client_seeds?.[2 - game.seat]];
  byId("fair-server").textContent = reveal?.seed ?? "";
  byId("fair-commitment").textContent = verdict.game?.commitment ?? say("fair-none");
  byId("fair-yours").textContent = verdict.game?.seed ?? say("fair-none");
  byId("fair-yours-revealed").textContent = yours ?? say("fair-none");
  byId("fair-theirs-title").textContent = say("fair-of-them", { opponent });
  byId("fair-theirs").textContent = theirs ?? say("fair-none");
  byId("fair-deals").textContent = formatNumber(reveal?.deals ?? 0);
  const watch = byId("watch", HTMLAnchorElement);
  watch.textContent = say("watch-link", { game: String(game_id) });
  watch.href = `games/${journalAddress}/view?lang=${language()}`;
  const journal = byId("journal", HTMLAnchorElement);
  journal.textContent = say("journal-link", { game: String(game_id) });
  journal.href = `games/${journalAddress}/journal.json`;
  journal.download = `game-${game_id}.json`;
  byId("journal-command").textContent = verifyCommand(verdict.game, game_id);
}

/** @param {FairnessCheck} check */
function checkItem({ key, right, evidence }) {
  const outcome = right === null ? "missing" : right ? "right" : "wrong";
  const text = say((outcome === "wrong" && FAILED_CHECKS[key]) || key);
  const item = createElement("li", `${say(CHECK_PREFIXES[outcome])} ${text}`);
  item.className = outcome;
  const source = createElement("small", say("check-evidence", { evidence: say(evidence) }));
  item.append(" ", source);
  return item;
}

/**
 * Returns the command that verifies the journal against the player's record.
 *
 * @param {GameRecord | null} record
 * @param {number} game
 */
function verifyCommand(record, game) {
  const seed = record?.seed ? ` --expect-seed ${record.seat}:${record.seed}` : "";
  const commitment = record ? ` --expect-commitment ${record.commitment}` : "";
  return `war replay game-${game}.json --expect-game ${game}${commitment}${seed}`;
}
