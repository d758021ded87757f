// Texts of the page in both languages, with plurals and numbers by the rules of each.

import { store } from "../state/store.js";

/** @import { Lang, Values, Word } from "../types.js" */

/** @type {Lang[]} */
export const LANGS = ["en", "pl"];

/** Pause before a failed request for texts is repeated. */
const RETRY_MS = 2_000;
/** Time after which an unanswered request for texts counts as failed. */
const TIMEOUT_MS = 15_000;
/** Time to wait for texts in the wanted language, before texts in any language will do. */
const PATIENCE_MS = 2_500;

/**
 * Fetches both catalogues, so that switching the language needs no network. Resolves once the texts
 * in the `wanted` language are there, or after a while those in any language. `onLateArrival` is
 * called if the texts in the wanted language arrive afterwards.
 *
 * @param {Lang} wanted
 * @param {(lang: Lang) => void} onLateArrival
 */
export async function loadCatalogues(wanted, onLateArrival) {
  const requests = { en: fetchCatalogue("en"), pl: fetchCatalogue("pl") };
  for (const lang of LANGS) {
    requests[lang].then(
      () => lang === store.words.wanted && lang !== store.words.language && onLateArrival(lang),
    );
  }
  const any = pause(PATIENCE_MS).then(() => Promise.any(Object.values(requests)));
  await Promise.race([requests[wanted], any]);
}

/**
 * Fetches a catalogue, and repeats failed requests until one succeeds.
 *
 * @param {Lang} lang
 */
async function fetchCatalogue(lang) {
  for (;;) {
    try {
      const response = await fetch(new URL(`../words/${lang}.json`, import.meta.url), {
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      store.words.catalogues[lang] = await response.json();
      return;
    } catch {
      await pause(RETRY_MS);
    }
  }
}

/**
 * @param {number} ms
 * @returns {Promise<void>}
 */
function pause(ms) {
  return new Promise((resume) => setTimeout(resume, ms));
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
 * Switches the language, and translates the static elements. If the wanted language is not loaded
 * yet, the other one is used.
 *
 * @param {Lang} wanted
 */
export function setLanguage(wanted) {
  const language = [wanted, ...LANGS].find((lang) => lang in store.words.catalogues) ?? "en";
  Object.assign(store.words, { language, wanted });
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
