/**
 * Evaluations that take long are repeated beside the others, on platforms with threads, so that
 * none keeps the others waiting.
 */

import type { EngineContext, HeldVersion, StatementPlace } from '../../runtime/index.js';
import type { BuiltinError, BuiltinMetrics, Value } from '../../values/index.js';
import type { KnownAnswers } from './awaited-answers.js';
import type { Caller } from './decide-options.js';
import type { EvaluationTarget } from './evaluate.js';

export interface LongEvaluation {
  readonly target: EvaluationTarget;
  readonly input: Value | undefined;
  /** The engine's. `runtime` and `allowNet` are sent; the thread has its own host and caches. */
  readonly context: EngineContext;
  /** Held until the thread has read and released them. Another version has other documents. */
  readonly documents: HeldVersion;
  /** Milliseconds that are left. */
  readonly timeMs: number;
  readonly strictBuiltinErrors: boolean;
  readonly onPrint?: ((line: string, place: string | undefined) => void) | undefined;
  /** See `EvaluationOptions` for these. */
  readonly instructions?: number | undefined;
  readonly callDepth?: number | undefined;
  readonly timeNs?: bigint | undefined;
  readonly onTrace?: ((note: string) => void) | undefined;
  readonly onBuiltinError?: ((error: BuiltinError, builtin: string, place: StatementPlace) => void) | undefined;
  readonly onNondeterministic?: ((builtin: string, operands: readonly Value[], value: Value) => void) | undefined;
  readonly metrics?: BuiltinMetrics | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly caller?: Omit<Caller, 'signal'> | undefined;
  /** Results recorded so far: no other server is asked twice. */
  readonly known?: KnownAnswers | undefined;
}

export interface LongEvaluations {
  /** Milliseconds that an evaluation may take before it is repeated elsewhere. */
  readonly sliceMs: number;
  /** Repeats an evaluation elsewhere. Answers its result set; rejects with an EvaluationError. */
  run(evaluation: LongEvaluation): Promise<readonly Value[]>;
}
