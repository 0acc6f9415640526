/** How a parse fails. */

import type { Diagnostic } from '../../diagnostics/diagnostics.js';
import type { Token } from '../tokens.js';

/** Operators in one chain, calls in one ref. */
export const maxChain = 7000;

/** `else` branches of a rule. */
export const maxBranches = 10_000;

/** The maximum number of complaints: locating one takes time proportional to its line. */
export const maxProblems = 200;

/** A statement that cannot be read. Not an `Error`: attempts throw many, and no stack is read. */
export class ParseFailure {
  /**
   * Makes the complaints: locating one takes the time of its line, and most attempts' are dropped.
   */
  readonly diagnostics: () => readonly Diagnostic[];
  /** The next token at the failure. */
  readonly token: Token;

  constructor(diagnostics: () => readonly Diagnostic[], token: Token) {
    this.diagnostics = diagnostics;
    this.token = token;
  }
}
