/** Why a policy is no filter. */

import { type Location, locationOf, nowhere, type Span } from '../../../compiler/index.js';

/** One expression that a target cannot express. */
export interface FilterProblem {
  readonly code: 'pe_fragment_error' | 'invalid_unknown' | 'invalid_masks';
  readonly message: string;
  readonly location?: Location;
  /** Advice to the author. */
  readonly details?: string;
}

/** A policy was not translated; `problems` says why, at least one. */
export class FilterError extends Error {
  readonly problems: readonly FilterProblem[];

  constructor(problems: readonly FilterProblem[]) {
    super(problems.map(describe).join('\n'));
    this.name = 'FilterError';
    this.problems = problems;
  }
}

function describe({ message, location, details }: FilterProblem): string {
  const place = location === undefined ? '' : `${location.file}:${location.row}:${location.col}: `;
  return `${place}${message}${details === undefined ? '' : ` (${details})`}`;
}

/** A problem of an expression. Expressions that evaluation made have no place in a file. */
export function problem(message: string, loc: Span, details?: string): FilterProblem {
  return {
    code: 'pe_fragment_error',
    message,
    ...(loc.file !== '' && { location: locationOf(loc) }),
    ...(details !== undefined && { details }),
  };
}

/** A name that a target cannot have. */
export function refusedName(message: string): FilterError {
  return new FilterError([problem(message, nowhere)]);
}
