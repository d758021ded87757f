// What is known of the journal, and the journal itself.

import { kind } from "./check.js";
import { about, bytes } from "./data.js";
import { byId, show } from "./dom.js";
import { language, number, say } from "./words.js";

/** What rules are called, by the beginning of their name. */
const RULES = {
  classic: "rules-classic",
  duels: "rules-duels",
  xy: "rules-xy",
  custom: "rules-custom",
  single: "rules-single",
  double: "rules-double",
};

/** Says what no turn changes. */
export function tell() {
  const title = titled();
  show("title", title);
  document.title = say("page-title", { title });
  const verdict = byId("verdict");
  verdict.textContent = about.verdict;
  verdict.dataset.is = kind(about.verdict);
  verdict.title = say("verdict-about");
  const lines = about.lines[language()] ?? [];
  byId("lines").hidden = lines.length === 0;
  show("lines", lines.join("\n"));
  byId("digest-part").hidden = about.digest === null;
  show("digest", about.digest ?? "");
  const expected = about.digest === null ? "" : ` --expect-digest ${about.digest}`;
  show("command", `war replay ${about.journal.name}${expected}`);
  if (about.verdict !== "VERIFIED") {
    byId("notice").hidden = false;
    show("notice", say("incomplete", { turn: about.turns }));
  }
  tellOfJournal();
}

function titled() {
  const key = RULES[about.rules.split(/[-/:]/)[0]];
  const parts = [key ? say(key) : about.rules, say("players", { n: about.seats.length })];
  if (!about.tokens) parts.push(say("deck", { n: about.cards }));
  return parts.join(" · ");
}

/** Says where the journal is. */
function tellOfJournal() {
  const { name, bytes: size, beside } = about.journal;
  show("download", say("download", { name }));
  if (byId("journal")) show("journal-note", say("bytes", { n: size }));
  else show("journal-note", beside ? say("beside", { size: number(size) }) : say("elsewhere", { name }));
}

/** Offers the journal: out of the page, or from beside it. */
export function offer() {
  const { name, beside } = about.journal;
  const link = byId("download");
  link.download = name;
  if (byId("journal")) {
    link.href = "#";
    link.addEventListener("click", saved, { once: true });
  } else if (beside) {
    link.href = encodeURIComponent(name);
  } else {
    link.hidden = true;
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
