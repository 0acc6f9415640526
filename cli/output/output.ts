/** The output of a query: results, errors and reports. */
import type { ShownError, Warning } from '../../compiler/index.js';
import type { Explanation, PartialResult, QuerySolution, Trace } from '../../engine/index.js';
import type { PlainObject, Value } from '../../values/index.js';
import type { Coverage } from '../coverage/coverage.js';
import type { ExpressionProfile } from '../eval/profile.js';

export const formats = ['json', 'values', 'bindings', 'pretty', 'source', 'raw', 'discard'] as const;
export type OutputFormat = (typeof formats)[number];

export interface OutputError extends ShownError {
  /** Additional facts of a compiler stage: a parse error's line, a type error's expectations. */
  readonly details?: Value;
  /** The address of the plan's statement that failed. */
  readonly address?: string;
  /** Whether it is an error of a built-in that did not end the evaluation. */
  readonly isBuiltinError?: true;
}

export interface Output {
  /** The trace, with `--explain`. */
  readonly trace?: Trace;
  readonly errors: readonly OutputError[];
  readonly results: readonly QuerySolution[];
  readonly metrics?: PlainObject;
  readonly aggregatedMetrics?: PlainObject;
  readonly coverage?: Coverage;
  readonly profile?: readonly ExpressionProfile[];
  readonly aggregatedProfile?: readonly AggregatedProfile[];
  /** The residual of the query, in the place of results. */
  readonly partial?: PartialResult;
  /** The explanation of the answer. */
  readonly why?: Explanation;
  /** For a terminal: what an undefined answer may be due to. */
  readonly note?: string | undefined;
  /** Warnings about the query and the rules that it reads, where they are told. */
  readonly warnings?: readonly Warning[];
}

/** A profile line over several rounds. */
export interface AggregatedProfile extends Omit<ExpressionProfile, 'total_time_ns'> {
  readonly total_time_ns_stats: PlainObject;
}
