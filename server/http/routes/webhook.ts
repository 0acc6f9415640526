/** `POST /v0/data` and `POST /`: the body is the input, the document is the answer. */

import type { Engine } from '../../../engine/engine.js';
import type { Decided } from '../../../engine/evaluation/decide-options.js';
import { timers } from '../../../engine/evaluation/metrics.js';
import type { AppContext } from '../../control/app-context.js';
import { askDocument } from '../ask-document.js';
import { askedDecision, askingOf, logDecision, notesOf } from '../decisions.js';
import { passGate } from '../pass-gate.js';
import type { Exchange } from '../requests/exchange.js';
import { inputOfBody } from '../requests/input.js';
import { documentSegments, refText } from '../requests/path.js';
import { type Answer, textAnswer } from '../responses/answer.js';
import { ApiError } from '../responses/api-error.js';
import { bodyOf } from '../responses/envelope.js';

export async function postWebhook(exchange: Exchange, context: AppContext): Promise<Answer> {
  return await decide(exchange, context, () => documentSegments('/v0/data', exchange.path));
}

export function postDefaultDecision(exchange: Exchange, context: AppContext): Promise<Answer> {
  return decide(exchange, context, () => context.settings.defaultDecision);
}

async function decide(exchange: Exchange, context: AppContext, segmentsOf: () => readonly string[]): Promise<Answer> {
  const { engine, settings } = context;
  const input = await inputOfBody(exchange, settings);
  if (context.gate !== undefined) await passGate(exchange, context, segmentsOf(), input);
  const notes = notesOf(exchange, context);
  const document = askedDecision(exchange, context, notes, false, segmentsOf);
  const asking = askingOf(exchange, context, { path: document.text, segments: document.path, input, ...notes });
  const answer = (decided: Decided) => {
    const { value } = decided;
    notes.metrics?.since(timers.handler, exchange.started);
    if (value === undefined) {
      const error = undefinedDocument(engine, document.path);
      logDecision(exchange, asking, decided, { error: error.toJson() });
      return error;
    }
    logDecision(exchange, asking, decided);
    const body = bodyOf(value, { pretty: exchange.params.on('pretty'), hold: decided.hold, exchange });
    return typeof body === 'string' ? textAnswer(200, body) : body.then((bytes) => textAnswer(200, bytes));
  };
  const asked = { document, asking, options: document.options, why: undefined };
  const answered = await askDocument(exchange, context, asked, answer);
  if (answered instanceof ApiError) throw answered;
  return answered;
}

/** The error tells an undefined rule from a missing one. */
function undefinedDocument(engine: Engine, path: readonly string[]): ApiError {
  const what = engine.isVirtual(path) ? 'document undefined' : 'document missing';
  return new ApiError(404, 'undefined_document', `${what}: ${refText(path)}`);
}
