// The words of the page, with plurals and numbers as its language writes them.

import { parsed } from "./dom.js";

const words = parsed("words");
const lang = document.documentElement.lang;
const plurals = new Intl.PluralRules(lang);
const numbers = new Intl.NumberFormat(lang);

/** A number as this language writes it. */
export function number(value) {
  return numbers.format(value).replace("-", "−");
}

/** A number with its sign. */
export function change(value) {
  return value > 0 ? `+${number(value)}` : number(value);
}

/** The words of a key; `values.n` chooses the plural form. */
export function say(key, values = {}) {
  const entry = words[key];
  const form = typeof entry === "string" ? entry : entry[plurals.select(Math.abs(values.n))];
  return form.replace(/\{(\w+)\}/g, (_, name) => shown(values[name]));
}

function shown(value) {
  return typeof value === "number" ? number(value) : String(value);
}

/** Says what stands still on the page. */
export function label() {
  for (const part of document.querySelectorAll("[data-say]")) part.textContent = say(part.dataset.say);
  for (const part of document.querySelectorAll("[data-label]")) {
    part.setAttribute("aria-label", say(part.dataset.label));
    if (part.localName === "button") part.title = say(part.dataset.label);
  }
}
