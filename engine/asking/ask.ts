/** A question about a document or a query: decided, and explained where that is wanted. */

import type { EvaluationError } from '../../runtime/index.js';
import type { Engine } from '../engine.js';
import type { Caller, Decided, DecideOptions } from '../evaluation/decide-options.js';
import type { SourcesBeside } from '../policies/sources-of.js';
import type { Explanation } from '../query/why/explanation.js';
import type { Deciding, ExplainedOptions, ExplainedQuery } from '../why/why-decision.js';
import type { LoggedQuestion } from './logged-question.js';

/** A document, or a query of a command, that is asked for again and again. */
export interface AskedDocument {
  readonly engine: Engine;
  readonly prepared: Deciding;
  /** The query, where it is no document. */
  readonly query?: ExplainedQuery | undefined;
  /** The policies of bundles whose plans answer. */
  readonly beside?: SourcesBeside | undefined;
}

/** How a question is asked. */
export interface AskWays {
  readonly caller?: Caller | undefined;
  /** In the place of the options that the decision was prepared with. */
  readonly options?: DecideOptions | undefined;
  /** How the decision is explained; undefined where it is not. */
  readonly why?: ExplainedOptions | undefined;
  /** Makes the error that a decision with an explanation ends with. */
  readonly failed?: ((error: EvaluationError, explanation: Explanation) => Error) | undefined;
}

/**
 * Decides. The decision may share parts with documents that the next commit writes in place: `use`
 * gets it before that can happen. Rejects with an EvaluationError or CompileErrors.
 */
export function ask<T>(
  document: AskedDocument,
  question: Pick<LoggedQuestion, 'segments' | 'input'>,
  use: (decided: Decided, explanation?: Explanation) => T,
  ways: AskWays,
): Promise<T> {
  const { caller, options, why } = ways;
  if (why === undefined) return document.prepared.decide(question.input, use, caller, options);
  return explained(document, question, use, ways, why);
}

async function explained<T>(
  { engine, prepared, query, beside }: AskedDocument,
  { segments, input }: Pick<LoggedQuestion, 'segments' | 'input'>,
  use: (decided: Decided, explanation: Explanation) => T,
  { caller, options, failed }: AskWays,
  why: ExplainedOptions,
): Promise<T> {
  const { explainDecision } = await import('../why/why-decision.js');
  return await explainDecision(
    engine,
    query === undefined ? { path: segments!, input, prepared } : { query, input, prepared },
    { ...options, ...why },
    ({ value, error, bundles, revision, explanation }) => {
      if (error !== undefined) throw failed?.(error, explanation) ?? error;
      return use({ value, bundles, revision, hold: () => engine.store.hold() }, explanation);
    },
    { caller, beside },
  );
}
