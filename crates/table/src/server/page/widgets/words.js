// The words of the page in both languages, with plurals and numbers as each writes them.

import { now } from "../state/store.js";

/** @import { Lang, Values, Word } from "../types.js" */

/** @type {Lang[]} */
export const LANGS = ["en", "pl"];

/** How long to wait before words that could not be fetched are asked for again. */
const RETRY_MS = 2_000;
/** How long words may take before they are asked for again. */
const SLOW_MS = 15_000;
/** How long to wait for the wanted language while there is another one. */
const PATIENCE_MS = 2_500;

/**
 * Fetches both catalogues: switching the language later needs no network. It is done when there
 * are words to begin with, in the `wanted` language or after a while in any; `came` is called
 * when those come that were wanted and not there.
 *
 * @param {Lang} wanted
 * @param {(lang: Lang) => void} came
 */
export async function load(wanted, came) {
  const coming = { en: fetched("en"), pl: fetched("pl") };
  for (const lang of LANGS) {
    coming[lang].then(() => lang === now.words.wanted && lang !== now.words.spoken && came(lang));
  }
  const any = pause(PATIENCE_MS).then(() => Promise.any(Object.values(coming)));
  await Promise.race([coming[wanted], any]);
}

/**
 * Fetches a catalogue, as often as it takes.
 *
 * @param {Lang} lang
 */
async function fetched(lang) {
  for (;;) {
    try {
      const answer = await fetch(new URL(`../words/${lang}.json`, import.meta.url), {
        signal: AbortSignal.timeout(SLOW_MS),
      });
      now.words.catalogues[lang] = await answer.json();
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
 * The best language for somebody who prefers these, the most wanted first.
 *
 * @param {readonly string[]} wanted
 */
export function preferred(wanted) {
  const known = wanted.map((tag) => tag.toLowerCase().split("-")[0]);
  const best = known.find((name) => LANGS.some((lang) => lang === name));
  return best === undefined ? "en" : /** @type {Lang} */ (best);
}

export function language() {
  return now.words.spoken;
}

/**
 * Speaks this language from now on, in the elements of `data-say` too; while its words are not
 * there, another one.
 *
 * @param {Lang} wanted
 */
export function speak(wanted) {
  const spoken = [wanted, ...LANGS].find((lang) => lang in now.words.catalogues) ?? "en";
  Object.assign(now.words, { spoken, wanted });
  document.documentElement.lang = spoken;
  for (const element of document.querySelectorAll("[data-say]")) {
    element.textContent = say(wordOf(element, "data-say"));
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(wordOf(element, "data-label")));
  }
  document.querySelector("meta[name=description]")?.setAttribute("content", say("page-about"));
}

/**
 * The key that an element names; a test of the page holds that there are words of it.
 *
 * @param {Element} element
 * @param {string} name
 */
function wordOf(element, name) {
  return /** @type {Word} */ (element.getAttribute(name));
}

/**
 * The words of a key; `values.n` chooses the plural form.
 *
 * @param {Word} key
 * @param {Values} values
 */
export function say(key, values = {}) {
  const entry = now.words.catalogues[now.words.spoken]?.[key] ?? "";
  const form = typeof entry === "string" ? entry : entry[plural(values.n ?? 0)];
  return form.replace(/\{(\w+)\}/g, (_, /** @type {string} */ name) => shown(values[name]));
}

/**
 * A number as this language writes it, with a sign where it is a change.
 *
 * @param {number} value
 */
export function number(value, signed = false) {
  const signDisplay = signed ? "exceptZero" : "auto";
  return new Intl.NumberFormat(now.words.spoken, { signDisplay }).format(value).replace("-", "−");
}

/** @param {number} n */
function plural(n) {
  return new Intl.PluralRules(now.words.spoken).select(Math.abs(n));
}

/** @param {string | number | undefined} value */
function shown(value) {
  return typeof value === "number" ? number(value) : String(value);
}
