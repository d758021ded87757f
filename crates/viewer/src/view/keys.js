// The keys, and the page of help about them.

import { byId, element } from "./dom.js";
import { say } from "./words.js";

/** The one key of these whose name depends on the language. */
const SPACE = "Space";

/** Which keys do what, in the order of the help. */
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

/** Where letters and arrows are typed for something else. */
const TYPED = "input, select, textarea, dialog";

/** Listens to the keyboard; each action is called by its name. */
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
    "+": () => actions.faster(1),
    "=": () => actions.faster(1),
    "-": () => actions.faster(-1),
    "/": () => actions.type(),
    "?": () => help(),
  };
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const action = keys[key.length === 1 ? key.toLowerCase() : key];
    // A slider moves by itself; the other keys mean the same there.
    const slides =
      target.type === "range" &&
      !["ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"].includes(key);
    if (!action || (target.closest(TYPED) && !slides)) return;
    // Space presses the button that has the focus, and scrolls a long text.
    if (key === " " && target.closest("button, a, summary")) return;
    if (target.id === "text" && key.startsWith("Page")) return;
    event.preventDefault();
    action();
  });
  byId("help").addEventListener("click", help);
}

/** Says which keys do what. */
export function tellKeys() {
  byId("key-list").replaceChildren(
    ...HELP.flatMap(([key, text]) => [
      element(
        "dt",
        "",
        ...key
          .split("  ")
          .flatMap((one) => [element("kbd", "", one === SPACE ? say("key-space") : one), " "]),
      ),
      element("dd", "", say(text)),
    ]),
  );
}

function help() {
  byId("keys").showModal();
}
