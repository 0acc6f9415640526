/** Explains the answers of queries: `eval --why`. Loaded only for that. */
import type { Engine, ExplainedQuestion, Explanation, GivenAnswer, NotedAnswers } from '../../engine/index.js';
import { explainAnswer, MaskError, maskedPaths, unexplained, type WhyOptions } from '../../engine/index.js';
import type { PlainObject, Value } from '../../values/index.js';
import { loggedEvent } from '../recording/log-event.js';

export type ExplainedQuery = Extract<ExplainedQuestion, { readonly query: unknown }>;

interface AnsweredQuery {
  readonly question: ExplainedQuery;
  readonly input: Value | undefined;
  readonly answer: GivenAnswer;
}

/** From the engine's documents, without the values that its mask policy hides. */
export async function traceOfQuery(
  engine: Engine,
  { question, input, answer }: AnsweredQuery,
  limits: Pick<WhyOptions, 'depth' | 'valueSize'>,
  noted: NotedAnswers,
): Promise<Explanation> {
  const compiled = await engine.compiled();
  const data = engine.store.root;
  const { value } = answer;
  const event: PlainObject = {
    ...loggedEvent(question.text),
    ...(input !== undefined && { input }),
    ...(value !== undefined && { result: value }),
  };
  const masked = await maskedPaths(engine, compiled, data, event);
  if (masked instanceof MaskError) return unexplained(answer, 'mask', `the mask decision failed: ${masked.message}`);
  return await explainAnswer(
    compiled,
    { question, answer, documents: { input, data } },
    engine.context,
    { ...limits, masked },
    noted,
  );
}
