// Shows the key of the account as another device takes it: as a code to scan, and as a link. And asks
// those who come with such a link whether they want the account.

import { byId, drawn } from "../widgets/dom.js";
import { code } from "../widgets/qr-code.js";
import { keyLink } from "../controllers/account.js";
import { say } from "../widgets/words.js";

/** @import { Model } from "../types.js" */

/** The light modules around a code, by which a camera finds it. */
const MARGIN = 4;

/** @param {Model} model */
export function key({ page, key, offered, name, player }) {
  offer(offered?.name ?? null, typeof player === "number" ? name : null);
  if (page !== "settings") return;
  byId("key-shown").hidden = key === null;
  byId("key-value").textContent = key ?? "";
  byId("key-show").textContent = say(key === null ? "key-show" : "key-hide");
  byId("key-show").setAttribute("aria-expanded", String(key !== null));
  const link = key === null ? "" : keyLink(location.origin);
  byId("key-link").textContent = link;
  const picture = byId("key-code");
  if (picture.dataset.code === link) return;
  picture.dataset.code = link;
  const modules = link === "" ? null : code(link);
  picture.replaceChildren(...(modules ? [drawing(modules)] : []));
}

/**
 * Asks whether an account is wanted here, and names the one that this browser would forget.
 *
 * @param {string | null} name
 * @param {string | null} own
 */
function offer(name, own) {
  const dialog = byId("offered", HTMLDialogElement);
  if (dialog.open === (name !== null)) return;
  if (name === null) {
    dialog.close();
    return;
  }
  byId("offered-lead").textContent = say("offered-lead", { name });
  byId("offered-warning").hidden = own === null;
  byId("offered-warning").textContent = own === null ? "" : say("offered-warning", { name: own });
  dialog.showModal();
}

/** @param {boolean[][]} modules */
function drawing(modules) {
  const size = modules.length + 2 * MARGIN;
  const dark = modules.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : "")),
  );
  const picture = drawn("svg", {
    viewBox: `0 0 ${size} ${size}`,
    role: "img",
    "aria-label": say("key-code"),
  });
  picture.append(
    drawn("rect", { width: size, height: size, fill: "#fff" }),
    drawn("path", { d: dark.join(""), fill: "#000", "shape-rendering": "crispEdges" }),
  );
  return picture;
}
