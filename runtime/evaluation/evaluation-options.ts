import type { BuiltinError, BuiltinMetrics, Value } from '../../values/index.js';
import type { StatementPlace } from './place.js';

/** Limits of one evaluation. A field that is left out has its default. */
export interface Limits {
  /** Milliseconds; 0 or left out: no limit. */
  readonly timeMs?: number | undefined;
  /** Instructions, counted by calls and by rounds of loops; left out: no limit. */
  readonly instructions?: number | undefined;
  /** Calls inside calls; 10,000 if left out. */
  readonly callDepth?: number | undefined;
  /** Values in the result, members of collections included; left out: no limit. */
  readonly resultSize?: number | undefined;
  /** How much the heap may grow, as a share of its limit; left out: until it is nearly full. */
  readonly heapShare?: number | undefined;
  /** Ends the evaluation when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Whether it must end with an error of `preemptedCode`, to be run again later. */
  readonly isPreempted?: (() => boolean) | undefined;
}

export interface EvaluationOptions extends Limits {
  /** The first built-in error ends the evaluation; by default the call is undefined. */
  readonly strictBuiltinErrors?: boolean | undefined;
  /** The time that built-ins see, in nanoseconds since 1970; now if left out. */
  readonly timeNs?: bigint | undefined;
  /** A seed for `rand.intn` and UUIDs, so that an evaluation can be repeated. */
  readonly random?: (() => number) | undefined;
  /** Called with each line of `print`, and `file:row` of the call where it is known. */
  readonly onPrint?: ((line: string, place: string | undefined) => void) | undefined;
  readonly onTrace?: ((note: string) => void) | undefined;
  /**
   * Called before the evaluation runs again, with an answer that it waited for or on the VM: the
   * lines printed and traced so far are to be dropped.
   */
  readonly onRestart?: (() => void) | undefined;
  /** Called with each result of a non-deterministic built-in, once for the same operands. */
  readonly onNondeterministic?: ((builtin: string, operands: readonly Value[], value: Value) => void) | undefined;
  /** Called with each built-in error that became undefined, and the place of the call. */
  readonly onBuiltinError?: ((error: BuiltinError, builtin: string, place: StatementPlace) => void) | undefined;
}

/** The options of an evaluation whose built-ins are measured, or get recorded results. */
export interface MeasuredOptions extends EvaluationOptions {
  readonly metrics?: BuiltinMetrics | undefined;
  /**
   * Recorded results of non-deterministic built-ins, by `answerKey`: their calls get these, which
   * `onNondeterministic` is not told.
   */
  readonly known?: ReadonlyMap<string, Value | undefined> | undefined;
}

/** No limits. The one object that never changes: states of evaluations with it are ready again. */
export const noOptions: EvaluationOptions = Object.freeze({});
