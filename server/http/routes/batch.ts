/** `POST /v1/batch/data/{path}`: one document for several inputs. */

import { randomUUID } from 'node:crypto';
import type { AnswerNotes, Decided, Explanation } from '../../../engine/index.js';
import { decideEach, Metrics, timers } from '../../../engine/index.js';
import { EvaluationError } from '../../../runtime/index.js';
import { inSlices, type PlainObject, readJsonSteps, toJson, type Value } from '../../../values/index.js';
import type { AppContext } from '../../control/app-context.js';
import { askedDecision, decideOptions, notesOfRequest, shownMetrics, showsMetrics } from '../decisions.js';
import type { PreparedDocument } from '../prepared-decisions.js';
import { RequestAsking } from '../request-asking.js';
import { batchRequest, withCommonInput } from '../requests/batch-request.js';
import type { Exchange } from '../requests/exchange.js';
import { documentSegments } from '../requests/path.js';
import { type HttpAnswer, textAnswer } from '../responses/answer.js';
import { apiErrorOf, invalidParameter } from '../responses/api-error.js';
import { bodyOf, envelopeOf } from '../responses/envelope.js';
import { provenance } from '../responses/provenance.js';

/** A decision as JSON, in one of the two forms of a body. */
interface Response {
  readonly failed: boolean;
  readonly json: string | Uint8Array;
}

export async function postBatch(exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
  const metrics = showsMetrics(exchange) ? new Metrics() : undefined;
  const parsing = performance.now();
  const { inputs, common } = await batchRequest(exchange, context.settings);
  metrics?.since(timers.inputParse, parsing);
  const document = askedDecision(exchange, context, { metrics: undefined, answers: undefined }, true, () =>
    documentSegments('/v1/batch/data', exchange.path),
  );
  const batchId = context.plugins.decisionLog === undefined ? undefined : randomUUID();
  const batch: Batch = { exchange, context, document, batchId };
  const responses: Response[] = new Array(inputs.length);
  await decideEach(inputs, async ([, input], i) => {
    const response = isOver(exchange)
      ? failedResponse(askingAbout(batch, input), new EvaluationError('eval_cancel_error', 'query execution timed out'))
      : await withCommonInput(common, input, (merged) => decideOne(batch, askingAbout(batch, merged)));
    exchange.take(response.json.length);
    responses[i] = response;
  });
  metrics?.since(timers.handler, exchange.started);
  const failures = responses.filter(({ failed }) => failed).length;
  const status = failures === 0 ? 200 : failures === inputs.length ? 500 : 207;
  const keys = inputs.map(([key]) => key);
  const body = bodyOfAll(keys, responses, { batch_decision_id: batchId, metrics: metrics?.toJson() }, status === 207);
  return textAnswer(status, exchange.params.on('pretty') ? await indented(body, exchange, context) : body);
}

interface Batch {
  readonly exchange: Exchange;
  readonly context: AppContext;
  readonly document: PreparedDocument;
  readonly batchId: string | undefined;
}

function askingAbout({ exchange, context, document, batchId }: Batch, input: Value | undefined): RequestAsking {
  const notes = notesOfRequest(exchange, context);
  return RequestAsking.about(exchange, context, document, { input, ...notes, batchDecisionId: batchId });
}

async function decideOne({ exchange, context, document }: Batch, asking: RequestAsking): Promise<Response> {
  const { metrics, answers } = asking.question;
  const options = decideOptions(exchange, context, { metrics, answers }, true);
  const respond = (decided: Decided, explanation?: Explanation): Response | Promise<Response> => {
    const parts = {
      decision_id: asking.answered(decided, { explanation }),
      provenance: exchange.params.on('provenance') ? provenance(decided.bundles) : undefined,
      metrics: shownMetrics(exchange, metrics),
      result: decided.value,
    };
    const body = envelopeOf(parts, { pretty: false, hold: decided.hold, exchange });
    // A body ends with a newline.
    const responseOf = (json: string | Uint8Array): Response => ({
      failed: false,
      json: typeof json === 'string' ? json.slice(0, -1) : json.subarray(0, -1),
    });
    return typeof body === 'string' ? responseOf(body) : body.then(responseOf);
  };
  const refuse = (thrown: unknown, notes: AnswerNotes) => failedResponse(asking, thrown, notes);
  return await asking.document(document, { options }, respond, refuse);
}

/** Throws an error because of which the other decisions would fail as well: there is no memory. */
function failedResponse(asking: RequestAsking, thrown: unknown, notes?: AnswerNotes): Response {
  const error = apiErrorOf(thrown);
  const decision_id = asking.refused(thrown, notes, error);
  if (error.status !== 500) throw error;
  return { failed: true, json: toJson({ ...error.toJson(), ...(decision_id !== undefined && { decision_id }) }) };
}

/** Whether the request's time is over. Throws if the client has gone. */
export function isOver({ incoming, deadline }: Exchange): boolean {
  if (incoming?.socket.destroyed === true) throw invalidParameter('the client has gone');
  return performance.now() > deadline.until;
}

/** @param isMixed whether each response tells its status, as some have failed */
function bodyOfAll(
  keys: readonly string[],
  responses: readonly Response[],
  {
    batch_decision_id,
    metrics,
  }: { readonly batch_decision_id: string | undefined; readonly metrics: PlainObject | undefined },
  isMixed: boolean,
): string | Uint8Array {
  const parts: (string | Uint8Array)[] = [
    batch_decision_id === undefined ? '{' : `{"batch_decision_id":"${batch_decision_id}",`,
  ];
  if (metrics !== undefined) parts.push(`"metrics":${toJson(metrics)},`);
  parts.push('"responses":{');
  responses.forEach(({ failed, json }, i) => {
    parts.push(`${i === 0 ? '' : ','}${JSON.stringify(keys[i])}:`);
    if (!isMixed) {
      parts.push(json);
      return;
    }
    const isEmpty = json.length === '{}'.length;
    parts.push(
      `{"http_status_code":"${failed ? 500 : 200}"${isEmpty ? '' : ','}`,
      typeof json === 'string' ? json.slice(1) : json.subarray(1),
    );
  });
  parts.push('}}\n');
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

async function indented(
  body: string | Uint8Array,
  exchange: Exchange,
  { engine }: AppContext,
): Promise<string | Uint8Array> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const value = await inSlices(
    exchange.deadline.during(readJsonSteps(bytes, { take: exchange.take, whole: true }), 'writing timed out'),
  );
  return await bodyOf(value, { pretty: true, hold: () => engine.store.hold(), exchange });
}
