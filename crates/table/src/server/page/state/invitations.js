// Friend links, and the opponents that players request: a friend, the house, or the opponent of the
// last game. All functions are pure.

/**
 * @import { Kind, Whom } from "../protocol/messages.js"
 * @import { Friend, MatchRequest, MessageOf } from "../types.js"
 */

const LINK = /^[0-9a-f]{16}$/;
const SECRET = /^[0-9a-f]{32}$/;
/** @type {Kind[]} */
export const KINDS = ["single-card-game", "double-card-game"];

/**
 * Returns the address that invites a friend. Browsers never send the secret, in its fragment, to a
 * server.
 *
 * @param {string} home address of the home page
 * @param {Pick<Friend, "link" | "secret">} friend
 * @param {string} lang
 */
export function friendAddress(home, { link, secret }, lang) {
  return `${home}with/${link}${lang === "en" ? "" : `?lang=${lang}`}#${secret}`;
}

/**
 * Parses the address of a friend link; returns `null` for any other address.
 *
 * @param {Pick<Location, "pathname" | "hash">} address
 */
export function parseFriendAddress({ pathname, hash }) {
  const [, link] = /\/with\/([^/]*)$/.exec(pathname) ?? [];
  const secret = hash.slice(1);
  if (link === undefined) return null;
  return LINK.test(link) && SECRET.test(secret) ? { link, secret } : { link: null, secret: null };
}

/**
 * Returns the link of the friend that a player waits for; `null` for any other opponent.
 *
 * @param {Whom | null | undefined} whom
 */
export function friendLink(whom) {
  return typeof whom === "object" && whom !== null && "friend" in whom ? whom.friend : null;
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
