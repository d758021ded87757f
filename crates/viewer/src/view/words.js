// Messages of the page in all languages, with their plurals and number formats.

import { inflateJson } from "./data.js";
import { phrase } from "./dom.js";

/** Language in which the page opens, unless its address sets another. */
export const OWN = document.documentElement.lang;

/** Messages of all languages. */
const known = {};

/** Current language, with its messages, plural rules and number format. */
const current = {};

/** Unpacks the messages, which must come before any other call. */
export async function loadWords() {
  Object.assign(known, await inflateJson("words"));
  setLanguage(OWN);
}

/** Sets the current language, if it is available. */
export function setLanguage(lang) {
  if (!Object.hasOwn(known, lang)) return;
  document.documentElement.lang = lang;
  current.lang = lang;
  current.words = known[lang];
  current.plurals = new Intl.PluralRules(lang);
  current.numbers = new Intl.NumberFormat(lang);
}

/** Returns the code of the current language. */
export function language() {
  return current.lang;
}

/** Returns the codes of all languages with their own names. */
export function languages() {
  return Object.entries(known).map(([lang, words]) => [lang, words["own-name"]]);
}

/** Formats a number in the current language. */
export function number(value) {
  return current.numbers.format(value).replace("-", "−");
}

/** Formats a number with its sign. */
export function change(value) {
  return value > 0 ? `+${number(value)}` : number(value);
}

/** Returns the message of a key; `values.n` selects the plural form. */
export function say(key, values = {}) {
  const entry = current.words[key];
  const form = typeof entry === "string" ? entry : entry[current.plurals.select(Math.abs(values.n))];
  return form.replace(/\{(\w+)\}/g, (_, name) => formatted(values[name]));
}

function formatted(value) {
  return typeof value === "number" ? number(value) : String(value);
}

/** Fills in all fixed texts and labels of the page. */
export function label() {
  for (const part of document.querySelectorAll("[data-say]")) phrase(part, say(part.dataset.say));
  for (const part of document.querySelectorAll("[data-label]")) {
    part.setAttribute("aria-label", say(part.dataset.label));
    if (part.localName === "button") part.title = say(part.dataset.label);
  }
}
