// The facts about the journal, and its download.

import { verdictStyle } from "./check.js";
import { facts, inflate } from "./data.js";
import { byId, setText } from "./dom.js";
import { formatNumber, language, message } from "./words.js";

/** Message keys of the rules, by the beginning of their id. */
const RULE_MESSAGES = {
  classic: "rules-classic",
  duels: "rules-duels",
  xy: "rules-xy",
  custom: "rules-custom",
  single: "rules-single",
  double: "rules-double",
};

/** Shows everything about the game that does not depend on the turn. */
export function showFacts() {
  const title = gameTitle();
  setText("title", title);
  document.title = message("page-title", { title });
  const verdict = byId("verdict");
  verdict.textContent = facts.verdict;
  verdict.dataset.is = verdictStyle(facts.verdict);
  verdict.title = message("verdict-about");
  const lines = facts.lines[language()] ?? [];
  byId("lines").hidden = lines.length === 0;
  setText("lines", lines.join("\n"));
  byId("digest-part").hidden = facts.digest === null;
  setText("digest", facts.digest ?? "");
  byId("home").hidden = facts.home === null;
  if (facts.home !== null) byId("home").href = facts.home;
  const expected = facts.digest === null ? "" : ` --expect-digest ${facts.digest}`;
  setText("command", `war replay ${facts.journal.name}${expected}`);
  if (facts.verdict !== "VERIFIED") {
    byId("notice").hidden = false;
    setText("notice", message("incomplete", { turn: facts.turns }));
  }
  showJournal();
}

function gameTitle() {
  const key = RULE_MESSAGES[facts.rules.split(/[-/:]/)[0]];
  const parts = [key ? message(key) : facts.rules, message("players", { n: facts.seats.length })];
  if (!facts.tokens) parts.push(message("deck", { n: facts.cards }));
  return parts.join(" · ");
}

/** Shows the name and the location of the journal. */
function showJournal() {
  const { name, bytes: size, beside } = facts.journal;
  setText("download", message("download", { name }));
  if (byId("journal")) setText("journal-note", message("bytes", { n: size }));
  else
    setText(
      "journal-note",
      beside ? message("beside", { size: formatNumber(size) }) : message("elsewhere", { name }),
    );
}

/** Sets up the download of the journal, from the page itself or from the file beside it. */
export function setUpDownload() {
  const { name, beside } = facts.journal;
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
