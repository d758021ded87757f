// Verifies a journal in the page: the embedded one, or a file.

import { facts, inflate } from "./data.js";
import { byId, createElement, setMessage, setText } from "./dom.js";
import { message } from "./words.js";

/** Maximum time between pauses that keep the page responsive. */
const MAX_BUSY_MS = 40;

/** Message keys of the fault codes. */
const FAULT_MESSAGES = {
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

/** Message keys of the outcomes. */
const OUTCOME_MESSAGES = {
  won: "result-won",
  endless: "result-endless",
  drawn: "result-drawn",
  stopped: "result-stopped",
  folded: "result-folded",
};

/** Current or last check, or null; a new check replaces it. */
let current = null;

/** Listens to the buttons, and to files dropped anywhere on the page. */
export function listenToFiles() {
  byId("check-own").hidden = !byId("journal");
  byId("check-own").addEventListener("click", () =>
    verifyInPage(facts.journal.name, () => inflate("journal"), true),
  );
  byId("choose").addEventListener("click", () => byId("file").click());
  byId("file").addEventListener("change", ({ target }) => {
    if (target.files.length > 0) checkFile(target.files[0]);
    target.value = "";
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) checkFile(file);
  });
}

function checkFile(file) {
  verifyInPage(file.name, () => file.arrayBuffer(), false);
}

/** Verifies a journal; `isOwn` is true for the embedded journal. */
async function verifyInPage(name, read, isOwn) {
  const state = { name, isOwn, events: 0, judgement: null, hasFailed: false };
  current = state;
  showCheck();
  byId("check").scrollIntoView({ block: "nearest" });
  let since = performance.now();
  const pause = async (events) => {
    if (performance.now() - since < MAX_BUSY_MS) return;
    state.events = events;
    showCheck();
    await new Promise((next) => setTimeout(next));
    since = performance.now();
    if (state !== current) throw new Error("another journal is being verified");
  };
  try {
    const verify = await loadVerifier();
    state.judgement = await verify(new Uint8Array(await read()), pause);
  } catch {
    // The file can't be read, or is too large for a string.
    state.hasFailed = true;
  }
  showCheck();
}

/** Returns the verifier, which stays packed until it is needed. */
async function loadVerifier() {
  if (!globalThis.verifyJournal) {
    const script = createElement("script", "");
    script.textContent = new TextDecoder().decode(await inflate("verifier"));
    document.head.append(script);
  }
  return globalThis.verifyJournal;
}

/** Shows the verdict, or the progress so far. */
export function showCheck() {
  byId("checked").hidden = current === null;
  if (current === null) return;
  const { name, judgement, events, hasFailed } = current;
  setText("checked-file", name);
  byId("checked-verdict").hidden = !judgement;
  byId("checked-digest-part").hidden = !judgement?.digest;
  byId("checked-same").hidden = !judgement;
  if (!judgement) {
    setMessage(byId("checked-why"), hasFailed ? message("check-failed") : message("checking", { n: events }));
    return;
  }
  const { verdict, digest } = judgement;
  byId("checked").dataset.verdict = verdict;
  setText("checked-verdict", verdict);
  byId("checked-verdict").dataset.is = verdictStyle(verdict);
  setMessage(byId("checked-why"), explanation(judgement));
  setText("checked-digest", digest ?? "");
  setText("checked-same", comparison(current));
  byId("checked-same").classList.toggle("warns", contradictsPage(current));
}

/** Returns the style name of a verdict. */
export function verdictStyle(verdict) {
  if (verdict === "VERIFIED") return "good";
  return verdict === "INCOMPLETE" ? "part" : "bad";
}

function explanation({ verdict, code, line, events, turns, outcome }) {
  const sentences = [];
  if (code)
    sentences.push(
      message(verdict === "INCOMPLETE" && code === "WJ001" ? "fault-empty" : FAULT_MESSAGES[code]),
    );
  else if (verdict === "INCOMPLETE") sentences.push(message("fault-stopped"));
  if (code) sentences.push(message("fault-place", { code, line: String(line) }));
  if (code && verdict !== "UNSUPPORTED") sentences.push(message("intact", { n: events }));
  if (verdict === "VERIFIED") {
    sentences.push(
      message("events", { n: events }),
      message("turns", { n: turns }),
      outcomeSentence(outcome),
      message("unprinted"),
    );
  }
  return sentences.join(" ");
}

function outcomeSentence([reason, winner]) {
  const key = reason === "stopped" && winner !== null ? "result-won" : OUTCOME_MESSAGES[reason];
  return message(key, { number: String(winner) });
}

/** Returns true if the verdict or digest of the embedded journal differs from the page's statement. */
function contradictsPage({ isOwn, judgement: { verdict, digest } }) {
  return isOwn && (verdict !== facts.verdict || digest !== facts.digest);
}

/** Returns the sentence that compares the verdict with the page's statement. */
function comparison(state) {
  const {
    isOwn,
    judgement: { digest },
  } = state;
  if (contradictsPage(state)) return message("own-lie");
  if (isOwn) return message("own-true");
  if (digest === null || facts.digest === null) return message("not-compared");
  return digest === facts.digest ? message("same-journal") : message("other-journal");
}
