// What is known of the journal, and the journal itself.

import { about, bytes } from "./data.js";
import { byId, show } from "./dom.js";
import { number, say } from "./words.js";

/** What rules are called, by the beginning of their name. */
const RULES = {
  classic: "rules-classic",
  duels: "rules-duels",
  xy: "rules-xy",
  custom: "rules-custom",
  single: "rules-single",
  double: "rules-double",
};

/** How a verdict looks. */
const KINDS = { VERIFIED: "good" };

/** Fills the parts of the page that no turn changes. */
export function tell() {
  const title = titled();
  show("title", title);
  document.title = say("page-title", { title });
  const verdict = byId("verdict");
  verdict.textContent = about.verdict;
  verdict.dataset.is = KINDS[about.verdict] ?? "part";
  verdict.title = say("verdict-about");
  byId("lines").hidden = about.lines.length === 0;
  show("lines", about.lines.join("\n"));
  byId("digest-part").hidden = about.digest === null;
  show("digest", about.digest ?? "");
  const expected = about.digest === null ? "" : ` --expect-digest ${about.digest}`;
  show("command", `war replay ${about.journal.name}${expected}`);
  if (about.verdict !== "VERIFIED") {
    byId("notice").hidden = false;
    show("notice", say("incomplete", { turn: about.turns }));
  }
  download();
}

function titled() {
  const key = RULES[about.rules.split(/[-/:]/)[0]];
  const parts = [key ? say(key) : about.rules, say("players", { n: about.seats.length })];
  if (!about.tokens) parts.push(say("deck", { n: about.cards }));
  return parts.join(" · ");
}

/** Offers the journal: out of the page, or from beside it. */
function download() {
  const { name, bytes: size, beside } = about.journal;
  const link = byId("download");
  link.textContent = say("download", { name });
  link.download = name;
  show("journal-note", say("bytes", { n: size }));
  if (byId("journal")) {
    link.href = "#";
    link.addEventListener("click", saved, { once: true });
  } else if (beside) {
    link.href = encodeURIComponent(name);
    show("journal-note", say("beside", { size: number(size) }));
  } else {
    link.hidden = true;
    show("journal-note", say("elsewhere", { name }));
  }
}

/** Unpacks the journal at the first click, and clicks again. */
async function saved(event) {
  event.preventDefault();
  const link = event.currentTarget;
  const journal = new Blob([await bytes("journal")], { type: "application/json" });
  link.href = URL.createObjectURL(journal);
  link.click();
}
