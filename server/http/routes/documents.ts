/** `PUT`, `PATCH` and `DELETE /v1/data`: base documents. */
import { Metrics, timers } from '../../../engine/index.js';
import { inSlices, type Value } from '../../../values/index.js';
import type { AppContext } from '../../control/app-context.js';
import { readBody } from '../requests/body.js';
import { firstJsonOf } from '../requests/document.js';
import type { Exchange } from '../requests/exchange.js';
import { patchOperations } from '../requests/patch.js';
import { segmentsAfter } from '../requests/path.js';
import { type HttpAnswer, noContent, textAnswer } from '../responses/answer.js';
import { invalidParameter, MalformedBody } from '../responses/api-error.js';
import { envelope } from '../responses/envelope.js';
import { requestConditions, writeOf, writeTo } from '../writes.js';

export async function putDocument(exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
  const metrics = new Metrics();
  const value = await bodyValue(exchange, context, metrics);
  const path = pathOf(exchange);
  const write = writeOf(
    { data: [{ op: 'write', path, value, transferred: true }] },
    { path },
    requestConditions(exchange),
  );
  const report = await writeTo(context, exchange, [write], { metrics });
  return report.done ? done(exchange, metrics) : { status: 304, body: null };
}

export async function patchDocument(exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
  const metrics = new Metrics();
  const patch = await bodyValue(exchange, context, metrics);
  const path = pathOf(exchange);
  const data = await inSlices(patchOperations(patch, path, context.settings.maxPatchOperations));
  if (data.length > 0) {
    const { ifMatch } = requestConditions(exchange);
    await writeTo(context, exchange, [writeOf({ data }, { path }, { ifMatch })], { metrics });
  }
  return done(exchange, metrics);
}

export async function deleteDocument(exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
  const metrics = new Metrics();
  const path = pathOf(exchange);
  const { ifMatch } = requestConditions(exchange);
  await writeTo(context, exchange, [writeOf({ data: [{ op: 'remove', path }] }, { path }, { ifMatch })], { metrics });
  return done(exchange, metrics);
}

/** Documents may have names that no query can use. */
function pathOf({ path }: Exchange): readonly string[] {
  return segmentsAfter('/v1/data', path);
}

/** With `metrics` the answer has a body, whose layout ignores `pretty`. */
function done(exchange: Exchange, metrics: Metrics): HttpAnswer {
  if (!exchange.params.on('metrics')) return noContent;
  metrics.since(timers.handler, exchange.started);
  return textAnswer(200, envelope({ metrics: metrics.toJson() }, false));
}

async function bodyValue(exchange: Exchange, { settings }: AppContext, metrics: Metrics): Promise<Value> {
  await readBody(exchange, settings.limits);
  const parsing = performance.now();
  try {
    const value = await firstJsonOf(exchange, settings.limits);
    metrics.since(timers.inputParse, parsing);
    return value;
  } catch (error) {
    if (error instanceof MalformedBody) throw invalidParameter(error.message);
    throw error;
  }
}
