// The records of a journal, one after the other: the header, the events, and the end record.

import { Fault, demand } from "./fault.js";
import { Text } from "./text.js";

const [LONGEST_RECORD, LONGEST_HEADER] = [2 ** 20, 2 ** 21];

/** How every journal begins. */
const BEGINNING = '{"format":"war-journal"';

/** How an end record of version 2 begins. */
const IS_END = /^\s*\{\s*"end"/;

/** What a line looks like that ends where a value or a name may come. */
const OPEN = /(?:^|[[{,:])\s*$/;

const encoder = new TextEncoder();

/**
 * Goes through the records of a journal.
 * @param {Uint8Array} bytes  the journal
 * @returns {Generator<{ part: "beginning" | "header" | "event" | "end", record: unknown, line: number }>}
 *   each record with what it is and the line where it begins; `beginning` is a header that ends early
 * @throws {Fault} what is wrong with the file
 */
export function* records(bytes) {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  const text = new Text(decoded(bytes.subarray(0, end)));
  demand(text.peek() !== "", "WJ001", "INCOMPLETE", 1);
  const [record, line] = [new Map(), text.line()];
  try {
    header(text, record);
  } catch (fault) {
    const begin = text.text.slice(0, 999).replace(/\s/g, "");
    const isJournal = begin.startsWith(BEGINNING.slice(0, begin.length));
    if (!isJournal) throw new Fault("DAMAGED", isOtherJson(text.text) ? "WJ002" : "WJ001", 1);
    yield { part: "beginning", record, line };
    throw fault;
  }
  yield { part: "header", record, line };
  yield* record.has("events") ? inDocument(text) : inLines(text, line);
  demand(end === bytes.length, "WJ203", "DAMAGED", text.lastLine());
}

/** Whether a text is JSON as far as it goes. */
function isOtherJson(text) {
  const other = new Text(text);
  try {
    other.value(Infinity);
    return other.peek() === "";
  } catch (fault) {
    return fault instanceof Fault && fault.verdict === "INCOMPLETE";
  }
}

/** Reads the fields of the header, up to the list of events in a journal of version 1. */
function header(text, record) {
  text.isWithin = true;
  text.take("{");
  for (let isFirst = true; text.goesOn("}", isFirst); isFirst = false) {
    const name = text.name(record);
    record.set(name, name === "events" ? null : text.value());
    if (name === "events") break;
  }
  demand(isWithin(text.text.slice(0, text.at), LONGEST_HEADER), "WJ103", "DAMAGED", 1);
}

/** The events and the end record of version 1. */
function* inDocument(text) {
  text.take("[");
  text.isWithin = false;
  for (let isFirst = true; text.goesOn("]", isFirst); isFirst = false) {
    text.isWithin = !isFirst || text.peek() !== "";
    yield one(text, "event");
  }
  const names = new Map();
  if (!text.goesOn("}", false)) throw text.cut();
  if (text.name(names) !== "end") throw text.fault("WJ103");
  yield one(text, "end");
  if (text.goesOn("}", false)) {
    text.name(names);
    throw text.fault("WJ103");
  }
  if (text.peek() !== "") throw text.fault("WJ203");
}

/** The next record of a document. */
function one(text, part) {
  text.peek();
  const [start, line] = [text.at, text.line()];
  const record = text.value();
  demand(isWithin(text.text.slice(start, text.at), LONGEST_RECORD), "WJ103", "DAMAGED", line);
  text.isWithin = false;
  return { part, record, line };
}

/** The events and the end record of version 2, behind the header in this line. */
function* inLines(text, first) {
  demand(text.line() === first, "WJ103", "DAMAGED", first);
  demand(text.peek() === "" || text.line() > first, "WJ203", "DAMAGED", first);
  let [part, line, isTorn] = ["header", first, true];
  let at = text.text.indexOf("\n", 0);
  for (let passed = 1; passed < first; passed += 1) at = text.text.indexOf("\n", at + 1);
  while (at >= 0) {
    const [start, end] = [at + 1, text.text.indexOf("\n", at + 1)];
    const content = text.text.slice(start, end < 0 ? undefined : end);
    line += 1;
    at = end;
    isTorn = content !== "";
    if (!isTorn && end < 0) break;
    demand(part !== "end", "WJ203", "DAMAGED", line);
    const record = ofLine(content, end >= 0, line);
    part = record instanceof Map && record.has("end") ? "end" : "event";
    yield { part, record, line };
  }
  demand(part === "end", isTorn ? "WJ101" : "WJ102", "INCOMPLETE", line);
}

/** The record in a line. */
function ofLine(content, isWhole, line) {
  const text = new Text(content);
  try {
    const record = text.value();
    demand(text.peek() === "", "WJ103");
    demand(isWithin(content, LONGEST_RECORD), "WJ103");
    return record;
  } catch (fault) {
    if (!isWhole) throw new Fault("INCOMPLETE", IS_END.test(content) ? "WJ102" : "WJ101", line);
    const isOpen = fault.verdict === "INCOMPLETE";
    throw new Fault("DAMAGED", isOpen ? (OPEN.test(content) ? "WJ103" : "WJ001") : fault.code, line);
  }
}

/** Whether a text is at most so many bytes long. */
function isWithin(text, most) {
  return 3 * text.length <= most || encoder.encode(text).length <= most;
}

/** The text of these bytes, with a lone surrogate where they first aren't UTF-8. */
function decoded(bytes) {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  let read = 0;
  for (let before = 0; ;) {
    const at = text.indexOf("\ufffd", before);
    if (at < 0) return text;
    read += encoder.encode(text.slice(before, at)).length;
    const isThere = bytes[read] === 0xef && bytes[read + 1] === 0xbf && bytes[read + 2] === 0xbd;
    if (!isThere) return `${text.slice(0, at)}\udfff${text.slice(at + 1)}`;
    read += 3;
    before = at + 1;
  }
}
