/** Options of a decision. */
import type { EvaluationOptions } from '../../runtime/evaluation/options.js';
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
   * end it wherever it is. Documents are copied there once for each version of them, input and
   * result for each decision. Default: false.
   */
  readonly thread?: boolean | undefined;
}

/** By name, the type that a value must have. A number is a limit, and none is negative. */
const types: Readonly<Record<keyof AsyncDecisionOptions, 'number' | 'boolean' | 'function' | 'object' | 'bigint'>> = {
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

/**
 * Throws an EngineError for an option that there is not, or a value that it cannot have: a limit
 * that is written wrong must not be none.
 */
export function checkDecisionOptions(options: AsyncDecisionOptions): void {
  if (typeof options !== 'object' || options === null) throw new EngineError('invalid_option', 'options are no object');
  for (const name in options) {
    const value: unknown = options[name as keyof AsyncDecisionOptions];
    const type = Object.hasOwn(types, name) ? types[name as keyof AsyncDecisionOptions] : undefined;
    if (type === undefined)
      throw new EngineError('invalid_option', `there is no option ${name}; options are ${Object.keys(types).join(', ')}`);
    if (value === undefined) continue;
    const fits = typeof value === type && value !== null && (type !== 'number' || (value as number) >= 0);
    if (!fits) throw new EngineError('invalid_option', `option ${name} must be a ${type}, not ${String(value)}`);
  }
}
