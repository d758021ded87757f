// What the page knows after a reload: who the player is, the language, and whether keys
// decide. A browser that keeps nothing forgets all of it.

const PERSON = "war-table";
const LANG = "war-lang";
const KEYS = "war-keys";
const SEEDS = "war-seeds";

/** The seeds of a browser that keeps nothing; they last as long as the page. */
let unkept = [];

/** `name`, `token`, `settled` and `given`, or `null` for somebody new. */
export function person() {
  try {
    const known = JSON.parse(read(PERSON));
    return known?.token ? known : null;
  } catch {
    return null;
  }
}

export function keep({ name, token, settled, given }) {
  write(PERSON, JSON.stringify({ name, token, settled, given }));
}

export function forget() {
  try {
    localStorage.removeItem(PERSON);
  } catch {
    // Nothing is kept, so nothing has to go.
  }
}

export function lang() {
  return read(LANG);
}

export function keepLang(name) {
  write(LANG, name);
}

/** Whether the keys decide, as they do until they are switched off. */
export function keys() {
  return read(KEYS) !== "off";
}

export function keepKeys(on) {
  write(KEYS, on ? "on" : "off");
}

/** The player's own seeds, the oldest first. */
export function seeds() {
  try {
    const kept = JSON.parse(read(SEEDS));
    return Array.isArray(kept) ? kept : unkept;
  } catch {
    return unkept;
  }
}

export function keepSeeds(seeds) {
  unkept = seeds;
  write(SEEDS, JSON.stringify(seeds));
}

function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The page works on; only a reload makes a new player.
  }
}
