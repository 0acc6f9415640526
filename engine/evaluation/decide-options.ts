/** Options, caller and result of a decision. */
import type { EvaluationOptions, HeldVersion, MeasuredOptions } from '../../runtime/index.js';
import type { Value } from '../../values/index.js';
import type { ActiveBundle } from '../version.js';
import type { Metrics } from './metrics.js';

export interface DecideOptions extends EvaluationOptions, Pick<MeasuredOptions, 'known'> {
  /** Takes the timers, under the reference's names. */
  readonly metrics?: Metrics | undefined;
  /** Timers of compiler stages as well. */
  readonly instrument?: boolean;
  /** Whether `timeMs` is the time of planning too, where the decision is not planned yet. */
  readonly timeIncludesPlanning?: boolean;
}

export interface QueryOptions extends DecideOptions {
  /** Built-ins that the query itself may not call. */
  readonly unsafeBuiltins?: ReadonlySet<string>;
}

/** The client that waits for an answer. */
export interface Caller {
  /** Read only when an evaluation takes long. Aborting it ends the evaluation. */
  readonly signal: AbortSignal;
  /** Tells apart the clients that share threads: an address. */
  readonly client?: string;
  /**
   * Reserves the bytes of memory that results of a thread need; throws where there is not so
   * much.
   */
  readonly take?: (bytes: number) => void;
  /** Whether values may come in the form that JSON has: sets as sorted arrays. */
  readonly wantsJson?: boolean;
}

export interface Decided {
  /** Undefined where the document is. */
  readonly value: Value | undefined;
  /** The bundles that were active when it was decided. */
  readonly bundles: readonly ActiveBundle[];
  /** The revision of the log of writes at which it was decided. */
  readonly revision: number;
  /** Keeps the documents, with which the value may share parts, until the answer is released. */
  readonly hold: () => HeldVersion;
}

/** The same caller, for values of which parts are looked up: sets have no parts by position. */
export function exactly(caller: Caller | undefined): Caller | undefined {
  if (caller?.wantsJson !== true) return caller;
  return {
    get signal() {
      return caller.signal;
    },
    take: (bytes) => caller.take?.(bytes),
  };
}
