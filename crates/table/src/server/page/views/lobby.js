// Stages before a game: joining, the lobby with its invitations, and waiting for an opponent.

import { homeAddress, isBusy } from "../controllers/router.js";
import { friendAddress, friendLink, KINDS } from "../state/invitations.js";
import { countingText } from "../state/ladder.js";
import { GAMES } from "../state/rules.js";
import { all, byId, createElement } from "../widgets/dom.js";
import { GAME_NAMES } from "../widgets/labels.js";
import { language, say } from "../widgets/words.js";

/**
 * @import { Kind } from "../protocol/messages.js"
 * @import { Friend, MessageOf, ViewModel, Word } from "../types.js"
 */

/** Tokens of a new player. */
const OPENING_BALANCE = 1000;

/** @param {ViewModel} model */
export function renderJoin({ joinWarning, connectionStatus, friend }) {
  const tokens = say("tokens", { n: OPENING_BALANCE });
  byId("join-lead").textContent = friend
    ? say("join-invited", { ...friendValues(friend), tokens })
    : say("join-lead", { tokens });
  byId("join-warning").hidden = joinWarning === null;
  byId("join-warning").textContent = joinWarning ? say(joinWarning) : "";
  for (const button of all("#join button", HTMLButtonElement))
    button.disabled = connectionStatus.state !== "none";
}

/** @param {ViewModel} model */
export function renderLobby(model) {
  const { stage, name, player, isRequesting, hasFinishedGame } = model;
  renderGuide(hasFinishedGame);
  renderInvitations(model);
  byId("greeting").textContent = say("lobby-greeting", { name, player: String(player) });
  const isPlaying = isBusy(stage) && stage !== "result";
  for (const button of all("[data-game]", HTMLButtonElement)) button.disabled = isRequesting || isPlaying;
}

/**
 * Opens the guide for players who have not finished a game, and closes it for others.
 *
 * @param {boolean} hasFinishedGame
 */
function renderGuide(hasFinishedGame) {
  const state = hasFinishedGame ? "known" : "new";
  // Once set, the guide stays as the player leaves it.
  if (byId("guide").dataset.for === state) return;
  byId("guide").dataset.for = state;
  byId("guide", HTMLDetailsElement).open = !hasFinishedGame;
}

/**
 * Renders the friend who wants to play, and the buttons that invite a friend.
 *
 * @param {ViewModel} model
 */
function renderInvitations({ isRequesting, friend, stage }) {
  const title = invitationText(friend);
  byId("invited").hidden = title === null;
  if (friend && title !== null) {
    const values = friendValues(friend);
    byId("invited-title").textContent = title;
    byId("invited-lead").textContent =
      `${values.game}. ${friend.isInviter ? "" : say(presenceText(friend), values)}`;
  }
  const isPlaying = isBusy(stage) && stage !== "result";
  for (const button of all("[data-friend], #invited .first", HTMLButtonElement))
    button.disabled = isRequesting || isPlaying;
}

/**
 * Returns the text about a friend who wants to play; `null` if there is none.
 *
 * @param {Friend | null} friend
 */
export function invitationText(friend) {
  if (friend === null || (friend.isInviter && friend.presence === "away")) return null;
  const key = friend.isInviter && friend.presence === "here" ? "friend-here" : "invited-title";
  return say(key, friendValues(friend));
}

/**
 * Returns the values of texts about a friend.
 *
 * @param {Friend} friend
 */
export function friendValues({ name, game }) {
  return { opponent: name ?? say("friend-unnamed"), game: say(GAME_NAMES[game]) };
}

/**
 * Returns the key of the text about a friend's presence.
 *
 * @param {Friend} friend
 * @returns {Word}
 */
function presenceText({ presence }) {
  return presence === "away" ? "friend-away" : "friend-here";
}

/** @param {HTMLTableElement} table */
export function renderStakes(table) {
  const game = /** @type {Kind} */ (table.dataset.stakes);
  const { bothFold, oneFolds, showdown } = GAMES[game];
  const rows = [
    [say("both-play"), say("stake-won-or-lost", { n: showdown })],
    [say("one-folds"), say("stake-won-or-lost", { n: oneFolds })],
    [say("both-fold"), say("stake-lost", { n: bothFold })],
  ];
  table.setAttribute("aria-label", say("stakes-of", { game: say(GAME_NAMES[game]) }));
  table.replaceChildren(
    ...rows.map(([decisions, tokens]) => {
      const row = document.createElement("tr");
      const head = createElement("th", decisions);
      head.scope = "row";
      row.append(head, createElement("td", tokens));
      return row;
    }),
  );
}

