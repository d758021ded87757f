// Shows the table's key and its log, for those who compare them with what others see.

import { all, byId } from "../widgets/dom.js";
import { fingerprint, keyNumber, read } from "../fairness/log-monitor.js";
import { now } from "../state/store.js";
import { say } from "../widgets/words.js";

/** @import { LogVerdict, Model, Word } from "../types.js" */

/**
 * What the verdict on the log is called.
 *
 * @type {Record<LogVerdict, Word>}
 */
const VERDICTS = {
  pending: "fair-pending",
  good: "log-good",
  waiting: "log-waiting",
  bad: "log-bad",
  "log-none": "log-none",
  "log-absent": "log-absent",
  "log-unread": "log-unread",
  "log-browser": "log-browser",
};

/**
 * Shows the log where there is time to look at it.
 *
 * @param {Model} model
 */
export function log({ stage, verdict }) {
  const { key, note, table } = read();
  byId("log").hidden = !["lobby", "result"].includes(stage);
  const is = verdict.log;
  byId("log-verdict").textContent = say(VERDICTS[is]);
  byId("log-verdict").dataset.is = ["pending", "good", "waiting", "bad"].includes(is) ? is : "unchecked";
  byId("log-table").textContent = table ?? say("fair-none");
  byId("log-key").textContent = fingerprint(key) ?? say("fair-none");
  byId("log-checkpoint").textContent = note ?? say("fair-none");
  byId("log-command").textContent = `war log verify ${location.origin}/log --with checkpoint.txt`;
  for (const part of all("[data-noted]", HTMLElement)) part.hidden = note === null;
  if (note === null || note === now.saved) return;
  now.saved = note;
  const save = byId("log-save", HTMLAnchorElement);
  URL.revokeObjectURL(save.href);
  save.href = URL.createObjectURL(new Blob([note], { type: "text/plain" }));
  byId("log-copy").textContent = say("copy");
}

/** Copies the checkpoint, or selects it where the browser does not let the page copy. */
export async function copy() {
  try {
    await navigator.clipboard.writeText(read().note ?? "");
    byId("log-copy").textContent = say("copied");
  } catch {
    getSelection()?.selectAllChildren(byId("log-checkpoint"));
  }
}

/** Shows the number of the key, by which minisign names it. */
export async function number() {
  const { key } = read();
  if (key === null) return;
  const answer = await fetch("/log/key").catch(() => null);
  const found = answer?.ok ? keyNumber(await answer.text(), key) : null;
  byId("log-number").textContent = found ?? say("fair-none");
}
