// Says in the title which page this is, and with a badge on its icon too that it is the player's turn.

import { say } from "../widgets/words.js";

/** @import { Page, Stage, Word } from "../types.js" */

/** @type {Record<Page, Word>} */
const TITLES = {
  home: "page-title",
  table: "title-table",
  watch: "title-watch",
  games: "title-games",
  ladder: "title-ladder",
  "how-to-play": "title-how",
  fair: "title-fair",
  settings: "title-settings",
};

/**
 * Tells those who look at something else that there is something to decide.
 *
 * @param {Page} page
 * @param {Stage} stage
 */
export function title(page, stage) {
  const turn = stage === "deciding" && (document.hidden || page !== "table");
  const text = say(turn ? "title-turn" : TITLES[page]);
  if (document.title !== text) document.title = text;
  const { dataset } = document.body;
  if (dataset.turn === String(turn)) return;
  dataset.turn = String(turn);
  // Only a page that was installed has an icon for it, and not every browser knows them.
  const badge = turn ? navigator.setAppBadge?.() : navigator.clearAppBadge?.();
  badge?.catch(() => {});
}
