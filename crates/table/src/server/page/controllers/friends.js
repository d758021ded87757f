// Games with friends. A player who invites creates a link, and reuses it for every friend. As long
// as a friend is chosen, both players wait for each other, and a game starts when both agree.

import { randomHex } from "../protocol/environment.js";
import * as logMonitor from "../fairness/log-monitor.js";
import * as seeds from "../fairness/seeds.js";
import { sha256OfHex } from "../sha256.js";
import { friendLink, parseFriendAddress } from "../state/invitations.js";
import * as storage from "../state/storage.js";
import { store } from "../state/store.js";

/**
 * @import { Kind } from "../protocol/messages.js"
 * @import { Friend, MessageOf } from "../types.js"
 */

const SECRET_BYTES = 16;

/**
 * Reads the friend link in the address, or restores the friend that the browser has stored. The
 * link does not stay in the address: all other addresses are relative to the home page.
 */
export function restoreFriend() {
  const found = parseFriendAddress(location);
  if (found === null) {
    store.friend = storage.friend();
    return;
  }
  const inviter = document.querySelector("meta[name=inviter]");
  history.replaceState(null, "", "../");
  if (found.link === null || !(inviter instanceof HTMLMetaElement)) {
    store.error = { key: "link-gone" };
    return;
  }
  const game = /** @type {Kind} */ (inviter.dataset.game);
  const own = storage.ownLinks()[game];
  const isInviter = own?.link === found.link;
  setFriend({ ...found, game, name: inviter.content, isInviter, isAgreed: false });
}

/**
 * Chooses a friend, who stays chosen when the page is loaded again.
 *
 * @param {Omit<Friend, "presence">} friend
 */
function setFriend(friend) {
  store.friend = { ...friend, presence: "away" };
  storage.saveFriend(store.friend);
}

/** Forgets the friend. */
export function dropFriend() {
  store.friend = null;
  storage.saveFriend(null);
}

/** Stops waiting for the friend, and forgets them. */
export function leaveFriend() {
  const { connection, friend, state } = store;
  dropFriend();
  const isWaiting =
    state.attends ||
    (state.stage === "waiting" && friendLink(state.with) !== null) ||
    connection?.isPending("choose");
  if (friend?.link && isWaiting && connection) connection.request("cancel", { game: friend.game });
}

/**
 * Invites a friend with the player's link for this game, which is created once.
 *
 * @param {Kind} game
 */
export function inviteFriend(game) {
  const own = storage.ownLinks()[game];
  if (own?.link) {
    setFriend({ ...own, game, name: null, isInviter: true, isAgreed: true });
    chooseFriend();
    return;
  }
  const secret = own?.secret ?? randomHex(SECRET_BYTES);
  storage.saveOwnLink(game, { link: null, secret });
  setFriend({ link: null, secret, game, name: null, isInviter: true, isAgreed: true });
  store.connection?.request("create_link", { game, secret_hash: sha256OfHex(secret) });
}

/**
 * Handles the list of the player's links, which contains a link that was just created.
 *
 * @param {MessageOf<"links">} message
 */
export function receiveLinks({ links }) {
  store.links = links;
  const { friend } = store;
  if (!friend?.isInviter || friend.link !== null) return;
  const hash = sha256OfHex(friend.secret);
  const created = links.find((link) => link.secret_hash === hash);
  if (!created) return;
  storage.saveOwnLink(friend.game, { link: created.link, secret: friend.secret });
  setFriend({ ...friend, link: created.link });
  chooseFriend();
}

/** Agrees to play with the friend. */
export function agree() {
  if (store.friend === null) return;
  store.friend.isAgreed = true;
  storage.saveFriend(store.friend);
  chooseFriend();
}

/** Notes that a game has started: the next one needs a new agreement. */
export function startGame() {
  if (store.friend === null) return;
  store.friend.isAgreed = false;
  storage.saveFriend(store.friend);
}

/**
 * Waits for the friend. If the player has agreed to play, the request commits to a fresh seed: a
 * game starts once the friend has done so, too.
 */
export function chooseFriend() {
  const { friend, connection } = store;
  if (!friend?.link || !connection) return;
  const { link, secret, game, isInviter, isAgreed } = friend;
  // A player may agree before the request to wait is answered.
  if (isAgreed ? connection.isRequestingGame() : connection.isPending("choose")) return;
  const whom = { friend: link };
  const fields = { game, with: whom, ...(isInviter ? {} : { secret }) };
  if (!isAgreed) {
    connection.request("choose", fields);
    return;
  }
  const hash = seeds.draw();
  const logSize = logMonitor.verifiedSize();
  const id = connection.request("choose", { ...fields, seed_hash: hash });
  storage.saveMatchRequest({ hash, game, whom, opponent: null, id, logSize });
}

/** Waits for the friend again after a connection was opened or a game has ended. */
export function resumeFriend() {
  const { friend, state } = store;
  if (friend === null || !["lobby", "waiting", "result"].includes(state.stage)) return;
  // The page was loaded again after the player had agreed.
  if (state.stage === "waiting" && friendLink(state.with) === friend.link) friend.isAgreed = true;
  chooseFriend();
}

/**
 * Handles the presence of the friend. A friend who is ready is answered with a fresh seed, as their
 * device is awake now.
 *
 * @param {MessageOf<"friend">} message
 */
export function receivePresence({ link, opponent, presence }) {
  const game = Object.entries(storage.ownLinks()).find(([, own]) => own.link === link)?.[0];
  if (store.friend?.link !== link) {
    // A friend waits for the player, who does not wait for anybody.
    if (game === undefined || presence === "away") return;
    const { secret } = storage.ownLinks()[game];
    const known = { link, secret, game: /** @type {Kind} */ (game) };
    setFriend({ ...known, name: null, isInviter: true, isAgreed: false });
  }
  const friend = /** @type {Friend} */ (store.friend);
  friend.presence = presence;
  if (opponent) friend.name = opponent.name ?? null;
  storage.saveFriend(friend);
  if (presence === "ready" && friend.isAgreed) chooseFriend();
}

/**
 * Handles the refusal of a link. The player's own link was revoked on another device, and is
 * replaced.
 */
export function handleGoneLink() {
  const { friend } = store;
  dropFriend();
  if (!friend?.isInviter) return;
  storage.saveOwnLink(friend.game, null);
  inviteFriend(friend.game);
}

/** Returns true if the last game was one with the friend. */
export function isFriendGame() {
  return store.friend !== null && friendLink(storage.matchRequest()?.whom) === store.friend.link;
}

/** Handles the end of a game with the friend: both stay together, and may play again. */
export function finishFriendGame() {
  chooseFriend();
  queryScore();
}

/** Queries the score of the games with the last opponent. */
export function queryScore() {
  const { game, stage } = store.state;
  if (stage === "result" && !game.opponent.house)
    store.connection?.query("score", { opponent: game.opponent.player });
}

/**
 * Revokes a link.
 *
 * @param {string} link
 */
export function revokeLink(link) {
  for (const [game, own] of Object.entries(storage.ownLinks()))
    if (own.link === link) storage.saveOwnLink(/** @type {Kind} */ (game), null);
  if (store.friend?.link === link) leaveFriend();
  store.connection?.request("revoke_link", { link });
}
