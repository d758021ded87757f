// Shows whom the player may play with: an invitation, the link for a friend, the opponent of the
// last game, and how many people are here.

import { invitation, link } from "../state/invitations.js";
import { all, byId } from "../widgets/dom.js";
import { isBusy } from "../controllers/router.js";
import { say } from "../widgets/words.js";

/**
 * @import { Kind, Opponent } from "../protocol/messages.js"
 * @import { Model, Over, Told, Word } from "../types.js"
 */

/**
 * In the lobby: what somebody was invited to, and whom they may invite.
 *
 * @param {Model} model
 * @param {string} game what they are invited to, in words
 */
export function offers({ asking, invited, stage }, game) {
  byId("invited").hidden = invited === null;
  byId("invited-lead").textContent = say("invited-lead", { game });
  const busy = isBusy(stage) && stage !== "result";
  for (const button of all("[data-friend], #invited .first", HTMLButtonElement))
    button.disabled = asking || busy;
}

/**
 * While the player waits: what to do meanwhile, and what is said about it.
 *
 * @param {Model} model
 * @returns {Word}
 */
export function meanwhile({ state, unheard, wanted, withdrawing }) {
  const whom = state.stage === "waiting" ? state.with : undefined;
  const code = invitation(whom);
  byId("invite").hidden = code === null;
  if (code !== null && wanted) {
    const address = byId("invite-link", HTMLInputElement);
    const before = address.value;
    address.value = link(location.origin, code, wanted);
    if (address.value !== before) byId("invite-copy").textContent = say("invite-copy");
    byId("invite-share").hidden = !("share" in navigator);
  }
  for (const id of ["house", "friend-instead"]) {
    const other = byId(id, HTMLButtonElement);
    other.hidden = unheard || state.stage !== "waiting" || whom !== undefined;
    other.disabled = withdrawing;
  }
  if (unheard) return "waiting-unheard";
  if (whom === undefined) return "waiting-lead";
  if (whom === "house") return "waiting-house";
  return code === null ? "waiting-rematch" : "waiting-friend";
}

/**
 * After a game: the same two once more.
 *
 * @param {Model<Over>} model
 * @param {Opponent} opponent
 * @param {string} name
 */
export function rematch({ asking, state }, opponent, name) {
  const button = byId("rematch", HTMLButtonElement);
  button.hidden = opponent.house;
  button.disabled = asking;
  const wanted = state.again === state.game.id;
  for (const [id, first] of /** @type {[string, boolean][]} */ ([
    ["rematch", wanted],
    ["again", !wanted],
  ])) {
    byId(id).className = first ? "first" : "second";
  }
  const text = wanted ? say("rematch-wanted", { opponent: name }) : "";
  if (byId("rematch-wanted").textContent !== text) byId("rematch-wanted").textContent = text;
}

/** @param {Model} model */
export function people({ people, state }) {
  const waits = state.stage === "waiting" && state.with === undefined;
  const text = people ? counted(people, waits) : "";
  for (const line of all("[data-people]", HTMLElement)) {
    line.hidden = people === null;
    if (line.textContent !== text) line.textContent = text;
  }
  for (const line of all("[data-waiters]", HTMLElement)) {
    const n = people?.waiting[/** @type {Kind} */ (line.dataset.waiters)] ?? 0;
    line.hidden = n === 0;
    line.textContent = say("people-waiting", { n });
  }
}

/**
 * How many are here, wait and play; those who read it are among them, also where they were not counted
 * yet.
 *
 * @param {Told<"people">} people
 * @param {boolean} waits
 */
function counted({ here, waiting, running }, waits) {
  const others = Object.values(waiting).reduce((sum, n) => sum + n, 0);
  return say("people", {
    people: say("people-here", { n: Math.max(1, here) }),
    waiting: say("people-waiting", { n: Math.max(waits ? 1 : 0, others) }),
    games: say("games-running", { n: running }),
  });
}

/** Copies the link, or selects it where the browser does not let the page copy. */
export async function copyLink() {
  const address = byId("invite-link", HTMLInputElement);
  try {
    await navigator.clipboard.writeText(address.value);
    byId("invite-copy").textContent = say("copied");
  } catch {
    address.select();
  }
}

/** Sends the link by what the device offers. */
export async function shareLink() {
  const url = byId("invite-link", HTMLInputElement).value;
  // Who changes their mind has shared nothing, and that is all.
  await navigator.share({ url, title: say("page-title") }).catch(() => {});
}
