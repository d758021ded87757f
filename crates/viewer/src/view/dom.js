// Elements of the page. Whatever came from a journal is only ever shown as text.

export const byId = (id) => document.getElementById(id);

/** A new element with this class and these children, texts among them. */
export function element(kind, name, ...children) {
  const made = document.createElement(kind);
  if (name) made.className = name;
  made.append(...children);
  return made;
}

/** A new part of a picture. */
export function shape(kind, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Shows a text where another one stands. */
export function show(id, text) {
  const place = byId(id);
  if (place.textContent !== text) place.textContent = text;
}

/** Shows a text of the page's own, in which what is typed stands between backticks. */
export function phrase(place, text) {
  place.replaceChildren(...text.split("`").map((part, at) => (at % 2 ? element("code", "", part) : part)));
}

/** Sets what the style sheets call `--name`. */
export function style(target, name, value) {
  target.style.setProperty(`--${name}`, String(value));
}

/** The value that an element of data holds. */
export function parsed(id) {
  return JSON.parse(byId(id).textContent);
}
