// The types of `cards.js`, for pages that are checked.

/** Draws a face-up card such as `Jc`; screen readers skip a card without a label. */
export function face(card: string, label?: string): SVGElement;

/** Draws a face-down card. */
export function back(label?: string): SVGElement;

/** Draws an empty place for a card. */
export function empty(label?: string): SVGElement;
