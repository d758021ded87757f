// Messages of the page in all languages, with their plurals and number formats.

import { inflateJson } from "./data.js";
import { setMessage } from "./dom.js";

/** Language in which the page opens, unless its address sets another. */
export const PAGE_LANGUAGE = document.documentElement.lang;

/** Messages of all languages. */
const catalogues = {};

/** Current language, with its messages, plural rules and number format. */
const current = {};

/** Unpacks the messages. Must be called before all other functions. */
export async function loadMessages() {
  Object.assign(catalogues, await inflateJson("words"));
  setLanguage(PAGE_LANGUAGE);
}

/** Sets the current language, if it is available. */
export function setLanguage(lang) {
  if (!Object.hasOwn(catalogues, lang)) return;
  document.documentElement.lang = lang;
  current.lang = lang;
  current.words = catalogues[lang];
  current.plurals = new Intl.PluralRules(lang);
  current.numbers = new Intl.NumberFormat(lang);
}

/** Returns the code of the current language. */
export function language() {
  return current.lang;
}

/** Returns the code of each language, with the name that the language has for itself. */
export function languages() {
  return Object.entries(catalogues).map(([lang, words]) => [lang, words["own-name"]]);
}

/** Formats a number in the current language. */
export function formatNumber(value) {
  return current.numbers.format(value).replace("-", "−");
}

/** Formats a number with its sign. */
export function formatChange(value) {
  return value > 0 ? `+${formatNumber(value)}` : formatNumber(value);
}

/** Returns the message of a key; `values.n` selects the plural form. */
export function message(key, values = {}) {
  const entry = current.words[key];
  const form = typeof entry === "string" ? entry : entry[current.plurals.select(Math.abs(values.n))];
  return form.replace(/\{(\w+)\}/g, (_, name) => formatValue(values[name]));
}

function formatValue(value) {
  return typeof value === "number" ? formatNumber(value) : String(value);
}

/** Fills in all fixed texts and labels of the page. */
export function fillTexts() {
  for (const part of document.querySelectorAll("[data-say]")) setMessage(part, message(part.dataset.say));
  for (const part of document.querySelectorAll("[data-label]")) {
    part.setAttribute("aria-label", message(part.dataset.label));
    if (part.localName === "button") part.title = message(part.dataset.label);
  }
}
