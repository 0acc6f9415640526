/** `POST /v0/data` and `POST /`: the body is the input, the document is the answer. */

import { type Engine, timers } from '../../../engine/index.js';
import type { AppContext } from '../../control/app-context.js';
import { askedDecision, notesOfRequest } from '../decisions.js';
import { passGate } from '../pass-gate.js';
import { RequestAsking } from '../request-asking.js';
import type { Exchange } from '../requests/exchange.js';
import { inputOfBody } from '../requests/input.js';
import { documentSegments, refText } from '../requests/path.js';
import { bodyAnswer, type HttpAnswer } from '../responses/answer.js';
import { ApiError } from '../responses/api-error.js';
import { bodyOf } from '../responses/envelope.js';

export async function postWebhook(exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
  return await decide(exchange, context, () => documentSegments('/v0/data', exchange.path));
}

export function postDefaultDecision(exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
  return decide(exchange, context, () => context.settings.defaultDecision);
}

async function decide(
  exchange: Exchange,
  context: AppContext,
  segmentsOf: () => readonly string[],
): Promise<HttpAnswer> {
  const { engine, settings } = context;
  const input = await inputOfBody(exchange, settings);
  if (context.gate !== undefined) await passGate(exchange, context, segmentsOf(), input);
  const notes = notesOfRequest(exchange, context);
  const document = askedDecision(exchange, context, notes, false, segmentsOf);
  const asking = RequestAsking.about(exchange, context, document, { input, ...notes });
  const answered = await asking.document(document, document, (decided, explanation) => {
    const { value, hold } = decided;
    notes.metrics?.since(timers.handler, exchange.started);
    if (value === undefined) {
      const error = undefinedDocument(engine, document.path);
      asking.answered(decided, { error: error.toJson(), explanation });
      return error;
    }
    asking.answered(decided, { explanation });
    return bodyAnswer(bodyOf(value, { pretty: exchange.params.on('pretty'), hold, exchange }));
  });
  if (answered instanceof ApiError) throw answered;
  return answered;
}

/** The error tells an undefined rule from a missing one. */
function undefinedDocument(engine: Engine, path: readonly string[]): ApiError {
  const what = engine.isVirtual(path) ? 'document undefined' : 'document missing';
  return new ApiError(404, 'undefined_document', `${what}: ${refText(path)}`);
}
