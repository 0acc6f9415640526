/** Messages between a pool and its workers. Documents are JSON text, which keeps every digit. */
import type { CodegenMode, EvaluationError, StatementPlace } from '../../runtime/index.js';

/** The data that a thread is started with. */
export interface ThreadData {
  /** The id of the job that is to give way, by the pool; undefined if no memory is shared. */
  readonly preempted: Int32Array | undefined;
  /** The heap that it may fill. */
  readonly heapMegabytes: number;
}

export interface EvaluationJob {
  readonly id: number;
  /** Packed. Absent where the worker has had it under this number. */
  readonly program: Uint8Array | undefined;
  readonly programId: number;
  /** The names of the built-ins of a program that is sent. */
  readonly builtins: readonly string[] | undefined;
  readonly plan: number;
  readonly input: Uint8Array | undefined;
  /** Absent where the worker has the documents of this version. */
  readonly data: Uint8Array | undefined;
  readonly dataVersion: number;
  /** The runtime facts; absent if the worker has them from its last job. */
  readonly runtime: string | undefined;
  readonly codegen: CodegenMode;
  /** The hosts that may be talked to; undefined allows all. */
  readonly allowNet: readonly string[] | undefined;
  /** 0 is no limit. */
  readonly timeMs: number;
  readonly strictBuiltinErrors: boolean;
  readonly instructions: number | undefined;
  readonly callDepth: number | undefined;
  readonly timeNs: bigint | undefined;
  /** Recorded results of built-ins, by their keys in the record; absent if there are none. */
  readonly known: string | undefined;
  /** Whether the report is to have the results of non-deterministic built-ins. */
  readonly wantsAnswers: boolean;
  /** Whether results may be as JSON has them. */
  readonly wantsJson: boolean;
}

/** The line, and `file:row` of the call where it is known. */
export type PrintedLine = readonly [line: string, place: string | undefined];

export type EvaluationReport =
  /** It has given way. Its repetition is sent the results of built-ins recorded until then. */
  | {
      readonly id: number;
      readonly heapMegabytes: number;
      readonly preempted: string;
      readonly answers: string | undefined;
      readonly metrics: ReportedMetrics;
    }
  | EvaluationOutcome;

type EvaluationOutcome = {
  readonly id: number;
  /** The use of the worker's heap now. */
  readonly heapMegabytes: number;
  readonly printed: readonly PrintedLine[];
  readonly traced: readonly string[];
  /** Errors that made calls undefined. */
  readonly builtinErrors: readonly {
    readonly code: 'eval_type_error' | 'eval_builtin_error';
    readonly message: string;
    readonly builtin: string;
    readonly place: StatementPlace;
  }[];
  /** A list of calls: built-in, operands, value. */
  readonly answers: string | undefined;
  readonly metrics: ReportedMetrics;
} & ({ readonly results: Uint8Array } | { readonly error: ReportedError });

/** The metrics of built-ins: timers and counters by their names. */
type ReportedMetrics = readonly (readonly [name: string, value: number])[];

export interface ReportedError {
  readonly code: string;
  readonly detail: string;
  readonly location: { readonly file: string; readonly row: number; readonly col: number } | undefined;
  readonly rules: EvaluationError['rules'];
}

/** The programs that a worker keeps: the server counts on their number. */
export const keptByWorker = 50;

/** The argument with which a script is started to serve evaluations. */
export const workerArgument = '--serve-evaluations';
