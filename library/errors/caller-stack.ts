/** Stacks of errors that a caller of the library can do something about. */

import { CompileErrors } from '../../compiler/index.js';
import { BundleError, PolicyError } from '../../engine/index.js';
import { EvaluationError } from '../../runtime/index.js';
import { EngineError } from './engine-error.js';

const ofCallers = [EngineError, EvaluationError, CompileErrors, BundleError, PolicyError];

/**
 * The error with the stack of whoever called the library: ten frames of the library's own would
 * leave out the caller's line. Faults of the library keep the frames that lead to them.
 */
export function atCaller(error: unknown): unknown {
  const isOfCaller =
    ofCallers.some((kind) => error instanceof kind) && (error as { code?: unknown }).code !== 'eval_internal_error';
  // Not every platform has it.
  if (isOfCaller) Error.captureStackTrace?.(error as Error, atCaller);
  return error;
}
