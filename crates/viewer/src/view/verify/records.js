// Reading of a journal's records: the header, the events, and the end record.

import { Fault, ensure } from "./fault.js";
import { JsonReader } from "./json-reader.js";

const [MAX_RECORD_BYTES, MAX_HEADER_BYTES] = [2 ** 20, 2 ** 21];

/** Beginning of every journal. */
const BEGINNING = '{"format":"war-journal"';

/** Pattern of the beginning of an end record of version 2. */
const END_PATTERN = /^\s*\{\s*"end"/;

/** Pattern of a line that ends where a value or a name is expected. */
const OPEN_LINE_PATTERN = /(?:^|[[{,:])\s*$/;

const encoder = new TextEncoder();

/**
 * Reads the records of a journal.
 * @param {Uint8Array} bytes  the journal
 * @returns {Generator<{ part: "beginning" | "header" | "event" | "end", record: unknown, line: number }>}
 *   each record with its kind and the line where it begins; `beginning` is an incomplete header
 * @throws {Fault} at the first fault of the file
 */
export function* readRecords(bytes) {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  const text = new JsonReader(decode(bytes.subarray(0, end)));
  ensure(text.peek() !== "", "WJ001", "INCOMPLETE", 1);
  const [record, line] = [new Map(), text.line()];
  try {
    readHeader(text, record);
  } catch (fault) {
    const begin = text.text.slice(0, 999).replace(/\s/g, "");
    const isJournal = begin.startsWith(BEGINNING.slice(0, begin.length));
    if (!isJournal) throw new Fault("DAMAGED", isOtherJson(text.text) ? "WJ002" : "WJ001", 1);
    yield { part: "beginning", record, line };
    throw fault;
  }
  yield { part: "header", record, line };
  yield* record.has("events") ? readDocument(text) : readLines(text, line);
  ensure(end === bytes.length, "WJ203", "DAMAGED", text.lastLine());
}

/** Returns true for JSON, complete or cut off. */
function isOtherJson(text) {
  const other = new JsonReader(text);
  try {
    other.value(Infinity);
    return other.peek() === "";
  } catch (fault) {
    return fault instanceof Fault && fault.verdict === "INCOMPLETE";
  }
}

/** Reads the fields of the header; in version 1, up to the list of events. */
function readHeader(text, record) {
  text.isInRecord = true;
  text.consume("{");
  for (let isFirst = true; text.hasNext("}", isFirst); isFirst = false) {
    const name = text.name(record);
    record.set(name, name === "events" ? null : text.value());
    if (name === "events") break;
  }
  ensure(fitsBytes(text.text.slice(0, text.at), MAX_HEADER_BYTES), "WJ103", "DAMAGED", 1);
}

/** Reads the events and the end record of version 1. */
function* readDocument(text) {
  text.consume("[");
  text.isInRecord = false;
  for (let isFirst = true; text.hasNext("]", isFirst); isFirst = false) {
    text.isInRecord = !isFirst || text.peek() !== "";
    yield nextRecord(text, "event");
  }
  const names = new Map();
  if (!text.hasNext("}", false)) throw text.cutFault();
  if (text.name(names) !== "end") throw text.fault("WJ103");
  yield nextRecord(text, "end");
  if (text.hasNext("}", false)) {
    text.name(names);
    throw text.fault("WJ103");
  }
  if (text.peek() !== "") throw text.fault("WJ203");
}

/** Reads the next record of version 1. */
function nextRecord(text, part) {
  text.peek();
  const [start, line] = [text.at, text.line()];
  const record = text.value();
  ensure(fitsBytes(text.text.slice(start, text.at), MAX_RECORD_BYTES), "WJ103", "DAMAGED", line);
  text.isInRecord = false;
  return { part, record, line };
}

/** Reads the events and the end record of version 2, after the header in line `first`. */
function* readLines(text, first) {
  ensure(text.line() === first, "WJ103", "DAMAGED", first);
  ensure(text.peek() === "" || text.line() > first, "WJ203", "DAMAGED", first);
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
    ensure(part !== "end", "WJ203", "DAMAGED", line);
    const record = parseLine(content, end >= 0, line);
    part = record instanceof Map && record.has("end") ? "end" : "event";
    yield { part, record, line };
  }
  ensure(part === "end", isTorn ? "WJ101" : "WJ102", "INCOMPLETE", line);
}

/** Reads the record in a line. */
function parseLine(content, isWhole, line) {
  const text = new JsonReader(content);
  try {
    const record = text.value();
    ensure(text.peek() === "", "WJ103");
    ensure(fitsBytes(content, MAX_RECORD_BYTES), "WJ103");
    return record;
  } catch (fault) {
    if (!isWhole) throw new Fault("INCOMPLETE", END_PATTERN.test(content) ? "WJ102" : "WJ101", line);
    const isOpen = fault.verdict === "INCOMPLETE";
    throw new Fault(
      "DAMAGED",
      isOpen ? (OPEN_LINE_PATTERN.test(content) ? "WJ103" : "WJ001") : fault.code,
      line,
    );
  }
}

/** Returns true if a text has at most this many bytes. */
function fitsBytes(text, most) {
  return 3 * text.length <= most || encoder.encode(text).length <= most;
}

/** Decodes UTF-8, with a lone surrogate in place of the first invalid bytes. */
function decode(bytes) {
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
