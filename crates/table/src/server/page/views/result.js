// Shows the result of a game, and what came of checking it.

import { backsOf, byId, element, hand, named, tokens } from "../widgets/dom.js";
import { GAMES } from "../state/rules.js";
import { pay, turnOver } from "../widgets/animation.js";
import { rematch } from "./lobby.js";
import { language, number, say } from "../widgets/words.js";

/**
 * @import { Card, Decision } from "../protocol/messages.js"
 * @import { Check, Game, Held, Model, Over, Told, Verdict, Word } from "../types.js"
 */

/**
 * What is wrong, by what was checked.
 *
 * @type {Partial<Record<Word, Word>>}
 */
export const WRONG = {
  "fair-start": "fair-start-wrong",
  "fair-commitment": "fair-commitment-wrong",
  "fair-seed": "fair-seed-wrong",
  "fair-their-seed": "fair-their-seed-wrong",
  "fair-cards": "fair-cards-wrong",
  "fair-outcome": "fair-outcome-wrong",
  "fair-balance": "fair-balance-wrong",
};

/**
 * What is said before each thing that was checked.
 *
 * @type {Record<"right" | "wrong" | "missing", Word>}
 */
const CHECKED = { right: "check-passed", wrong: "check-failed", missing: "check-missing" };

/** @type {Record<Verdict["is"], Word>} */
const VERDICTS = { pending: "fair-pending", good: "fair-good", bad: "fair-bad" };

/** @param {Model<Over>} model */
export function result(model) {
  const { game, result, kind } = model.state;
  const { delta, outcome } = result;
  const n = Math.abs(delta);
  const won = outcome === "won";
  const opponent = named(game.opponent);
  const backs = backsOf(kind);
  const { yours, theirs } = decisions(game, result);
  byId("result-title").textContent = won ? say("won-title", { n }) : say("lost-title", { n });
  byId("result-lead").textContent = why(model.state, opponent);
  byId("result-balance").textContent = say("new-balance", { tokens: say("tokens", { n: result.balance }) });
  byId("theirs-name").textContent = opponent;
  tokens("theirs-tokens", theirBalance(game, result));
  byId("result-theirs").setAttribute("aria-label", say("their-cards", { opponent }));
  byId("did-yours").textContent = yours && say(yours === "play" ? "decided-play" : "decided-fold");
  byId("did-theirs").textContent = did(theirs);
  hand("result-yours", game.hands.at(-1) ?? backs);
  theirHand(model, backs);
  byId("yours").classList.toggle("winner", won);
  byId("theirs").classList.toggle("winner", outcome === "lost");
  byId("again", HTMLButtonElement).disabled = model.asking;
  rematch(model, game.opponent, opponent);
  const seen = byId("game-title").dataset;
  if (seen.game === String(game.id)) moved(model.state);
  seen.game = "";
  fairness(model, opponent);
}

/**
 * What the other has now: one pays the other, and two who fold pay the table the same.
 *
 * @param {Game} game
 * @param {Told<"result">} result
 */
function theirBalance({ theirBalance: before }, { outcome, delta }) {
  return before === undefined ? undefined : before + (outcome === "both_folded" ? delta : -delta);
}

/**
 * Shows what happened between the last decision and the result: once, and on the table that was seen
 * before.
 *
 * @param {Over} state
 */
function moved({ result }) {
  const [yours, theirs] = [byId("yours"), byId("theirs")];
  const after = result.cards ? turnOver("result-theirs") : 0;
  if (result.outcome === "won") pay(theirs, yours, after);
  if (result.outcome === "lost") pay(yours, theirs, after);
  if (result.outcome === "both_folded")
    for (const seat of [yours, theirs]) pay(seat, byId("result-title"), 0);
}

/**
 * Shows what the other had, and where they need not show it what follows from the seeds.
 *
 * @param {Model<Over>} model
 * @param {Card[]} backs
 */
function theirHand({ state, verdict, peeked }, backs) {
  const { game, result } = state;
  const open = result.cards?.theirs;
  const known = open ?? verdict.theirs;
  const peeks = peeked === game.id;
  byId("peek").hidden = Boolean(open) || !known;
  byId("peek", HTMLButtonElement).disabled = peeks;
  hand("result-theirs", open ?? ((peeks && known) || backs));
}

