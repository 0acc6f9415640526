/** Explains an answer that has been given, from the policies' syntax trees. */
import type { Compiled } from '../../compiler/index.js';
import type { EngineContext, Evaluation, EvaluationOptions } from '../../runtime/index.js';
import { AnswerRecord, EvaluationError, wallClockNs } from '../../runtime/index.js';
import { NotedAnswers } from '../evaluation/noted-answers.js';
import { evaluateInSlices } from '../evaluation/sliced-evaluation.js';
import { knownDocuments } from '../policies/known-documents.js';
import { type ExplainLimits, type GivenAnswer, whyLimits } from '../query/why/explaining.js';
import type { Explanation } from '../query/why/explanation.js';
import { Secrets, shownValue } from '../query/why/shown-values.js';
import type { ExplainedDocuments, ExplainedQuestion, ExplainSettings } from '../query/why/why.js';
import { prepareExplanation } from '../query/why/why.js';
import { compareAnswers } from './second-answer.js';

/** How an explanation is made, beside the options of the evaluation. */
export interface WhyOptions {
  /** See `ExplainLimits`; by default `whyLimits`. */
  readonly depth?: number | undefined;
  readonly valueSize?: number | undefined;
  readonly rules?: number | undefined;
  /** The time that the explanation may take. Default: that of the decision. */
  readonly timeMs?: number | undefined;
  /** Masked paths of a decision log event: `['input', 'password']`. */
  readonly masked?: ExplainSettings['masked'] | undefined;
}

/** Options for a decision and its explanation: one time, and noted results. */
export function notedAnswers<Options extends EvaluationOptions>(options: Options): NotedAnswers<Options> {
  return new NotedAnswers({ ...options, timeNs: options.timeNs ?? wallClockNs() });
}

/** An answer that has been given. */
interface Answered {
  readonly question: ExplainedQuestion;
  readonly answer: GivenAnswer;
  /** The documents of the answer. */
  readonly documents: ExplainedDocuments;
}

/**
 * Never rejects for a limit that is reached: the answer stands without its explanation.
 * @param noted the options of the decision, and the results that it noted
 */
export async function explainAnswer(
  compiled: Compiled,
  { question, answer, documents }: Answered,
  context: EngineContext,
  { masked = [], depth, valueSize, rules, timeMs }: WhyOptions,
  { options, known }: NotedAnswers,
): Promise<Explanation> {
  const limits: ExplainLimits = {
    depth: depth ?? whyLimits.depth,
    valueSize: valueSize ?? whyLimits.valueSize,
    rules: rules ?? whyLimits.rules,
  };
  const explain = await prepareExplanation(compiled, question, answer, {
    limits,
    masked,
    known: knownDocuments(compiled),
  });
  const silent = { onPrint: undefined, onNondeterministic: undefined };
  const given: EvaluationOptions = { ...options, ...silent, ...(timeMs !== undefined && { timeMs }) };
  try {
    const begin = (evaluation: Evaluation) => explain(documents, evaluation);
    const { explanation, evaluated } = await evaluateInSlices(begin, context, given, new AnswerRecord(known));
    if (evaluated !== undefined) compareAnswers(explanation.question, answer, evaluated, context);
    return explanation;
  } catch (error) {
    if (!(error instanceof EvaluationError) || options.signal?.aborted) throw error;
    return unexplained(answer, 'limit', `the explanation ended with an error: ${error.detail}`);
  }
}

/** The explanation of an answer by a plan alone. */
export function withoutSource(name: string, answer: GivenAnswer): Explanation {
  const value = answer.value === undefined ? undefined : shownValue(answer.value, whyLimits.valueSize, noSecrets).text;
  const result =
    answer.error !== undefined ? `ends with an error: ${answer.error.detail}` : `is ${value ?? 'undefined'}`;
  return unexplained(
    answer,
    'source',
    `${name} ${result}; a plan answers it, and there is no policy source beside the plan to explain it with`,
  );
}

const noSecrets = new Secrets([], undefined);

/** Says why there is no explanation. */
export function unexplained(
  answer: GivenAnswer,
  missing: NonNullable<Explanation['missing']>,
  summary: string,
): Explanation {
  const outcome = answer.error !== undefined ? 'error' : answer.value === undefined ? 'undefined' : 'value';
  return { question: '', outcome, summary, missing, documents: [] };
}
