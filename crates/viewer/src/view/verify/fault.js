// Errors that keep a journal from being verified.

/** Error for the first fault of a journal. */
export class Fault extends Error {
  /**
   * @param {"INCOMPLETE" | "DAMAGED" | "DIVERGED" | "UNSUPPORTED"} verdict
   * @param {string} code  code of the fault, such as `WJ202`
   * @param {number} [line]  line of the fault, unless it is the one where the record begins
   */
  constructor(verdict, code, line) {
    super(`${verdict} ${code}`);
    this.verdict = verdict;
    this.code = code;
    this.line = line;
  }
}

/** Error for a name that only a newer program could have written. */
export class UnknownName extends Error {
  /** @param {string} code  code of the fault if the chain of a header doesn't prove the name */
  constructor(code = "WJ103") {
    super(code);
    this.code = code;
  }
}

/**
 * Throws a fault unless a condition holds.
 * @param {boolean} holds
 * @param {string} code
 * @param {"INCOMPLETE" | "DAMAGED" | "DIVERGED" | "UNSUPPORTED"} [verdict]
 * @param {number} [line]
 */
export function ensure(holds, code, verdict = "DAMAGED", line = undefined) {
  if (!holds) throw new Fault(verdict, code, line);
}
