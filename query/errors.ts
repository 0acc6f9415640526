/** Errors of an evaluation, with their places and the rules that led there. */

import type { VirtualDocument } from '../compiler/resolve/virtual-document.js';
import { locationOf, type Span } from '../compiler/source/location.js';
import { BuiltinError, HaltError } from '../runtime/builtins/errors.js';
import { EvaluationError, type StackEntry, Suspension } from '../runtime/evaluation/errors.js';
import { SizeError } from '../runtime/values/memory.js';
import { NumberRangeError } from '../runtime/values/numbers/number.js';
import { rangeComplaint } from '../runtime/values/numbers/range-errors.js';
import type { Frame } from './bindings.js';

/** Two values of a document that can have only one. */
export function conflict(detail: string, frame: Frame, at: Span): EvaluationError {
  frame.at = at;
  return located(new HaltError('eval_conflict_error', detail), frame) as EvaluationError;
}

const maxStack = 100;

/** The name of a rule; that of a query is empty. */
function nameOf(document: VirtualDocument | undefined): string {
  return document === undefined ? '' : ['data', ...document.path].join('.');
}

function stackOf(frame: Frame): StackEntry[] {
  const entries: StackEntry[] = [];
  for (let one: Frame | undefined = frame; one !== undefined && entries.length < maxStack; one = one.caller) {
    entries.push({ name: nameOf(one.document), ...locationOf(one.at) });
  }
  return entries;
}

/** An error with the place of the expression that a frame has come to. */
export function located(error: unknown, frame: Frame): unknown {
  if (error instanceof EvaluationError) return error;
  const rules = stackOf(frame);
  const location = locationOf(frame.at);
  if (error instanceof Suspension) return Object.assign(error, { location, rules });
  if (error instanceof BuiltinError || error instanceof HaltError)
    return new EvaluationError(error.code, error.message, location, rules, error.cause === undefined ? undefined : { cause: error.cause });
  if (error instanceof NumberRangeError) return new EvaluationError('eval_builtin_error', error.message, location, rules);
  if (error instanceof SizeError) return new EvaluationError('eval_cancel_error', error.message, location, rules);
  const complaint = rangeComplaint(error);
  return complaint === undefined ? error : new EvaluationError('eval_internal_error', complaint, location, rules);
}
