/** Decisions that are followed: their events, metrics and explanations. */

import type { ActiveBundle, ExplainedOptions, Explanation, LoggedQuestion, Metrics } from '../engine/index.js';
import type { EvaluationOptions } from '../runtime/index.js';
import type { PlainObject, Value } from '../values/index.js';
import type { AsyncDecisionOptions } from './decision-options.js';

/** A decision as events of a log name it: by its path, or by its query. */
export interface AskedDecision {
  readonly path?: string | undefined;
  /** The segments of the path. */
  readonly segments?: readonly string[] | undefined;
  readonly query?: string | undefined;
  /** See `DecisionFacts`. */
  readonly custom?: PlainObject | undefined;
}

/** One decision that is followed. */
export interface Follower {
  /** The options of its evaluation. */
  readonly options: EvaluationOptions;
  /** Undefined where the decision is not logged. */
  readonly metrics: Metrics | undefined;
  /** Called before documents can change. Returns the id under which the decision is logged. */
  succeeded(
    value: Value | undefined,
    bundles: readonly ActiveBundle[],
    explanation?: Explanation,
    filter?: Pick<LoggedQuestion, 'custom' | 'partial'>,
  ): string | undefined;
  failed(error: unknown): void;
  /** How the decision is explained for its event; undefined where it is not. */
  explaining(): ExplainedOptions | undefined;
}

/**
 * Makes a decision that is followed; `decide` gets undefined where nothing follows it.
 * @param options of the caller
 */
export type Follow = <Result>(
  asked: AskedDecision,
  input: Value | undefined,
  options: AsyncDecisionOptions,
  decide: (recording: Follower | undefined) => Result,
) => Result;
