// Elements of the page. Text from people is only ever inserted as text, never as markup.

/**
 * Returns the element with this id and type.
 *
 * @overload
 * @param {string} id
 * @returns {HTMLElement}
 */
/**
 * @template {HTMLElement} E
 * @overload
 * @param {string} id
 * @param {new () => E} type
 * @returns {E}
 */
/**
 * @param {string} id
 * @param {new () => HTMLElement} type
 */
export function byId(id, type = HTMLElement) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`there is no \`${id}\` of this kind`);
  return found;
}

/**
 * Returns the elements of a type that match a selector.
 *
 * @template {Element} E
 * @param {string} selector
 * @param {new () => E} type
 * @returns {E[]}
 */
export function all(selector, type) {
  const found = Array.from(document.querySelectorAll(selector));
  return found.filter(/** @returns {element is E} */ (element) => element instanceof type);
}

/**
 * Returns true if these values differ from the last ones of this element. An element with the same
 * values is not rendered again, so that it keeps the keyboard's focus, and screen readers read it
 * once.
 *
 * @param {HTMLElement} element
 * @param {...unknown} values
 */
export function hasChanged(element, ...values) {
  const shown = JSON.stringify(values);
  if (element.dataset.shown === shown) return false;
  element.dataset.shown = shown;
  return true;
}

/**
 * Creates an element with a text.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} text
 */
export function createElement(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

/**
 * Creates an SVG element with attributes.
 *
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 */
export function createSvg(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}
