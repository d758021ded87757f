// Keyboard control, and the help about it.

import { byId, createElement } from "./dom.js";
import { message } from "./words.js";

/** The only key whose name depends on the language. */
const SPACE = "Space";

/** Keys and the message keys of their descriptions, in the order of the help. */
const HELP = [
  ["←  →", "key-step"],
  ["Home  End", "key-ends"],
  ["PgUp  PgDn", "key-ten"],
  [SPACE, "key-play"],
  ["n", "key-war"],
  ["+  −", "key-speed"],
  ["/", "key-turn"],
  ["?", "key-help"],
];

/** Elements that handle keys themselves. */
const KEY_TARGETS = "input, select, textarea, dialog";

/** Listens to the keyboard, and calls the method of `actions` for each key. */
export function listenToKeys(actions) {
  const keys = {
    ArrowLeft: () => actions.step(-1),
    ArrowRight: () => actions.step(1),
    PageUp: () => actions.step(-10),
    PageDown: () => actions.step(10),
    Home: () => actions.first(),
    End: () => actions.last(),
    " ": () => actions.toggle(),
    n: () => actions.nextWar(),
    "+": () => actions.changeSpeed(1),
    "=": () => actions.changeSpeed(1),
    "-": () => actions.changeSpeed(-1),
    "/": () => actions.editTurn(),
    "?": () => showHelp(),
  };
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const action = keys[key.length === 1 ? key.toLowerCase() : key];
    // A slider handles these keys itself; all other keys control playback there too.
    const slides =
      target.type === "range" &&
      !["ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"].includes(key);
    if (!action || (target.closest(KEY_TARGETS) && !slides)) return;
    // In a browser, space already presses the focused button.
    if (key === " " && target.closest("button, a, summary")) return;
    if (target.id === "text" && key.startsWith("Page")) return;
    event.preventDefault();
    action();
  });
  byId("help").addEventListener("click", showHelp);
}

/** Fills the help about the keys. */
export function showKeys() {
  byId("key-list").replaceChildren(
    ...HELP.flatMap(([key, text]) => [
      createElement(
        "dt",
        "",
        ...key
          .split("  ")
          .flatMap((one) => [createElement("kbd", "", one === SPACE ? message("key-space") : one), " "]),
      ),
      createElement("dd", "", message(text)),
    ]),
  );
}

function showHelp() {
  byId("keys").showModal();
}
