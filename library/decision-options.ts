/** Options of a decision. */

import { checkOptionTypes, type OptionTypes } from '../runtime/evaluation/option-types.js';
import type { EvaluationOptions } from '../runtime/evaluation/options.js';
import { EngineError } from './engine-error.js';

export interface DecisionOptions extends EvaluationOptions {
  /**
   * Whether a path at which no rule, entrypoint or document is, is an error. Default: as the engine
   * was opened.
   */
  readonly strict?: boolean | undefined;
}

export interface AsyncDecisionOptions extends DecisionOptions {
  /**
   * Evaluates in a thread of the engine's: the event loop stays free, and `signal` and `timeMs`
   * end it at any point. Documents are copied there once for each version of them, input and
   * result for each decision. Default: false.
   */
  readonly thread?: boolean | undefined;
}

const types: OptionTypes<AsyncDecisionOptions> = {
  timeMs: 'number',
  instructions: 'number',
  callDepth: 'number',
  resultSize: 'number',
  heapShare: 'number',
  signal: 'object',
  strictBuiltinErrors: 'boolean',
  strict: 'boolean',
  thread: 'boolean',
  timeNs: 'bigint',
  random: 'function',
  onPrint: 'function',
  onTrace: 'function',
  onRestart: 'function',
  onNondeterministic: 'function',
  onBuiltinError: 'function',
  isPreempted: 'function',
};

/** Throws an EngineError for an unknown option, or a value of a wrong type. */
export function checkDecisionOptions(options: AsyncDecisionOptions): void {
  checkOptionTypes(options, types, refused);
}

function refused(message: string): EngineError {
  return new EngineError('invalid_option', message);
}
