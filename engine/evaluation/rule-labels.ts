/** The labels (`# METADATA`) of the rules that hold in a decision. */
import type { Compiled } from '../../compiler/index.js';
import { AnswerRecord, type EngineContext, Evaluation, EvaluationError, Suspension } from '../../runtime/index.js';
import { inSlices, type PlainObject, type Steps, type Value } from '../../values/index.js';
import type { PathOrQuery } from '../paths/resolve.js';
import type { PolicySettings } from '../policies/next-policies.js';
import { partialSteps } from '../query/partial/partial.js';
import { programFor } from '../query/search-program.js';
import { LabelTracer } from '../query/trace/rule-labels.js';
import { traceQuery } from '../query/trace/trace.js';
import type { KnownAnswers } from './awaited-answers.js';
import { compiledQuery, type PartialQuery, partialOptionsOf } from './partial-query.js';
import { watched } from './sliced-evaluation.js';
import { compiledQuestion } from './trace-question.js';

export interface RuleLabelsOptions {
  /** Results of the decision's non-deterministic built-ins. */
  readonly known: KnownAnswers;
  readonly timeMs: number;
}

/** In a partial evaluation, rules whose residuals contribute count as rules that hold. */
export type LabelledQuestion = PathOrQuery | { readonly partial: PartialQuery };

/**
 * Evaluates the question once more, as its trace would. Undefined where that fails, takes too long,
 * or would have to ask another server. The documents must stay as they are meanwhile.
 */
export async function ruleLabelsOf(
  asked: LabelledQuestion,
  documents: { readonly input: Value | undefined; readonly data: Value },
  compiled: Compiled,
  { settings, context }: { readonly settings: PolicySettings; readonly context: EngineContext },
  { known, timeMs }: RuleLabelsOptions,
): Promise<readonly PlainObject[] | undefined> {
  const isPartial = 'partial' in asked;
  const query = isPartial
    ? await inSlices(compiledQuery(compiled, settings.language, asked.partial, {}))
    : await compiledQuestion(asked, compiled, settings);
  const program = await programFor(compiled, [query.body]);
  const evaluation = new Evaluation(context, { timeMs }, new AnswerRecord(known));
  const labels = new LabelTracer(compiled.annotations);
  try {
    const steps: Steps<unknown> = isPartial
      ? partialSteps(program, query, documents, evaluation, {
          ...partialOptionsOf(asked.partial, settings.language),
          tracer: labels,
        })
      : traceQuery(program, query.body, documents, evaluation, labels);
    await inSlices(watched(steps, evaluation.meter));
  } catch (error) {
    if (error instanceof EvaluationError || error instanceof Suspension) return undefined;
    throw error;
  }
  return labels.all;
}
