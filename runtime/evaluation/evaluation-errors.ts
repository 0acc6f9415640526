import type { StatementPlace } from './place.js';

/** The code of an evaluation that gave way to others, to be run again later. */
export const preemptedCode = 'eval_preempted_error';

/** The message of an evaluation that needs more memory than it may take. */
export const outOfMemory = 'query execution takes too much memory';

/** `policy.rego:3`, or `1:8` in a query. */
function placeText({ file, row, col }: StatementPlace): string {
  return file === '' ? `${row}:${col}` : `${file}:${row}`;
}

/** A rule or function on the stack when an error was thrown, and the place of its call. */
export interface StackEntry extends StatementPlace {
  readonly name: string;
  /** The address of the statement in the plan: `authz/allow/0.3.2`. Absent where no plan ran. */
  readonly address?: string;
}

/**
 * An evaluation that ended without a result. Codes are the reference's: `eval_conflict_error`,
 * `eval_builtin_error`, `eval_type_error`, `eval_cancel_error`, …
 */
export class EvaluationError extends Error {
  readonly code: string;
  /** The message without place and code. */
  readonly detail: string;
  readonly location: StatementPlace | undefined;
  /** Innermost first. */
  readonly rules: readonly StackEntry[];

  constructor(
    code: string,
    detail: string,
    location?: StatementPlace,
    rules: readonly StackEntry[] = [],
    options?: ErrorOptions,
  ) {
    super(`${location === undefined ? '' : `${placeText(location)}: `}${code}: ${detail}`, options);
    this.name = 'EvaluationError';
    this.code = code;
    this.detail = detail;
    this.location = location;
    this.rules = rules;
  }

  /** The address of the plan's statement that failed; undefined where there is none. */
  get address(): string | undefined {
    return this.rules[0]?.address;
  }
}

/**
 * Ends an attempt of an evaluation that needs an answer from outside: `start` fetches it, then the
 * evaluation runs again.
 */
export class Suspension extends Error {
  readonly key: string;
  readonly start: (signal: AbortSignal) => Promise<unknown>;
  /** The built-in that waits, and the place of its call. */
  builtin = '';
  location: StatementPlace | undefined;
  rules: readonly StackEntry[] = [];

  constructor(key: string, start: (signal: AbortSignal) => Promise<unknown>) {
    super('the evaluation waits for an answer');
    this.key = key;
    this.start = start;
  }
}

/** The error of an evaluation that has to wait and cannot. */
export function withoutWaiting(error: unknown): unknown {
  if (!(error instanceof Suspension)) return error;
  return new EvaluationError(
    'eval_wait_error',
    `${error.builtin} waits for its answer: decide with decideAsync`,
    error.location,
    error.rules,
  );
}
