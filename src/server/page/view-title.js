// Says in the title of the page, and with a badge on its icon, that it is the player's turn.

import { say } from "./words.js";

/** @import { Stage } from "./types.js" */

/**
 * Tells those who look at something else that there is something to decide.
 *
 * @param {Stage} stage
 */
export function title(stage) {
  const turn = stage === "deciding" && document.hidden;
  const text = say(turn ? "title-turn" : "page-title");
  if (document.title === text) return;
  document.title = text;
  // Only a page that was installed has an icon for it, and not every browser knows them.
  const badge = turn ? navigator.setAppBadge?.() : navigator.clearAppBadge?.();
  badge?.catch(() => {});
}
