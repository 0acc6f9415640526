/** Evaluations that take long are moved beside the others, where a platform can do so: none may keep the rest waiting. */
import type { BuiltinError } from '../../runtime/builtins/errors.js';
import type { EngineContext } from '../../runtime/evaluation/context.js';
import type { HeldVersion } from '../../runtime/store/store.js';
import type { Value } from '../../runtime/values/value.js';
import type { Caller } from './caller.js';
import type { KnownAnswers, Target } from './evaluate.js';

export interface LongEvaluation {
  readonly target: Target;
  readonly input: Value | undefined;
  /** The engine's: `runtime` and `allowNet` go along, the rest is the other side's own. */
  readonly context: EngineContext;
  /** Held until whoever runs it has read them, and releases them. Those of another version are others. */
  readonly documents: HeldVersion;
  /** Milliseconds that are left. */
  readonly timeMs: number;
  readonly strictBuiltinErrors: boolean;
  readonly onPrint?: ((line: string) => void) | undefined;
  /** See `EvaluationOptions` for these. */
  readonly instructions?: number | undefined;
  readonly callDepth?: number | undefined;
  readonly timeNs?: bigint | undefined;
  readonly onTrace?: ((note: string) => void) | undefined;
  readonly onBuiltinError?: ((error: BuiltinError, builtin: string) => void) | undefined;
  readonly onNondeterministic?: ((builtin: string, operands: readonly Value[], value: Value) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly caller?: Omit<Caller, 'signal'> | undefined;
  /** What was answered where it began: so nothing is asked of another server twice. */
  readonly known?: KnownAnswers | undefined;
}

export interface LongEvaluations {
  /** Milliseconds that an evaluation may take where it is asked for. */
  readonly sliceMs: number;
  /** Begins an evaluation anew elsewhere and answers its result set. Rejects with an EvaluationError. */
  run(evaluation: LongEvaluation): Promise<readonly Value[]>;
}
