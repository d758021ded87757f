// Elements of the page. Everything from a journal is shown as plain text only.

export const byId = (id) => document.getElementById(id);

/** Creates an element with this class and these children, which may be texts. */
export function createElement(kind, name, ...children) {
  const made = document.createElement(kind);
  if (name) made.className = name;
  made.append(...children);
  return made;
}

/** Creates an SVG element. */
export function createSvg(kind, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Replaces the text of an element. */
export function setText(id, text) {
  const place = byId(id);
  if (place.textContent !== text) place.textContent = text;
}

/** Shows a message in which backticks mark code. */
export function setMessage(place, text) {
  place.replaceChildren(
    ...text.split("`").map((part, at) => (at % 2 ? createElement("code", "", part) : part)),
  );
}

/** Sets the style property `--name`. */
export function setStyleProperty(target, name, value) {
  target.style.setProperty(`--${name}`, String(value));
}

/** Parses the JSON value of a data element. */
export function parseJson(id) {
  return JSON.parse(byId(id).textContent);
}
