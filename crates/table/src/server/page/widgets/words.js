// Texts of the page, with plurals and numbers by the rules of each language. The document contains
// those of one language, and the others are loaded when the player wants them.

import { store } from "../state/store.js";
import { byId } from "./dom.js";

/** @import { Lang, Values, Word } from "../types.js" */

/** @type {Lang[]} */
export const LANGS = ["en", "pl"];

/** Reads the texts that are a part of the document, and uses their language. */
export function readTexts() {
  const lang = preferredLanguage([document.documentElement.lang]);
  store.words.catalogues = { [lang]: JSON.parse(byId("texts").textContent) };
  setLanguage(lang);
}

/**
 * Loads the texts of a language once. Returns false if they can't be loaded.
 *
 * @param {Lang} lang
 */
export async function loadTexts(lang) {
  if (store.words.catalogues[lang]) return true;
  const response = await fetch(`texts/${lang}.json`).catch(() => null);
  const texts = response?.ok ? await response.json().catch(() => null) : null;
  if (texts) store.words.catalogues[lang] = texts;
  return texts !== null;
}

/**
 * Returns the first supported language of a list, which starts with the most wanted.
 *
 * @param {readonly string[]} wanted
 */
export function preferredLanguage(wanted) {
  const names = wanted.map((tag) => tag.toLowerCase().split("-")[0]);
  const best = names.find((name) => LANGS.some((lang) => lang === name));
  return best === undefined ? "en" : /** @type {Lang} */ (best);
}

export function language() {
  return store.words.language;
}

/**
 * Switches the language, and translates the static elements.
 *
 * @param {Lang} language
 */
export function setLanguage(language) {
  store.words.language = language;
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-say]")) {
    element.textContent = say(keyOf(element, "data-say"));
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(keyOf(element, "data-label")));
  }
  document.querySelector("meta[name=description]")?.setAttribute("content", say("page-about"));
}

/**
 * Returns the key in an attribute. A test checks that such keys have texts.
 *
 * @param {Element} element
 * @param {string} attribute
 */
function keyOf(element, attribute) {
  return /** @type {Word} */ (element.getAttribute(attribute));
}

/**
 * Returns the text of a key in the current language; `values.n` selects the plural form.
 *
 * @param {Word} key
 * @param {Values} values
 */
export function say(key, values = {}) {
  const entry = store.words.catalogues[store.words.language]?.[key] ?? "";
  const form = typeof entry === "string" ? entry : entry[pluralCategory(values.n ?? 0)];
  return form.replace(/\{(\w+)\}/g, (_, /** @type {string} */ name) => formatValue(values[name]));
}

/**
 * Formats a number for the current language, with a plus sign if the number is positive and
 * `signed` is true.
 *
 * @param {number} value
 */
export function formatNumber(value, signed = false) {
  const signDisplay = signed ? "exceptZero" : "auto";
  return new Intl.NumberFormat(store.words.language, { signDisplay }).format(value).replace("-", "−");
}

/** @param {number} n */
function pluralCategory(n) {
  return new Intl.PluralRules(store.words.language).select(Math.abs(n));
}

/** @param {string | number | undefined} value */
function formatValue(value) {
  return typeof value === "number" ? formatNumber(value) : String(value);
}
