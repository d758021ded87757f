// The words of the page in both languages, with plurals and numbers as each writes them.

export const LANGS = ["en", "pl"];

const catalogues = {};
let lang = "en";

/** How long to wait before words that could not be fetched are asked for again. */
const RETRY_MS = 2_000;

/** Fetches both catalogues: switching the language later needs no network. */
export async function load() {
  await Promise.all(LANGS.map(fetched));
}

/** Fetches a catalogue, as often as it takes: without words a page helps nobody. */
async function fetched(name) {
  for (;;) {
    try {
      const answer = await fetch(`/words/${name}.json`);
      catalogues[name] = await answer.json();
      return;
    } catch {
      await new Promise((resume) => setTimeout(resume, RETRY_MS));
    }
  }
}

/** The best language for somebody who prefers these, the most wanted first. */
export function preferred(wanted) {
  const known = wanted.map((tag) => tag.toLowerCase().split("-")[0]);
  return known.find((name) => LANGS.includes(name)) ?? "en";
}

export function language() {
  return lang;
}

/** Speaks this language from now on, in the elements of `data-say` too. */
export function speak(name) {
  lang = name;
  document.documentElement.lang = name;
  for (const element of document.querySelectorAll("[data-say]")) {
    element.textContent = say(element.dataset.say);
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.dataset.label));
  }
  document.title = say("page-title");
  document.querySelector("meta[name=description]").content = say("page-about");
}

/** The words of a key; `values.n` chooses the plural form. */
export function say(key, values = {}) {
  const entry = catalogues[lang][key];
  const form = typeof entry === "string" ? entry : entry[plural(values.n)];
  return form.replace(/\{(\w+)\}/g, (_, name) => shown(values[name]));
}

/** A number as this language writes it, with a sign where it is a change. */
export function number(value, signed = false) {
  const signDisplay = signed ? "exceptZero" : "auto";
  return new Intl.NumberFormat(lang, { signDisplay }).format(value).replace("-", "−");
}

function plural(n) {
  return new Intl.PluralRules(lang).select(Math.abs(n));
}

function shown(value) {
  return typeof value === "number" ? number(value) : String(value);
}