/** @param {ViewModel} model */
export function renderWaiting(model) {
  const { wanted, isWithdrawing } = model;
  const lead = renderWaitOptions(model);
  const values = model.friend ? friendValues(model.friend) : {};
  byId("waiting-lead").textContent = say(lead, { ...values, game: wanted ? say(GAME_NAMES[wanted]) : "" });
  byId("waiting-counts").textContent = say(...countingText(model.whom, null, null));
  byId("cancel", HTMLButtonElement).disabled = isWithdrawing;
}

/**
 * Renders the invitation link, and the buttons that request another opponent instead of waiting.
 * Returns the key of the text above the buttons.
 *
 * @param {ViewModel} model
 * @returns {Word}
 */
function renderWaitOptions({ state, friend, isRequestingGame, isWithdrawing }) {
  const whom = state.stage === "waiting" ? state.with : undefined;
  const isFriend = friendLink(whom) !== null;
  byId("invite").hidden = !isFriend || !friend?.isInviter;
  if (isFriend && friend?.isInviter) {
    const address = byId("invite-link", HTMLInputElement);
    const before = address.value;
    address.value = friendAddress(homeAddress(), friend, language());
    if (address.value !== before) byId("invite-copy").textContent = say("invite-copy");
    byId("invite-copy").className = friend.presence === "away" ? "first" : "second";
    byId("invite-share").hidden = !("share" in navigator);
  }
  byId("house").hidden = isRequestingGame || state.stage !== "waiting" || (whom !== undefined && !isFriend);
  byId("friend-instead").hidden = isRequestingGame || state.stage !== "waiting" || whom !== undefined;
  byId("house").className = isFriend ? "second" : "first";
  for (const id of ["house", "friend-instead"]) byId(id, HTMLButtonElement).disabled = isWithdrawing;
  if (isRequestingGame) return "waiting-unheard";
  if (whom === undefined) return "waiting-lead";
  if (whom === "house") return "waiting-house";
  if (!isFriend || friend === null) return "waiting-rematch";
  if (friend.name === null) return "waiting-friend";
  return friend.presence === "away" ? "waiting-friend-away" : "waiting-friend-here";
}

/**
 * Renders the numbers of people at the table.
 *
 * @param {ViewModel} model
 */
export function renderPeople({ people, state, friend }) {
  const own = state.stage === "waiting" && state.with === undefined ? state.kind : undefined;
  const text = people ? peopleText(people, own) : "";
  // The numbers are some seconds old: a friend who has just come is not counted yet.
  const isOutdated = people !== null && people.here < 2 && friend !== null && friend.presence !== "away";
  for (const line of all("[data-people]", HTMLElement)) {
    line.hidden = people === null || isOutdated;
    if (line.textContent !== text) line.textContent = text;
  }
  for (const line of all("[data-waiters]", HTMLElement)) {
    const n = people ? othersWaiting(people, /** @type {Kind} */ (line.dataset.waiters), own) : 0;
    line.hidden = n === 0;
    line.textContent = say("people-waiting", { n });
  }
}

/**
 * Returns the text with the numbers of other people here, of those waiting, and of running games.
 *
 * @param {MessageOf<"people">} people
 * @param {Kind | undefined} own game for which the player waits
 */
export function peopleText(people, own) {
  const others = people.here - 1;
  const waiting = KINDS.reduce((sum, kind) => sum + othersWaiting(people, kind, own), 0);
  const parts = [others > 0 ? say("people-here", { n: others }) : say("people-alone")];
  if (waiting > 0) parts.push(say("people-waiting", { n: waiting }));
  if (people.running > 0) parts.push(say("games-running", { n: people.running }));
  return parts.join(", ");
}

/**
 * Returns the number of other people who wait for a game. The server may not have counted the
 * player yet.
 *
 * @param {MessageOf<"people">} people
 * @param {Kind} kind
 * @param {Kind | undefined} own
 */
function othersWaiting({ waiting }, kind, own) {
  return Math.max(0, (waiting[kind] ?? 0) - Number(kind === own));
}

/** Copies the friend link, or selects it if the browser does not allow copying. */
export async function copyFriendAddress() {
  const address = byId("invite-link", HTMLInputElement);
  try {
    await navigator.clipboard.writeText(address.value);
    byId("invite-copy").textContent = say("copied");
  } catch {
    address.select();
  }
}

/** Shares the friend link through the device's share dialog. */
export async function shareFriendAddress() {
  const url = byId("invite-link", HTMLInputElement).value;
  // Cancelling is not an error.
  await navigator.share({ url, title: say("page-title") }).catch(() => {});
}
