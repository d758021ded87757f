// Why a journal is not verified.

/** What was found first that is wrong. */
export class Fault extends Error {
  /**
   * @param {"INCOMPLETE" | "DAMAGED" | "DIVERGED" | "UNSUPPORTED"} verdict
   * @param {string} code  the code of the fault, such as `WJ202`
   * @param {number} [line]  its line, if that isn't the one where the record begins
   */
  constructor(verdict, code, line) {
    super(`${verdict} ${code}`);
    this.verdict = verdict;
    this.code = code;
    this.line = line;
  }
}

/** A name that only a newer program may write. */
export class UnknownName extends Error {
  /** @param {string} code  the code of the fault in a header whose chain doesn't prove the name */
  constructor(code = "WJ103") {
    super(code);
    this.code = code;
  }
}

/**
 * Throws a fault unless something holds.
 * @param {boolean} holds
 * @param {string} code
 * @param {"INCOMPLETE" | "DAMAGED" | "DIVERGED" | "UNSUPPORTED"} [verdict]
 * @param {number} [line]
 */
export function demand(holds, code, verdict = "DAMAGED", line = undefined) {
  if (!holds) throw new Fault(verdict, code, line);
}
