/** Decisions explained by their rules: `explain=why`, and `why` in the decision log. */
import type { Decided, DecideOptions } from '../../engine/evaluation/decide-options.js';
import { type ExplainedDecision, type ExplainedOptions, explainDecision } from '../../engine/why/why-decision.js';
import type { Explanation } from '../../query/why/explanation.js';
import { explanationText } from '../../query/why/explanation-text.js';
import type { LoggedQuestion } from '../../services/decision-log/logged-question.js';
import { whySummary } from '../../services/decision-log/why-summary.js';
import type { PlainObject, Value } from '../../values/value.js';
import type { AppContext } from '../control/app-context.js';
import { type AskedDecision, failDecision, requestFields } from './decisions.js';
import type { Exchange } from './requests/exchange.js';
import type { Answer } from './responses/answer.js';
import { ApiError, invalidParameter } from './responses/api-error.js';

/**
 * An explanation is made between other requests. Where only the log wants it, a longer one is left
 * out; one that the answer shows has the rest of the request's time.
 */
const loggedMs = 50;

/** The longest chain of rules that a request may ask for. */
const mostDepth = 100;

/** How a request's decision is explained. */
export interface WhyRequest {
  /** Whether the answer shows the explanation, not only the log. */
  readonly isShown: boolean;
  readonly depth: number;
}

/** Undefined where nothing wants an explanation. Throws an ApiError for a malformed depth. */
export function whyRequest({ params, search }: Exchange, { plugins }: AppContext): WhyRequest | undefined {
  if (search !== '' && params.all('explain').includes('why'))
    return { isShown: true, depth: depthOf(params.get('depth')) };
  return plugins.decisionLog?.wantsWhy === true ? { isShown: false, depth: 0 } : undefined;
}

function depthOf(text: string | undefined): number {
  if (text === undefined) return 1;
  const depth = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(depth <= mostDepth)) throw invalidParameter(`depth must be a whole number of at most ${mostDepth}`);
  return depth;
}

/** How a decision is explained for a request. */
export function explainedOptions(
  exchange: Exchange,
  { plugins }: AppContext,
  { isShown, depth }: WhyRequest,
  path: string | undefined,
  options: DecideOptions,
): ExplainedOptions {
  const log = plugins.decisionLog;
  const event = log?.eventOf({ decisionId: '', path, ...requestFields(exchange) });
  const { leftMs } = exchange.deadline;
  const whyTimeMs = isShown ? leftMs : Math.min(loggedMs, leftMs);
  return { ...options, depth, whyTimeMs, event, maskDecision: log?.maskDecision };
}

interface ExplainedRequest {
  readonly why: WhyRequest;
  readonly asked: AskedDecision;
  readonly question: LoggedQuestion;
}

/** Decides, and answers with the explanation where the request wants it. */
export async function decideWithWhy(
  exchange: Exchange,
  context: AppContext,
  { why, asked: { decision, path, options = {} }, question }: ExplainedRequest,
  respond: (decided: Decided, question: LoggedQuestion, explanation: Value | undefined) => Answer | Promise<Answer>,
): Promise<Answer> {
  const { engine, plugins } = context;
  const log = plugins.decisionLog;
  const given = explainedOptions(exchange, context, why, question.path, options);
  const use = ({ value, error, bundles, revision, explanation }: ExplainedDecision): Answer | Promise<Answer> => {
    const logged = log?.wantsWhy === true ? { ...question, why: whySummary(explanation) } : question;
    const shown = why.isShown ? shownExplanation(exchange, explanation) : undefined;
    if (error !== undefined) failExplained(exchange, context, logged, error, shown);
    return respond({ value, bundles, revision, hold: () => engine.store.hold() }, logged, shown);
  };
  try {
    return await explainDecision(engine, { path, input: question.input }, given, use, {
      caller: exchange,
      prepared: decision,
    });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    return failDecision(exchange, context, question, error);
  }
}

/** With `pretty`, the lines of the text. */
function shownExplanation({ params }: Exchange, explanation: Explanation): Value {
  return params.on('pretty')
    ? explanationText(explanation).trimEnd().split('\n')
    : (explanation as unknown as PlainObject);
}

function failExplained(
  exchange: Exchange,
  context: AppContext,
  question: LoggedQuestion,
  error: Error,
  explanation: Value | undefined,
): never {
  try {
    return failDecision(exchange, context, question, error);
  } catch (thrown) {
    if (thrown instanceof ApiError) thrown.explanation = explanation;
    throw thrown;
  }
}
