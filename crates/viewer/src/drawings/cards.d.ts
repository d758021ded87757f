// The types of `cards.js`, for pages that are checked.

/** A card such as `Jc`, face up; a screen reader passes over one without a label. */
export function face(card: string, label?: string): SVGElement;

/** A card, face down. */
export function back(label?: string): SVGElement;

/** A place where no card lies. */
export function empty(label?: string): SVGElement;
