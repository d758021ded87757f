// Invitations, and the opponents that players request: a friend with the link, the house, or the
// opponent of the last game. All functions are pure.

/**
 * @import { Kind, Request, Whom } from "../protocol/messages.js"
 * @import { Invitation, MatchRequest, MessageOf } from "../types.js"
 */

const CODE = /^[0-9a-f]{32}$/;
/** @type {Kind[]} */
export const KINDS = ["single-card-game", "double-card-game"];

/**
 * Returns the link by which an invited player opens the table.
 *
 * @param {string} home address of the home page
 * @param {string} code
 * @param {Kind} game
 */
export function invitationLink(home, code, game) {
  return `${home}#invite=${code}&game=${game}`;
}

/**
 * Parses the invitation in a URL's fragment; returns `null` for any other fragment.
 *
 * @param {string} hash
 * @returns {Invitation | null}
 */
export function parseInvitation(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const code = fields.get("invite") ?? "";
  const game = KINDS.find((kind) => kind === fields.get("game"));
  return game && CODE.test(code) ? { code, game } : null;
}

/**
 * Returns the code by which the awaited opponent was invited; `null` for any other opponent.
 *
 * @param {Whom | undefined} whom
 */
export function invitationCode(whom) {
  return typeof whom === "object" && "invitation" in whom ? whom.invitation : null;
}

/**
 * Returns the invitation that a request accepts, or `null`.
 *
 * @param {Partial<Extract<Request, { type: "choose" }>>} request
 * @returns {Invitation | null}
 */
export function acceptedInvitation({ game, with: whom }) {
  return game && typeof whom === "object" && "accept" in whom ? { code: whom.accept, game } : null;
}

/**
 * Returns false if a game that starts demonstrably differs from the requested game.
 *
 * @param {MatchRequest | null} request
 * @param {MessageOf<"started">} message
 */
export function matchesRequest(request, { game, seat, opponent, seed_hashes }) {
  // If the game answers another request, it can't be compared with this one.
  if (request === null || request.hash !== seed_hashes?.[seat - 1]) return true;
  const { whom, opponent: previous } = request;
  if (game !== request.game) return false;
  if (whom === null) return true;
  if (whom === "house") return opponent.house;
  const isSame = !("rematch" in whom) || previous === null || previous === opponent.player;
  return isSame && !opponent.house;
}