/**
 * What both decided; who did not open their seed has folded.
 *
 * @param {Game} game
 * @param {Told<"result">} result
 */
function decisions({ seat }, { decisions, forfeited = [] }) {
  /** @returns {Decision | ""} */
  const gone = (/** @type {number} */ place) => (forfeited.includes(place) ? "fold" : "");
  return decisions ?? { yours: gone(seat), theirs: gone(3 - seat) };
}

/**
 * @param {Over} state
 * @param {string} opponent
 */
function why({ game, result, kind }, opponent) {
  const { outcome, decisions, forfeited = [] } = result;
  const n = GAMES[kind].cards;
  const late = game.decision?.timed_out;
  if (forfeited.length === 2) return say("forfeit-both-lead");
  if (forfeited.length === 1) {
    return say(forfeited[0] === game.seat ? "forfeit-yours-lead" : "forfeit-theirs-lead", { opponent });
  }
  if (outcome === "both_folded")
    return say(late ? "both-folded-late-lead" : "both-folded-lead", { opponent });
  if (outcome === "won") {
    return decisions?.theirs === "fold" ? say("won-fold-lead", { opponent }) : say("won-cards-lead", { n });
  }
  if (decisions?.yours === "play") return say("lost-cards-lead", { n, opponent });
  return say(late ? "lost-late-lead" : "lost-fold-lead", { opponent });
}

/** @param {Decision | ""} decision */
function did(decision) {
  if (decision === "") return "";
  return say(decision === "play" ? "did-play" : "did-fold");
}

/**
 * @param {Model<Over>} model
 * @param {string} opponent
 */
function fairness({ state, verdict }, opponent) {
  const { game, result } = state;
  const { reveal, game_id } = result;
  const panel = byId("fair", HTMLDetailsElement);
  // What was unfolded for one game takes no room from the next.
  if (panel.dataset.game !== String(game_id)) panel.open = false;
  panel.dataset.game = String(game_id);
  byId("verdict").textContent = say(VERDICTS[verdict.is]);
  byId("verdict").dataset.is = verdict.is;
  byId("checks").replaceChildren(...verdict.checks.map(checked));
  const [yours, theirs] = [reveal?.client_seeds?.[game.seat - 1], reveal?.client_seeds?.[2 - game.seat]];
  byId("fair-server").textContent = reveal?.seed ?? "";
  byId("fair-commitment").textContent = verdict.game?.commitment ?? say("fair-none");
  byId("fair-yours").textContent = verdict.game?.seed ?? say("fair-none");
  byId("fair-yours-revealed").textContent = yours ?? say("fair-none");
  byId("fair-theirs-title").textContent = say("fair-of-them", { opponent });
  byId("fair-theirs").textContent = theirs ?? say("fair-none");
  byId("fair-deals").textContent = number(reveal?.deals ?? 0);
  const watch = byId("watch", HTMLAnchorElement);
  watch.textContent = say("watch-link", { game: String(game_id) });
  watch.href = `/games/${game_id}/view?lang=${language()}`;
  const journal = byId("journal", HTMLAnchorElement);
  journal.textContent = say("journal-link", { game: String(game_id) });
  journal.href = `/games/${game_id}/journal.json`;
  journal.download = `game-${game_id}.json`;
  byId("journal-command").textContent = command(verdict.game, game_id);
}

/** @param {Check} check */
function checked({ key, right }) {
  const is = right === null ? "missing" : right ? "right" : "wrong";
  const item = element("li", `${say(CHECKED[is])} ${say((is === "wrong" && WRONG[key]) || key)}`);
  item.className = is;
  return item;
}

/**
 * The command that checks the journal by what the player holds.
 *
 * @param {Held | null} held
 * @param {number} game
 */
function command(held, game) {
  const mine = held?.seed ? ` --expect-seed ${held.seat}:${held.seed}` : "";
  const committed = held ? ` --expect-commitment ${held.commitment}` : "";
  return `war replay game-${game}.json --expect-game ${game}${committed}${mine}`;
}
