// Whom the player wants to play with: a friend who has the link, the house, or the opponent of the
// last game. Nothing here has effects.

/**
 * @import { Kind, Request, Whom } from "../protocol/messages.js"
 * @import { Invited, Told, Wish } from "../types.js"
 */

const CODE = /^[0-9a-f]{32}$/;
/** @type {Kind[]} */
const KINDS = ["single-card-game", "double-card-game"];

/**
 * The link to a table that somebody opens who is invited.
 *
 * @param {string} origin
 * @param {string} code
 * @param {Kind} game
 */
export function link(origin, code, game) {
  return `${origin}/#invite=${code}&game=${game}`;
}

/**
 * What the part of an address behind `#` invites to; `null` where it is something else.
 *
 * @param {string} hash
 * @returns {Invited | null}
 */
export function invited(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const code = fields.get("invite") ?? "";
  const game = KINDS.find((kind) => kind === fields.get("game"));
  return game && CODE.test(code) ? { code, game } : null;
}

/**
 * The invitation of a player who waits for the one who has it; `null` for anyone else.
 *
 * @param {Whom | undefined} whom
 */
export function invitation(whom) {
  return typeof whom === "object" && "invitation" in whom ? whom.invitation : null;
}

/**
 * The invitation that somebody accepts with a request; `null` where it is none.
 *
 * @param {Partial<Extract<Request, { type: "choose" }>>} request
 * @returns {Invited | null}
 */
export function accepted({ game, with: whom }) {
  return game && typeof whom === "object" && "accept" in whom ? { code: whom.accept, game } : null;
}

/**
 * Whether a game that starts is one that the player asked for, as far as they know.
 *
 * @param {Wish | null} wish
 * @param {Told<"started">} message
 */
export function fits(wish, { game, seat, opponent, seed_hashes }) {
  // What is not known any more can't be compared.
  if (wish === null || wish.hash !== seed_hashes?.[seat - 1]) return true;
  const { whom, opponent: before } = wish;
  if (game !== wish.game) return false;
  if (whom === null) return true;
  if (whom === "house") return opponent.house;
  const same = !("rematch" in whom) || before === null || before === opponent.player;
  return same && !opponent.house;
}
