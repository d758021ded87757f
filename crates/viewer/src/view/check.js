// Verifies a journal in the page: the one that it carries, or a file.

import { about, bytes } from "./data.js";
import { byId, element, phrase, show } from "./dom.js";
import { say } from "./words.js";

/** How long the page may stand still meanwhile, in milliseconds. */
const STILL = 40;

/** What the codes of faults mean. */
const FAULTS = {
  WJ001: "fault-json",
  WJ002: "fault-other",
  WJ003: "fault-newer",
  WJ101: "fault-torn",
  WJ102: "fault-open",
  WJ103: "fault-field",
  WJ201: "fault-order",
  WJ202: "fault-chain",
  WJ203: "fault-end",
  WJ301: "fault-rules",
  WJ302: "fault-state",
  WJ303: "fault-cards",
  WJ304: "fault-printed",
};

/** How the ends of games are called. */
const ENDS = {
  won: "result-won",
  endless: "result-endless",
  drawn: "result-drawn",
  stopped: "result-stopped",
  folded: "result-folded",
};

/** What is being verified, or was; a new one takes its place. */
let current = null;

/** Listens to the buttons, and to files that are dropped anywhere. */
export function listenToFiles() {
  byId("check-own").hidden = !byId("journal");
  byId("check-own").addEventListener("click", () => start(about.journal.name, () => bytes("journal"), true));
  byId("choose").addEventListener("click", () => byId("file").click());
  byId("file").addEventListener("change", ({ target }) => {
    if (target.files.length > 0) startWith(target.files[0]);
    target.value = "";
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) startWith(file);
  });
}

function startWith(file) {
  start(file.name, () => file.arrayBuffer(), false);
}

/** Verifies what is read; `isOwn` is whether the page carries it. */
async function start(name, read, isOwn) {
  const mine = { name, isOwn, events: 0, judgement: null, hasFailed: false };
  current = mine;
  tellChecked();
  byId("check").scrollIntoView({ block: "nearest" });
  let since = performance.now();
  const pause = async (events) => {
    if (performance.now() - since < STILL) return;
    mine.events = events;
    tellChecked();
    await new Promise((next) => setTimeout(next));
    since = performance.now();
    if (mine !== current) throw new Error("another journal is being verified");
  };
  try {
    const verify = await verifier();
    mine.judgement = await verify(new Uint8Array(await read()), pause);
  } catch {
    // A file that can't be read, or one that is too large for a text.
    mine.hasFailed = true;
  }
  tellChecked();
}

/** The verifier, which the page carries packed until it is wanted. */
async function verifier() {
  if (!globalThis.verifyJournal) {
    const script = element("script", "");
    script.textContent = new TextDecoder().decode(await bytes("verifier"));
    document.head.append(script);
  }
  return globalThis.verifyJournal;
}

/** Shows what was found, or how far it is. */
export function tellChecked() {
  byId("checked").hidden = current === null;
  if (current === null) return;
  const { name, judgement, events, hasFailed } = current;
  show("checked-file", name);
  byId("checked-verdict").hidden = !judgement;
  byId("checked-digest-part").hidden = !judgement?.digest;
  byId("checked-same").hidden = !judgement;
  if (!judgement) {
    phrase(byId("checked-why"), hasFailed ? say("check-failed") : say("checking", { n: events }));
    return;
  }
  const { verdict, digest } = judgement;
  byId("checked").dataset.verdict = verdict;
  show("checked-verdict", verdict);
  byId("checked-verdict").dataset.is = kind(verdict);
  phrase(byId("checked-why"), why(judgement));
  show("checked-digest", digest ?? "");
  show("checked-same", compared(current));
  byId("checked-same").classList.toggle("warns", isLie(current));
}

/** How a verdict looks. */
export function kind(verdict) {
  if (verdict === "VERIFIED") return "good";
  return verdict === "INCOMPLETE" ? "part" : "bad";
}

function why({ verdict, code, line, events, turns, outcome }) {
  const told = [];
  if (code) told.push(say(verdict === "INCOMPLETE" && code === "WJ001" ? "fault-empty" : FAULTS[code]));
  else if (verdict === "INCOMPLETE") told.push(say("fault-stopped"));
  if (code) told.push(say("fault-place", { code, line: String(line) }));
  if (code && verdict !== "UNSUPPORTED") told.push(say("intact", { n: events }));
  if (verdict === "VERIFIED") {
    told.push(say("events", { n: events }), say("turns", { n: turns }), result(outcome), say("unprinted"));
  }
  return told.join(" ");
}

function result([reason, winner]) {
  const key = reason === "stopped" && winner !== null ? "result-won" : ENDS[reason];
  return say(key, { number: String(winner) });
}

/** Whether the page says something else of its own journal than what was found. */
function isLie({ isOwn, judgement: { verdict, digest } }) {
  return isOwn && (verdict !== about.verdict || digest !== about.digest);
}

/** What was found beside what the page says. */
function compared(check) {
  const {
    isOwn,
    judgement: { digest },
  } = check;
  if (isLie(check)) return say("own-lie");
  if (isOwn) return say("own-true");
  if (digest === null || about.digest === null) return say("not-compared");
  return digest === about.digest ? say("same-journal") : say("other-journal");
}
