/**
 * Where the language needs more than one token to decide, the lexer has looked ahead already (at
 * the content of a pair of brackets), or one reading is tried. If that fails, the other one is
 * taken, and the failure is remembered, so that nesting does not multiply the work.
 */

import { ParseFailure } from './failure.js';
import type { Parser } from './rules.js';

/** Kinds of attempts, to remember which failed at which token. */
export const Attempt = { comprehension: 0, literalAfterIf: 1, pair: 2, operand: 3, group: 4, some: 5 } as const;

const anyFailure = (): boolean => true;

/**
 * Reads with a function; if that returns undefined, or fails in a way that `mayFail` accepts, the
 * parser stands where it stood and the result is undefined. The function calls subrules and
 * consumes; lookahead (`OPTION`, `MANY`, `OR`) is for rules only.
 */
export function attempt<T>(
  $: Parser,
  kind: (typeof Attempt)[keyof typeof Attempt],
  read: () => T | undefined,
  mayFail: (failure: ParseFailure) => boolean = anyFailure,
): T | undefined {
  const start = $.position;
  const key = start * 8 + kind;
  if ($.failedAttempts.has(key)) return undefined;
  const { problems, recovered, wildcards, nesting } = $;
  let result: T | undefined;
  $.problems = [];
  try {
    result = $.ACTION(read);
  } catch (error) {
    if (!(error instanceof ParseFailure) || !mayFail(error)) throw error;
  }
  if (result === undefined) {
    $.moveTo(start);
    $.problems = problems;
    $.recovered = recovered;
    $.wildcards = wildcards;
    $.nesting = nesting;
    $.failedAttempts.add(key);
    return undefined;
  }
  $.problems = problems.length === 0 ? $.problems : [...problems, ...$.problems];
  return result;
}
