/** What a pool and its workers tell each other. Documents travel as JSON text, which keeps every digit. */
import type { EvaluationError } from '../../runtime/evaluation/errors.js';

export interface EvaluationJob {
  readonly id: number;
  /** Packed. Absent where the worker has had it under this number. */
  readonly program: Uint8Array | undefined;
  readonly programId: number;
  readonly plan: number;
  readonly input: Uint8Array | undefined;
  /** Absent where the worker has the documents of this version. */
  readonly data: Uint8Array | undefined;
  readonly dataVersion: number;
  /** What `opa.runtime` answers; absent where the worker has had it last. */
  readonly runtime: string | undefined;
  /** The hosts that may be talked to; undefined allows all. */
  readonly allowNet: readonly string[] | undefined;
  /** 0 is no limit. */
  readonly timeMs: number;
  readonly strictBuiltinErrors: boolean;
  readonly instructions: number | undefined;
  readonly callDepth: number | undefined;
  readonly timeNs: bigint | undefined;
  /** What built-ins were answered before, by their keys in the evaluation's record; absent where nothing was. */
  readonly known: string | undefined;
  /** Whether the report is to tell what built-ins answered that may answer otherwise next time. */
  readonly wantsAnswers: boolean;
  /** Whether results may be as JSON has them. */
  readonly wantsJson: boolean;
}

export type EvaluationReport =
  /** It has given way. What built-ins were answered until then goes along when it begins anew. */
  | {
      readonly id: number;
      readonly heapMegabytes: number;
      readonly preempted: string;
      readonly answers: string | undefined;
    }
  | EvaluationOutcome;

export type EvaluationOutcome = {
  readonly id: number;
  /** What the worker's heap holds now. */
  readonly heapMegabytes: number;
  readonly printed: readonly string[];
  readonly traced: readonly string[];
  /** Errors that made calls undefined. */
  readonly builtinErrors: readonly {
    readonly code: 'eval_type_error' | 'eval_builtin_error';
    readonly message: string;
    readonly builtin: string;
  }[];
  /** A list of calls: built-in, operands, value. */
  readonly answers: string | undefined;
} & ({ readonly results: Uint8Array } | { readonly error: ReportedError });

export interface ReportedError {
  readonly code: string;
  readonly detail: string;
  readonly location: { readonly file: string; readonly row: number; readonly col: number } | undefined;
  readonly rules: EvaluationError['rules'];
}

/** So many programs a worker keeps: the server counts on it. */
export const keptByWorker = 50;

/** What a script is started with to serve evaluations. */
export const workerArgument = '--serve-evaluations';
