/** What may stand beside an engine: it changes the engine, and follows its decisions. */

import type { LoggedQuestion } from '../../engine/asking/logged-question.js';
import type { Engine } from '../../engine/engine.js';
import type { SourcesBeside } from '../../engine/policies/sources-of.js';
import type { Prepared } from '../../engine/prepared.js';
import type { ActiveBundle } from '../../engine/version.js';
import type { ExplainedOptions } from '../../engine/why/why-decision.js';
import type { Explanation } from '../../query/why/explanation.js';
import type { EvaluationOptions } from '../../runtime/evaluation/evaluation-options.js';
import type { PlainObject, Value } from '../../values/value.js';
import type { AsyncDecisionOptions } from '../decision-options.js';
import type { InputCheck } from '../input/input-check.js';
import type { DecidingLibrary, LibraryDecision } from '../prepared-decision.js';

/** A decision as events of a log name it: by its path, or by its query. */
export interface AskedDecision {
  readonly path?: string | undefined;
  /** The segments of the path. */
  readonly segments?: readonly string[] | undefined;
  readonly query?: string | undefined;
  /** See `DecisionRecord`. */
  readonly custom?: PlainObject | undefined;
}

/** The parts of a prepared decision. */
export interface DecisionParts {
  readonly library: DecidingLibrary;
  readonly prepared: Prepared;
  /** As the caller wrote it; undefined for a query. */
  readonly path: string | undefined;
  readonly asked: AskedDecision;
  readonly check: InputCheck;
  readonly options: AsyncDecisionOptions;
  /** The policies of bundles whose plans answer. */
  readonly beside: SourcesBeside;
}

/** One decision that is followed. */
export interface Recording {
  /** The options of its evaluation. */
  readonly options: EvaluationOptions;
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

export interface Attachment {
  /** Gets the engine once it has its sources. */
  attach(engine: Engine): void;
  /** A decision that is followed, made by somebody else. Undefined where nothing follows it. */
  begin(asked: AskedDecision, input: Value | undefined, options: AsyncDecisionOptions): Recording | undefined;
  newDecision<Result>(parts: DecisionParts): LibraryDecision<Result>;
  /**
   * Makes a decision that is followed; `decide` gets undefined where nothing follows it.
   * @param options of the caller
   */
  follow<Result>(
    asked: AskedDecision,
    input: Value | undefined,
    options: AsyncDecisionOptions,
    decide: (recording: Recording | undefined) => Result,
  ): Result;
  /** Ends all that it does, and resolves when it has. */
  close(): Promise<void>;
}
