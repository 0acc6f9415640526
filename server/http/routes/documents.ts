/** `PUT`, `PATCH` and `DELETE /v1/data`: base documents. */
import type { Change } from '../../../engine/change.js';
import { Metrics, timers } from '../../../engine/evaluation/metrics.js';
import { notFound } from '../../../runtime/store/path.js';
import type { DataOperation } from '../../../runtime/store/store.js';
import { maxDepth } from '../../../values/json/json-error.js';
import { unescapedSegment } from '../../../values/json/json-pointer.js';
import { inSlices, type Steps } from '../../../values/steps.js';
import { isArray, isObject, type PlainObject, type Value } from '../../../values/value.js';
import type { AppContext } from '../../control/app-context.js';
import { readBody } from '../requests/body.js';
import { firstJsonOf } from '../requests/document.js';
import type { Exchange } from '../requests/exchange.js';
import { memberOf } from '../requests/input.js';
import { percentDecoded } from '../requests/params.js';
import { segmentsAfter } from '../requests/path.js';
import { type Answer, noContent, textAnswer } from '../responses/answer.js';
import { invalidParameter, MalformedBody } from '../responses/api-error.js';
import { envelope } from '../responses/envelope.js';

export async function putDocument(exchange: Exchange, context: AppContext): Promise<Answer> {
  const metrics = new Metrics();
  const value = await bodyValue(exchange, context, metrics);
  const path = pathOf(exchange);
  const { engine } = context;
  const onlyNew = exchange.header('if-none-match') === '*';
  const change: Change = { data: [{ op: 'write', path, value, transferred: true }] };
  const report = await engine.commit(() => (onlyNew && engine.readData(path) !== undefined ? undefined : change), {
    metrics,
    until: exchange.deadline.until,
  });
  return report.done ? done(exchange, metrics) : { status: 304, body: null };
}

export async function patchDocument(exchange: Exchange, context: AppContext): Promise<Answer> {
  const metrics = new Metrics();
  const patch = await bodyValue(exchange, context, metrics);
  const operations = await inSlices(patchOperations(patch, pathOf(exchange), context.settings.maxPatchOperations));
  if (operations.length > 0) await context.engine.commit({ data: operations }, { metrics, until: exchange.deadline.until });
  return done(exchange, metrics);
}

export async function deleteDocument(exchange: Exchange, context: AppContext): Promise<Answer> {
  const metrics = new Metrics();
  await context.engine.commit({ data: [{ op: 'remove', path: pathOf(exchange) }] }, { metrics, until: exchange.deadline.until });
  return done(exchange, metrics);
}

/** Documents may have names that no query can use. */
function pathOf({ path }: Exchange): readonly string[] {
  return segmentsAfter('/v1/data', path);
}

/** With `metrics` the answer has a body, whose layout ignores `pretty`. */
function done(exchange: Exchange, metrics: Metrics): Answer {
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

/** The operations of a patch, whose paths begin with the request's. Throws an ApiError. */
function* patchOperations(patch: Value, root: readonly string[], most: number): Steps<readonly DataOperation[]> {
  if (patch === null) return [];
  if (!isArray(patch)) throw invalidParameter('a patch must be an array of operations');
  if (patch.length > most) throw invalidParameter(`patch has ${patch.length} operations; at most ${most} are allowed`);
  const operations: DataOperation[] = [];
  const base = root.map(unescapedSegment);
  for (const row of patch) {
    operations.push(operationOf(row, base));
    if (operations.length % operationsOfStep === 0) yield;
  }
  return operations;
}

/** The operations that one step reads. */
const operationsOfStep = 512;

function operationOf(row: Value, base: readonly string[]): DataOperation {
  if (row !== null && !isObject(row)) throw invalidParameter('a patch operation must be an object');
  const fields = (row ?? {}) as PlainObject;
  const op = text(fields, 'op');
  if (op !== 'add' && op !== 'replace' && op !== 'remove') throw invalidParameter(`bad patch operation: ${op}`);
  const path = [...base, ...patchPath(text(fields, 'path'))];
  return op === 'remove' ? { op, path } : { op, path, value: memberOf(fields, 'value') ?? null, transferred: true };
}

function text(fields: PlainObject, name: string): string {
  const value = memberOf(fields, name) ?? '';
  if (typeof value !== 'string') throw invalidParameter(`a patch operation's ${name} must be a string`);
  return value;
}

/**
 * The segments of a JSON pointer, with or without its first slash. As in the reference, percent
 * escapes are decoded first. Throws an ApiError.
 */
function patchPath(pointer: string): readonly string[] {
  const trimmed = withoutOuterSlashes(pointer);
  if (trimmed === '') return [];
  const segments = trimmed.split('/', maxDepth + 1);
  // No document nests deeper.
  if (segments.length > maxDepth) throw notFound();
  const decoded = segments.map(percentDecoded);
  if (decoded.includes(undefined)) throw invalidParameter(`bad patch path: ${pointer}`);
  return decoded.map((segment) => unescapedSegment(segment!));
}

/**
 * A regular expression would take quadratic time where other characters stand between many slashes.
 */
function withoutOuterSlashes(text: string): string {
  let start = 0;
  let end = text.length;
  while (text[start] === '/') start++;
  while (end > start && text[end - 1] === '/') end--;
  return text.slice(start, end);
}
