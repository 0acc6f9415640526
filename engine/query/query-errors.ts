/** Errors of an evaluation, with their places and the rules that led there. */

import { documentText, locationOf, type Span, type VirtualDocument } from '../../compiler/index.js';
import { EvaluationError, locate, maxStackEntries, type StackEntry } from '../../runtime/index.js';
import { HaltError } from '../../values/index.js';
import type { Frame } from './bindings.js';

/** Two values of a document that can have only one. */
export function queryConflict(detail: string, frame: Frame, at: Span): EvaluationError {
  frame.at = at;
  return locatedInQuery(new HaltError('eval_conflict_error', detail), frame) as EvaluationError;
}

/** The name of a rule; that of a query is empty. */
function nameOf(document: VirtualDocument | undefined): string {
  return document === undefined ? '' : documentText(document.path);
}

function stackOf(frame: Frame): StackEntry[] {
  const entries: StackEntry[] = [];
  for (let one: Frame | undefined = frame; one !== undefined && entries.length < maxStackEntries; one = one.caller) {
    entries.push({ name: nameOf(one.document), ...locationOf(one.at) });
  }
  return entries;
}

/** An error with the place of the expression that a frame has come to. */
export function locatedInQuery(error: unknown, frame: Frame): unknown {
  if (error instanceof EvaluationError) return error;
  return locate(error, locationOf(frame.at), stackOf(frame));
}
