/** `/v1/policies`: modules as text and as syntax trees. */

import { isUtf8 } from 'node:buffer';
import { CompileErrors, moduleToJsonSteps } from '../../../compiler/index.js';
import { type Engine, Metrics, type PolicyRecord, timers } from '../../../engine/index.js';
import { decodeUtf8, inSlices, type PlainObject, type Value } from '../../../values/index.js';
import type { AppContext } from '../../control/app-context.js';
import { isKnown, notModified, policyTag, tagOfAll } from '../etags.js';
import { readBody, textOfBody } from '../requests/body.js';
import type { Exchange } from '../requests/exchange.js';
import { segmentsAfter } from '../requests/path.js';
import { type HttpAnswer, textAnswer } from '../responses/answer.js';
import { ApiError, moduleErrors } from '../responses/api-error.js';
import { bodyOf, envelope } from '../responses/envelope.js';
import { requestConditions, writeOf, writeTo } from '../writes.js';

export async function listPolicies(exchange: Exchange, { engine }: AppContext): Promise<HttpAnswer> {
  exchange.saw(engine.version.revision);
  const records = engine.policies();
  const tag = tagOfAll(records.flatMap(({ id, raw }) => [id, raw]));
  if (isKnown(exchange, tag)) return notModified(tag);
  // All trees are requested at once, so they are of one version.
  const trees = await Promise.all(records.map((record) => shown(record, exchange, engine)));
  return { ...(await shownAnswer(trees, exchange)), headers: { etag: tag } };
}

export async function getPolicy(exchange: Exchange, { engine }: AppContext): Promise<HttpAnswer> {
  const id = idOf(exchange);
  const record = engine.policy(id);
  if (record === undefined)
    throw new ApiError(404, 'resource_not_found', `storage_not_found_error: policy id ${JSON.stringify(id)}`);
  exchange.saw(engine.version.revision);
  const tag = policyTag(record.raw);
  if (isKnown(exchange, tag)) return notModified(tag);
  return { ...(await shownAnswer(await shown(record, exchange, engine), exchange)), headers: { etag: tag } };
}

/**
 * Shorter policies are compiled also where the heap is nearly full: they may be what makes it
 * empty again.
 */
const longPolicy = 2 ** 18;

export async function putPolicy(exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
  const { settings } = context;
  const metrics = new Metrics();
  const reading = performance.now();
  const bytes = await readBody(exchange, settings.limits);
  metrics.since(timers.readBytes, reading);
  const id = idOf(exchange);
  const text = policyText(bytes);
  const { maxStatementTokens } = settings.limits;
  const options = { metrics, maxStatementTokens, checksHeap: text.length > longPolicy };
  const write = writeOf({ policies: new Map([[id, text]]) }, { policy: id }, requestConditions(exchange));
  try {
    const { done } = await writeTo(context, exchange, [write], options);
    return done ? changed(exchange, metrics) : { status: 304, body: null };
  } catch (error) {
    throw error instanceof CompileErrors ? moduleErrors(error) : error;
  }
}

export async function deletePolicy(exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
  const metrics = new Metrics();
  const id = idOf(exchange);
  const write = writeOf(
    { policies: new Map([[id, undefined]]) },
    { policy: id },
    { ifMatch: exchange.header('if-match') },
  );
  try {
    await writeTo(context, exchange, [write], { metrics });
  } catch (error) {
    throw error instanceof CompileErrors ? moduleErrors(error, 'invalid_operation') : error;
  }
  return changed(exchange, metrics);
}

/**
 * Keeps bytes that are no UTF-8, so that the parser refuses them: replacing them would change the
 * policy.
 */
function policyText(bytes: Uint8Array): string {
  const text = textOfBody(bytes);
  return isUtf8(bytes) ? text : decodeUtf8(bytes);
}

function changed({ params }: Exchange, metrics: Metrics): HttpAnswer {
  return textAnswer(
    200,
    envelope({ metrics: params.on('metrics') ? metrics.toJson() : undefined }, params.on('pretty')),
  );
}

function idOf({ path }: Exchange): string {
  return segmentsAfter('/v1/policies', path).join('/');
}

/** As in the reference, the tree is the compiled one. */
async function shown({ id, raw, module }: PolicyRecord, { deadline }: Exchange, engine: Engine): Promise<PlainObject> {
  const tree = (await engine.compiledModule(id)) ?? module;
  const ast = await inSlices(deadline.during(moduleToJsonSteps(tree), 'writing the answer timed out'));
  return { id, raw, ast: ast as Value };
}

async function shownAnswer(result: Value, exchange: Exchange): Promise<HttpAnswer> {
  return textAnswer(200, await bodyOf({ result }, { pretty: exchange.params.on('pretty'), exchange }));
}
