/** Formats errors of any kind for the commands. */

import { CompileErrors, type Diagnostic, shownDiagnostic } from '../../compiler/index.js';
import { BundleError } from '../../engine/index.js';
import { fileErrorText, LoadError } from '../../engine/node.js';
import { EvaluationError } from '../../runtime/index.js';
import type { Value } from '../../values/index.js';
import type { OutputError } from './output.js';

/** All errors from loading files. */
export class PolicyLoadError extends Error {
  readonly errors: readonly OutputError[];

  constructor(errors: readonly OutputError[]) {
    const lines = errors.map(({ text }) => text).join('\n');
    super(
      errors.length === 1
        ? `1 error occurred during loading: ${lines}`
        : `${errors.length} errors occurred during loading:\n${lines}`,
    );
    this.name = 'PolicyLoadError';
    this.errors = errors;
  }
}

const conflictAdvice =
  'rules of one name gave different values: let their conditions exclude each other, choose by `else`, or make a set by `contains`';

/** The elements of `errors` in a command's JSON. */
export function outputErrors(error: unknown): OutputError[] {
  if (error instanceof CompileErrors)
    return error.diagnostics.map((diagnostic) => diagnosticOutput(diagnostic, error.hint));
  if (error instanceof PolicyLoadError) return [...error.errors];
  if (error instanceof LoadError) return error.problems.map(({ message }) => ({ message, text: message }));
  return [outputError(error)];
}

/** The element of `errors` for an error that is no list of others, such as one of an evaluation. */
export function outputError(error: unknown): OutputError {
  const { code } = error as Error & { code?: unknown };
  const message = error instanceof EvaluationError ? error.message : fileErrorText(error);
  if (error instanceof EvaluationError) {
    const { code, detail, location, address } = error;
    const hint = code === 'eval_conflict_error' ? { text: conflictAdvice } : undefined;
    return {
      message: detail,
      code,
      text: message,
      ...(location && { location }),
      ...(address !== undefined && { address }),
      ...(hint && { hint }),
    };
  }
  const hasOwnCode =
    typeof code === 'string' &&
    !(error instanceof BundleError) &&
    (error as NodeJS.ErrnoException).syscall === undefined;
  return { message, text: message, ...(hasOwnCode && { code }) };
}

export function diagnosticOutput(diagnostic: Diagnostic, hint?: CompileErrors['hint']): OutputError {
  const { details } = diagnostic;
  return {
    ...shownDiagnostic(diagnostic, hint),
    ...(details !== undefined && { details: JSON.parse(JSON.stringify(details)) as Value }),
  };
}
