// Shapes of pictures, and the sheet of those that pictures share.

const NAMESPACE = "http://www.w3.org/2000/svg";

/** A shape with these attributes, around others. */
export function shape(kind, attributes = {}, inner = []) {
  const made = document.createElementNS(NAMESPACE, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...inner);
  return made;
}

/** The shape of the sheet with this id, drawn here once more. */
export function again(id, attributes = {}) {
  return shape("use", { href: `#${id}`, ...attributes });
}

/** Shapes, and the same shapes upside down in the other half of a card. */
export function twice(shapes) {
  const turned = shapes.map((part) => part.cloneNode(true));
  return [...shapes, shape("g", { transform: "rotate(180 50 70)" }, turned)];
}

/** Keeps a shape under this id in the sheet of the page, made where it is not there yet. */
export function keep(id, make) {
  if (document.getElementById(id)) return id;
  const made = make();
  made.id = id;
  sheet().append(made);
  return id;
}

/** The sheet takes no room, and nothing reads it aloud. */
function sheet() {
  const known = document.getElementById("card-sheet");
  if (known) return known;
  const made = shape("svg", { id: "card-sheet", width: 0, height: 0, "aria-hidden": "true" });
  made.style.position = "absolute";
  document.body.append(made);
  return made;
}
