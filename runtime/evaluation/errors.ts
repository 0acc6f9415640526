import type { Place } from './place.js';

/** A rule or function that was being evaluated when an error came up, and the call in it that led on. */
export interface StackEntry extends Place {
  readonly name: string;
}

/** An evaluation that ended without an answer. Codes are the reference's: `eval_conflict_error`, `eval_builtin_error`, `eval_type_error`, `eval_cancel_error`, … */
export class EvaluationError extends Error {
  readonly code: string;
  /** The message without place and code. */
  readonly detail: string;
  readonly location: Place | undefined;
  /** Innermost first. */
  readonly rules: readonly StackEntry[];

  constructor(code: string, detail: string, location?: Place, rules: readonly StackEntry[] = [], options?: ErrorOptions) {
    super(location === undefined ? `${code}: ${detail}` : `${location.file}:${location.row}: ${code}: ${detail}`, options);
    this.name = 'EvaluationError';
    this.code = code;
    this.detail = detail;
    this.location = location;
    this.rules = rules;
  }
}

/** Thrown through an evaluation that needs an answer which is not there yet: `start` gets it, then the evaluation runs again. */
export class Suspension extends Error {
  readonly key: string;
  readonly start: (signal: AbortSignal) => Promise<unknown>;
  /** The built-in that waits, and the place of its call. */
  builtin = '';
  location: Place | undefined;
  rules: readonly StackEntry[] = [];

  constructor(key: string, start: (signal: AbortSignal) => Promise<unknown>) {
    super('the evaluation waits for an answer');
    this.key = key;
    this.start = start;
  }
}
