/** `POST /access/v1/evaluation` and `evaluations`: decisions of the AuthZEN API. */
import { randomUUID } from 'node:crypto';
import { type Decided, decideEach, type Explanation, timers } from '../../../../engine/index.js';
import { EvaluationError } from '../../../../runtime/index.js';
import type { PlainObject, Value } from '../../../../values/index.js';
import type { AppContext } from '../../../control/app-context.js';
import { type AccessAnswer, failedAnswer } from '../../../gateway/authzen/access-answer.js';
import { answerJson } from '../../../gateway/authzen/access-json.js';
import { mappedPath } from '../../../gateway/authzen/access-mapping.js';
import type {
  AccessEvaluation,
  AccessRequest,
  Evaluations,
  Semantic,
} from '../../../gateway/authzen/access-request.js';
import { AccessRequestError, accessRequestOf, evaluationsOf } from '../../../gateway/authzen/access-request.js';
import { withReasons } from '../../../gateway/authzen/reasons.js';
import { decideOptions, notesOfRequest } from '../../decisions.js';
import { whyRequest } from '../../explanations.js';
import { passGate } from '../../pass-gate.js';
import { RequestAsking } from '../../request-asking.js';
import { accessBody, checkedRequest } from '../../requests/access-body.js';
import type { Exchange } from '../../requests/exchange.js';
import { accessErrorText } from '../../responses/access-form.js';
import { type HttpAnswer, textAnswer } from '../../responses/answer.js';
import { ApiError, apiErrorOf } from '../../responses/api-error.js';
import { isOver } from '../batch.js';
import { accessDocument, accessValue, authzenOf } from './access-decision.js';

export async function postEvaluation(exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
  const body = await accessBody(exchange, context.settings);
  return await evaluate(exchange, context, body);
}

export async function postEvaluations(exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
  const body = await accessBody(exchange, context.settings);
  const evaluations = checkedRequest(() => evaluationsOf(body, context.settings.maxBatchInputs));
  if (evaluations === undefined) return await evaluate(exchange, context, body);
  const answers = await evaluateAll(exchange, context, evaluations);
  return textAnswer(200, `{"evaluations":[${answers.map(({ text }) => text).join(',')}]}\n`);
}

async function evaluate(exchange: Exchange, context: AppContext, body: PlainObject): Promise<HttpAnswer> {
  const request = checkedRequest(() => accessRequestOf(body));
  return textAnswer(200, `${(await decide(exchange, context, request)).text}\n`);
}

/** An answer as JSON: the value that it is made of may change once other work is done. */
interface AnswerText {
  readonly decision: boolean;
  readonly text: string;
}

/** One of several requests. */
interface BatchPart {
  readonly batchDecisionId: string | undefined;
  /** The evaluation as it was sent, without the defaults that all share. */
  readonly sent: Value;
}

/** Several requests, each as a decision of its own. */
async function evaluateAll(
  exchange: Exchange,
  context: AppContext,
  { semantic, evaluations }: Evaluations,
): Promise<readonly AnswerText[]> {
  const batchDecisionId = context.plugins.decisionLog === undefined ? undefined : randomUUID();
  const answers: AnswerText[] = [];
  const evaluate = async ({ request, sent }: AccessEvaluation) => {
    const answer = await answerOrFailure(exchange, context, request, { batchDecisionId, sent });
    exchange.take(answer.text.length);
    return answer;
  };
  if (semantic === 'execute_all')
    await decideEach(evaluations, async (one, i) => {
      answers[i] = await evaluate(one);
    });
  else
    for (const one of evaluations) {
      await decideEach([one], async () => void answers.push(await evaluate(one)));
      if (!answers.slice(-1).every((last) => goesOn(last, semantic))) break;
    }
  return answers;
}

function goesOn({ decision }: AnswerText, semantic: Semantic): boolean {
  return decision === (semantic === 'deny_on_first_deny');
}

/** Rejects with an error because of which the other decisions would fail as well. */
async function answerOrFailure(
  exchange: Exchange,
  context: AppContext,
  request: AccessRequest | AccessRequestError,
  part: BatchPart,
): Promise<AnswerText> {
  if (request instanceof AccessRequestError) return textOf(failedAnswer(400, request.message));
  try {
    return await decide(exchange, context, request, part);
  } catch (error) {
    const known = apiErrorOf(error);
    if (known.status !== 500) throw error;
    return textOf(failedAnswer(known.status, accessErrorText(known)));
  }
}

function textOf(answer: AccessAnswer): AnswerText {
  return { decision: answer.decision, text: answerJson(answer) };
}

/** Decides about a request, and logs the decision. Rejects with an ApiError. */
async function decide(
  exchange: Exchange,
  context: AppContext,
  request: AccessRequest,
  part?: BatchPart,
): Promise<AnswerText> {
  const document = accessDocument(context, mappedPath(authzenOf(context), request));
  const notes = notesOfRequest(exchange, context);
  if (context.gate !== undefined) await passGate(exchange, context, document.path, request);
  const isLate = isOver(exchange);
  // An undecided request costs little in the log too: thousands may share a large default.
  const input = isLate && part !== undefined ? part.sent : request;
  const { batchDecisionId } = part ?? {};
  const asking = RequestAsking.about(exchange, context, document, { input, ...notes, batchDecisionId });
  if (isLate) return asking.fail(new EvaluationError('eval_cancel_error', 'query execution timed out'));
  const why = authzenOf(context).reasons ? { depth: 1 } : whyRequest(exchange);
  const compiled = why !== undefined ? await context.engine.compiled() : undefined;
  const answer = (decided: Decided, explanation?: Explanation): AnswerText | ApiError => {
    notes.metrics?.since(timers.handler, exchange.started);
    const found = accessValue(context, document, decided.value);
    const error = found instanceof ApiError ? found.toJson() : undefined;
    asking.answered(decided, { error, explanation });
    if (found instanceof ApiError) return found;
    return textOf(
      compiled === undefined || explanation === undefined ? found : withReasons(found, explanation, compiled),
    );
  };
  const options = decideOptions(exchange, context, notes, false);
  const answered = await asking.document(document, { options, why }, answer);
  if (answered instanceof ApiError) throw answered;
  return answered;
}
