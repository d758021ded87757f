// JSON that is read value by value, and may be cut off anywhere.

import { Fault, demand } from "./fault.js";

/** How deep a value may be nested. */
const DEEPEST = 64;

/** No word or number of a journal is as long. */
const LONGEST_WORD = 2 ** 20;

const WHOLE = /^(?:0|-?[1-9][0-9]{0,30})$/;
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;
/** What the end of a text may leave of a number or a word. */
const CUT_WORD =
  /^(?:-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][-+]?[0-9]*)?)?|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?)$/;
const OF_A_WORD = /[-+.0-9A-Za-z]/;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const CUT_ESCAPE = /\\(?:u[0-9a-fA-F]{0,3})?$/y;
const LONE_SURROGATE = /[\ud800-\udfff]/u;
const CONSTANTS = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** A number that isn't whole, or larger than any of a journal, as it was written. */
export class OtherNumber {
  /** @param {string} token */
  constructor(token) {
    this.token = token;
  }
}

/** A text of JSON, and how far it is read. Objects are read as maps: the order of names counts. */
export class Text {
  /** @param {string} text  bytes that aren't UTF-8 stand in it as lone surrogates */
  constructor(text) {
    this.text = text;
    this.at = 0;
    /** Whether the header or an event is being read, which a cut would leave torn. */
    this.isWithin = false;
    this.counted = { at: 0, line: 1 };
  }

  /** The line that is reached, counted from 1. */
  line() {
    const { counted } = this;
    for (;;) {
      const feed = this.text.indexOf("\n", counted.at);
      if (feed < 0 || feed >= this.at) return counted.line;
      counted.at = feed + 1;
      counted.line += 1;
    }
  }

  /** The line in which the text ends. */
  lastLine() {
    this.at = this.text.length;
    return this.line();
  }

  /** What is wrong here. */
  fault(code) {
    return new Fault("DAMAGED", code, this.line());
  }

  /** The text ends too early. */
  cut() {
    return new Fault("INCOMPLETE", this.isWithin ? "WJ101" : "WJ102", this.lastLine());
  }

  /** The next character that isn't white space, or nothing at the end. */
  peek() {
    for (;;) {
      const character = this.text[this.at];
      if (character === undefined) return "";
      if (character !== " " && character !== "\n" && character !== "\t" && character !== "\r")
        return character;
      this.at += 1;
    }
  }

  /** Takes the next character, which must be one of these. */
  take(...expected) {
    const character = this.peek();
    if (character === "") throw this.cut();
    if (!expected.includes(character)) throw this.fault("WJ001");
    this.at += 1;
    return character;
  }

  /** Whether another item stands before the closing bracket, behind a comma unless it is the first. */
  goesOn(closing, isFirst) {
    if (!isFirst) return this.take(",", closing) === ",";
    if (this.peek() !== closing) return true;
    this.at += 1;
    return false;
  }

  /** The name of the next field, and the colon; no name of these may come again. */
  name(known) {
    const first = this.peek();
    if (first === "") throw this.cut();
    if (first !== '"') throw this.fault("WJ001");
    const name = this.string();
    if (known.has(name)) throw this.fault("WJ103");
    this.take(":");
    return name;
  }

  /** The next value; `depth` is how deep it may be nested. */
  value(depth = DEEPEST) {
    const first = this.peek();
    if (first === '"') return this.string();
    if (first !== "{" && first !== "[") return this.word();
    this.at += 1;
    if (depth === 0) throw this.fault("WJ103");
    return first === "{" ? this.object(depth - 1) : this.list(depth - 1);
  }

  object(depth) {
    const found = new Map();
    for (let isFirst = true; this.goesOn("}", isFirst); isFirst = false) {
      const name = this.name(found);
      found.set(name, this.value(depth));
    }
    return found;
  }

  list(depth) {
    const found = [];
    for (let isFirst = true; this.goesOn("]", isFirst); isFirst = false) found.push(this.value(depth));
    return found;
  }

  string() {
    let [at, isPlain] = [this.at + 1, true];
    for (;;) {
      const code = this.text.charCodeAt(at);
      if (code === 0x22) break;
      if (Number.isNaN(code)) throw this.cut();
      if (code < 0x20) throw this.fault("WJ001");
      if (code === 0x5c) at += this.escape(at);
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

  /** How long the escape is that begins here. */
  escape(at) {
    ESCAPE.lastIndex = at;
    const [whole] = ESCAPE.exec(this.text) ?? [];
    if (whole) return whole.length;
    CUT_ESCAPE.lastIndex = at;
    throw CUT_ESCAPE.test(this.text) ? this.cut() : this.fault("WJ001");
  }

  /** A number, or one of the words that JSON has. */
  word() {
    let end = this.at;
    while (end < this.text.length && OF_A_WORD.test(this.text[end])) end += 1;
    demand(end - this.at <= LONGEST_WORD, "WJ103");
    const word = this.text.slice(this.at, end);
    const isAtEnd = end === this.text.length;
    if (CONSTANTS.has(word)) {
      this.at = end;
      return CONSTANTS.get(word);
    }
    if (isAtEnd && CUT_WORD.test(word)) throw this.cut();
    if (isAtEnd || !NUMBER.test(word)) throw this.fault("WJ001");
    this.at = end;
    if (!WHOLE.test(word)) return new OtherNumber(word);
    const number = Number(word);
    return Number.isSafeInteger(number) ? number : BigInt(word);
  }
}
