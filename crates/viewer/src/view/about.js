// The facts about the journal, and its download.

import { verdictStyle } from "./check.js";
import { about, inflate } from "./data.js";
import { byId, show } from "./dom.js";
import { language, number, say } from "./words.js";

/** Message keys of the rules, by the beginning of their id. */
const RULES = {
  classic: "rules-classic",
  duels: "rules-duels",
  xy: "rules-xy",
  custom: "rules-custom",
  single: "rules-single",
  double: "rules-double",
};

/** Shows everything about the game that does not depend on the turn. */
export function showAbout() {
  const title = gameTitle();
  show("title", title);
  document.title = say("page-title", { title });
  const verdict = byId("verdict");
  verdict.textContent = about.verdict;
  verdict.dataset.is = verdictStyle(about.verdict);
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
  showJournal();
}

function gameTitle() {
  const key = RULES[about.rules.split(/[-/:]/)[0]];
  const parts = [key ? say(key) : about.rules, say("players", { n: about.seats.length })];
  if (!about.tokens) parts.push(say("deck", { n: about.cards }));
  return parts.join(" · ");
}

/** Shows the name and the location of the journal. */
function showJournal() {
  const { name, bytes: size, beside } = about.journal;
  show("download", say("download", { name }));
  if (byId("journal")) show("journal-note", say("bytes", { n: size }));
  else show("journal-note", beside ? say("beside", { size: number(size) }) : say("elsewhere", { name }));
}

/** Sets up the download of the journal, from the page itself or from the file beside it. */
export function offerJournal() {
  const { name, beside } = about.journal;
  const link = byId("download");
  link.download = name;
  if (byId("journal")) {
    link.href = "#";
    link.addEventListener("click", saveJournal, { once: true });
  } else if (beside) {
    link.href = encodeURIComponent(name);
  } else {
    link.hidden = true;
  }
}

/** Unpacks the journal on the first click, and repeats the click. */
async function saveJournal(event) {
  event.preventDefault();
  const link = event.currentTarget;
  const journal = new Blob([await inflate("journal")], { type: "application/json" });
  link.href = URL.createObjectURL(journal);
  link.click();
}
