// Rendering of the table's key and log, for players who compare them with what others see.

import { homeAddress } from "../controllers/router.js";
import { keyFingerprint, minisignKeyId, read } from "../fairness/log-monitor.js";
import { store } from "../state/store.js";
import { all, byId } from "../widgets/dom.js";
import { say } from "../widgets/words.js";

/** @import { LogVerdict, ViewModel, Word } from "../types.js" */

/** @type {Record<LogVerdict, Word>} */
const VERDICTS = {
  pending: "log-pending",
  good: "log-good",
  waiting: "log-waiting",
  bad: "log-bad",
  "log-none": "log-none",
  "log-absent": "log-absent",
  "log-unread": "log-unread",
  "log-browser": "log-browser",
};

/**
 * Renders the log's panel, which is hidden while the player waits or plays.
 *
 * @param {ViewModel} model
 */
export function renderLog({ stage, verdict }) {
  const { key, note, table } = read();
  byId("log").hidden = !["lobby", "result"].includes(stage);
  const is = verdict.log;
  byId("log-verdict").textContent = say(VERDICTS[is]);
  byId("log-verdict").dataset.is = ["pending", "good", "waiting", "bad"].includes(is) ? is : "unchecked";
  byId("log-table").textContent = table ?? say("fair-none");
  byId("log-key").textContent = keyFingerprint(key) ?? say("fair-none");
  byId("log-checkpoint").textContent = note ?? say("fair-none");
  byId("log-command").textContent = `war log verify ${homeAddress()}log --with checkpoint.txt`;
  for (const part of all("[data-noted]", HTMLElement)) part.hidden = note === null;
  if (note === null || note === store.savedCheckpoint) return;
  store.savedCheckpoint = note;
  const save = byId("log-save", HTMLAnchorElement);
  URL.revokeObjectURL(save.href);
  save.href = URL.createObjectURL(new Blob([note], { type: "text/plain" }));
  byId("log-copy").textContent = say("copy");
}

/** Copies the checkpoint, or selects it if the browser does not allow copying. */
export async function copyCheckpoint() {
  try {
    await navigator.clipboard.writeText(read().note ?? "");
    byId("log-copy").textContent = say("copied");
  } catch {
    getSelection()?.selectAllChildren(byId("log-checkpoint"));
  }
}

/** Fetches and renders the key id, by which minisign names the table's key. */
export async function renderKeyId() {
  const { key } = read();
  if (key === null) return;
  const response = await fetch("log/key").catch(() => null);
  const id = response?.ok ? minisignKeyId(await response.text(), key) : null;
  byId("log-number").textContent = id ?? say("fair-none");
}
