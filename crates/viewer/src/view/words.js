// The words of the page in every language, with plurals and numbers as each writes them.

import { value } from "./data.js";
import { phrase } from "./dom.js";

/** The language that the page was made in. */
export const OWN = document.documentElement.lang;

/** The words of every language. */
const known = {};

/** The language that is spoken, its words, and how it counts. */
const spoken = {};

/** Unpacks the words; nothing can be said before. */
export async function learn() {
  Object.assign(known, await value("words"));
  speak(OWN);
}

/** Chooses the language of all that is said from now on, if there are words of it. */
export function speak(lang) {
  if (!Object.hasOwn(known, lang)) return;
  document.documentElement.lang = lang;
  spoken.lang = lang;
  spoken.words = known[lang];
  spoken.plurals = new Intl.PluralRules(lang);
  spoken.numbers = new Intl.NumberFormat(lang);
}

/** The language that is spoken. */
export function language() {
  return spoken.lang;
}

/** Every language that there are words of, with its own name. */
export function languages() {
  return Object.entries(known).map(([lang, words]) => [lang, words["own-name"]]);
}

/** A number as this language writes it. */
export function number(value) {
  return spoken.numbers.format(value).replace("-", "−");
}

/** A number with its sign. */
export function change(value) {
  return value > 0 ? `+${number(value)}` : number(value);
}

/** The words of a key; `values.n` chooses the plural form. */
export function say(key, values = {}) {
  const entry = spoken.words[key];
  const form = typeof entry === "string" ? entry : entry[spoken.plurals.select(Math.abs(values.n))];
  return form.replace(/\{(\w+)\}/g, (_, name) => shown(values[name]));
}

function shown(value) {
  return typeof value === "number" ? number(value) : String(value);
}

/** Says what stands still on the page. */
export function label() {
  for (const part of document.querySelectorAll("[data-say]")) phrase(part, say(part.dataset.say));
  for (const part of document.querySelectorAll("[data-label]")) {
    part.setAttribute("aria-label", say(part.dataset.label));
    if (part.localName === "button") part.title = say(part.dataset.label);
  }
}
