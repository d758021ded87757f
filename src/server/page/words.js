// The words of the page in both languages, with plurals and numbers as each writes them.

export const LANGS = ["en", "pl"];

/** How long to wait before words that could not be fetched are asked for again. */
const RETRY_MS = 2_000;
/** How long words may take before they are asked for again. */
const SLOW_MS = 15_000;
/** How long to wait for the wanted language while there is another one. */
const PATIENCE_MS = 2_500;

/** What was fetched, which language is spoken, and which was wanted. */
const words = { catalogues: {}, spoken: "en", wanted: "en" };

/**
 * Fetches both catalogues: switching the language later needs no network. It is done when there
 * are words to begin with, in the `wanted` language or after a while in any; `came` is called
 * when those come that were wanted and not there.
 */
export async function load(wanted, came) {
  const coming = new Map(LANGS.map((lang) => [lang, fetched(lang)]));
  for (const [lang, fetching] of coming) {
    fetching.then(() => lang === words.wanted && lang !== words.spoken && came(lang));
  }
  const any = pause(PATIENCE_MS).then(() => Promise.any(coming.values()));
  await Promise.race([coming.get(wanted), any]);
}

/** Fetches a catalogue, as often as it takes. */
async function fetched(lang) {
  for (;;) {
    try {
      const answer = await fetch(`/words/${lang}.json`, { signal: AbortSignal.timeout(SLOW_MS) });
      words.catalogues[lang] = await answer.json();
      return;
    } catch {
      await pause(RETRY_MS);
    }
  }
}

function pause(ms) {
  return new Promise((resume) => setTimeout(resume, ms));
}

/** The best language for somebody who prefers these, the most wanted first. */
export function preferred(wanted) {
  const known = wanted.map((tag) => tag.toLowerCase().split("-")[0]);
  return known.find((name) => LANGS.includes(name)) ?? "en";
}

export function language() {
  return words.spoken;
}

/**
 * Speaks this language from now on, in the elements of `data-say` too; while its words are not
 * there, another one.
 */
export function speak(wanted) {
  const spoken = [wanted, ...LANGS].find((lang) => lang in words.catalogues);
  Object.assign(words, { spoken, wanted });
  document.documentElement.lang = spoken;
  for (const element of document.querySelectorAll("[data-say]")) {
    element.textContent = say(element.dataset.say);
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.dataset.label));
  }
  document.querySelector("meta[name=description]").content = say("page-about");
}

/** The words of a key; `values.n` chooses the plural form. */
export function say(key, values = {}) {
  const entry = words.catalogues[words.spoken][key];
  const form = typeof entry === "string" ? entry : entry[plural(values.n)];
  return form.replace(/\{(\w+)\}/g, (_, name) => shown(values[name]));
}

/** A number as this language writes it, with a sign where it is a change. */
export function number(value, signed = false) {
  const signDisplay = signed ? "exceptZero" : "auto";
  return new Intl.NumberFormat(words.spoken, { signDisplay }).format(value).replace("-", "−");
}

function plural(n) {
  return new Intl.PluralRules(words.spoken).select(Math.abs(n));
}

function shown(value) {
  return typeof value === "number" ? number(value) : String(value);
}
