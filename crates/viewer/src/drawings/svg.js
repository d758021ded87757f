// SVG shapes, and the sheet of shapes that pictures share.

const NAMESPACE = "http://www.w3.org/2000/svg";

/** Creates an SVG element with these attributes and children. */
export function createSvg(kind, attributes = {}, inner = []) {
  const made = document.createElementNS(NAMESPACE, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...inner);
  return made;
}

/** Draws the shared shape with this id. */
export function useShape(id, attributes = {}) {
  return createSvg("use", { href: `#${id}`, ...attributes });
}

/** Returns the shapes with a copy rotated by 180° into the other half of the card. */
export function mirror(shapes) {
  const turned = shapes.map((part) => part.cloneNode(true));
  return [...shapes, createSvg("g", { transform: "rotate(180 50 70)" }, turned)];
}

/** Adds a shape with this id to the page's sheet, unless it is there already. */
export function defineShape(id, make) {
  if (document.getElementById(id)) return id;
  const made = make();
  made.id = id;
  sharedSheet().append(made);
  return id;
}

/** Returns the sheet, which is invisible, also to screen readers. */
function sharedSheet() {
  const known = document.getElementById("card-sheet");
  if (known) return known;
  const made = createSvg("svg", { id: "card-sheet", width: 0, height: 0, "aria-hidden": "true" });
  made.style.position = "absolute";
  document.body.append(made);
  return made;
}
