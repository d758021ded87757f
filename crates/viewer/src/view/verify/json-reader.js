// JSON reader that reads value by value and detects text that was cut off at any place.

import { Fault, ensure } from "./fault.js";

/** Maximum nesting of a value. */
const MAX_DEPTH = 64;

/** Maximum length of a word or a number, far more than any journal needs. */
const MAX_WORD_LENGTH = 2 ** 20;

const WHOLE = /^(?:0|-?[1-9][0-9]{0,30})$/;
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;
/** Pattern of a number or a word that was cut off. */
const CUT_WORD =
  /^(?:-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][-+]?[0-9]*)?)?|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?)$/;
const WORD_CHARACTER = /[-+.0-9A-Za-z]/;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const CUT_ESCAPE = /\\(?:u[0-9a-fA-F]{0,3})?$/y;
const LONE_SURROGATE = /[\ud800-\udfff]/u;
const CONSTANTS = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** A number that isn't whole, or is too large for any journal, as it was written. */
export class UnsupportedNumber {
  /** @param {string} token */
  constructor(token) {
    this.token = token;
  }
}

/** Reads JSON from a text. Objects become maps, since the order of names matters. */
export class JsonReader {
  /** @param {string} text  the text, with lone surrogates in place of bytes that aren't UTF-8 */
  constructor(text) {
    this.text = text;
    this.at = 0;
    /** True while reading the header or an event, which is incomplete if the text ends here. */
    this.isInRecord = false;
    this.lineCounter = { at: 0, line: 1 };
  }

  /** Returns the number of the current line, counted from 1. */
  line() {
    const { lineCounter } = this;
    for (;;) {
      const feed = this.text.indexOf("\n", lineCounter.at);
      if (feed < 0 || feed >= this.at) return lineCounter.line;
      lineCounter.at = feed + 1;
      lineCounter.line += 1;
    }
  }

  /** Returns the number of the last line. */
  lastLine() {
    this.at = this.text.length;
    return this.line();
  }

  /** Creates a fault at the current line. */
  fault(code) {
    return new Fault("DAMAGED", code, this.line());
  }

  /** Creates a fault for a text that ends too early. */
  cutFault() {
    return new Fault("INCOMPLETE", this.isInRecord ? "WJ101" : "WJ102", this.lastLine());
  }

  /** Returns the next character that isn't white space, or "" at the end. */
  peek() {
    for (;;) {
      const character = this.text[this.at];
      if (character === undefined) return "";
      if (character !== " " && character !== "\n" && character !== "\t" && character !== "\r")
        return character;
      this.at += 1;
    }
  }

  /** Consumes the next character, which must be one of these. */
  consume(...expected) {
    const character = this.peek();
    if (character === "") throw this.cutFault();
    if (!expected.includes(character)) throw this.fault("WJ001");
    this.at += 1;
    return character;
  }

  /** Returns true if another item follows before the closing bracket. */
  hasNext(closing, isFirst) {
    if (!isFirst) return this.consume(",", closing) === ",";
    if (this.peek() !== closing) return true;
    this.at += 1;
    return false;
  }

  /** Reads the name of the next field, which must not be in `known`, and the colon. */
  name(known) {
    const first = this.peek();
    if (first === "") throw this.cutFault();
    if (first !== '"') throw this.fault("WJ001");
    const name = this.string();
    if (known.has(name)) throw this.fault("WJ103");
    this.consume(":");
    return name;
  }

  /** Reads the next value; `depth` is the maximum nesting. */
  value(depth = MAX_DEPTH) {
    const first = this.peek();
    if (first === '"') return this.string();
    if (first !== "{" && first !== "[") return this.word();
    this.at += 1;
    if (depth === 0) throw this.fault("WJ103");
    return first === "{" ? this.object(depth - 1) : this.list(depth - 1);
  }

  object(depth) {
    const found = new Map();
    for (let isFirst = true; this.hasNext("}", isFirst); isFirst = false) {
      const name = this.name(found);
      found.set(name, this.value(depth));
    }
    return found;
  }

  list(depth) {
    const found = [];
    for (let isFirst = true; this.hasNext("]", isFirst); isFirst = false) found.push(this.value(depth));
    return found;
  }

  string() {
    let [at, isPlain] = [this.at + 1, true];
    for (;;) {
      const code = this.text.charCodeAt(at);
      if (code === 0x22) break;
      if (Number.isNaN(code)) throw this.cutFault();
      if (code < 0x20) throw this.fault("WJ001");
      if (code === 0x5c) at += this.escapeLength(at);
      else at += 1;
      isPlain &&= code !== 0x5c && (code < 0xd800 || code > 0xdfff);
    }
    const token = this.text.slice(this.at, at + 1);
    this.at = at + 1;
    if (isPlain) return token.slice(1, -1);
    if (LONE_SURROGATE.test(token)) throw this.fault("WJ001");
    const text = JSON.parse(token);
    if (LONE_SURROGATE.test(text)) throw this.fault("WJ103");
    return text;
  }

  /** Returns the length of the escape sequence that begins here. */
  escapeLength(at) {
    ESCAPE.lastIndex = at;
    const [whole] = ESCAPE.exec(this.text) ?? [];
    if (whole) return whole.length;
    CUT_ESCAPE.lastIndex = at;
    throw CUT_ESCAPE.test(this.text) ? this.cutFault() : this.fault("WJ001");
  }

  /** Reads a number, `true`, `false` or `null`. */
  word() {
    let end = this.at;
    while (end < this.text.length && WORD_CHARACTER.test(this.text[end])) end += 1;
    ensure(end - this.at <= MAX_WORD_LENGTH, "WJ103");
    const word = this.text.slice(this.at, end);
    const isAtEnd = end === this.text.length;
    if (CONSTANTS.has(word)) {
      this.at = end;
      return CONSTANTS.get(word);
    }
    if (isAtEnd && CUT_WORD.test(word)) throw this.cutFault();
    if (isAtEnd || !NUMBER.test(word)) throw this.fault("WJ001");
    this.at = end;
    if (!WHOLE.test(word)) return new UnsupportedNumber(word);
    const number = Number(word);
    return Number.isSafeInteger(number) ? number : BigInt(word);
  }
}
