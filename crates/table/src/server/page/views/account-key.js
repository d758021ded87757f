// Rendering of the account key, as a QR code and a link for another device, and of the question
// whether to use a key that came with such a link.

import { keyLink } from "../controllers/account.js";
import { homeAddress } from "../controllers/router.js";
import { byId, createSvg } from "../widgets/dom.js";
import { encodeQrCode } from "../widgets/qr-code.js";
import { say } from "../widgets/words.js";

/** @import { ViewModel } from "../types.js" */

/** Width of the light margin around a QR code in modules, as the standard requires. */
const MARGIN = 4;

/** @param {ViewModel} model */
export function renderKey({ page, key, offeredKey, name, player }) {
  renderOffer(offeredKey?.name ?? null, typeof player === "number" ? name : null);
  if (page !== "settings") return;
  byId("key-shown").hidden = key === null;
  byId("key-value").textContent = key ?? "";
  byId("key-show").textContent = say(key === null ? "key-show" : "key-hide");
  byId("key-show").setAttribute("aria-expanded", String(key !== null));
  const link = key === null ? "" : keyLink(homeAddress());
  byId("key-link").textContent = link;
  const picture = byId("key-code");
  if (picture.dataset.code === link) return;
  picture.dataset.code = link;
  const modules = link === "" ? null : encodeQrCode(link);
  picture.replaceChildren(...(modules ? [qrDrawing(modules)] : []));
}

/**
 * Opens or closes the dialog about a received key, which names the account that the key would
 * replace.
 *
 * @param {string | null} name
 * @param {string | null} ownName
 */
function renderOffer(name, ownName) {
  const dialog = byId("offered", HTMLDialogElement);
  if (dialog.open === (name !== null)) return;
  if (name === null) {
    dialog.close();
    return;
  }
  byId("offered-lead").textContent = say("offered-lead", { name });
  byId("offered-warning").hidden = ownName === null;
  byId("offered-warning").textContent = ownName === null ? "" : say("offered-warning", { name: ownName });
  dialog.showModal();
}

/** @param {boolean[][]} modules */
function qrDrawing(modules) {
  const size = modules.length + 2 * MARGIN;
  const dark = modules.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : "")),
  );
  const picture = createSvg("svg", {
    viewBox: `0 0 ${size} ${size}`,
    role: "img",
    "aria-label": say("key-code"),
  });
  picture.append(
    createSvg("rect", { width: size, height: size, fill: "#fff" }),
    createSvg("path", { d: dark.join(""), fill: "#000", "shape-rendering": "crispEdges" }),
  );
  return picture;
}
