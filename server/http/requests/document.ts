/**
 * Documents in the bodies of requests: JSON or YAML. Long ones are read in steps or in a thread.
 */
import { isUtf8 } from 'node:buffer';
import type { ChoreReport } from '../../../engine/index.js';
import { ChoreError, type SideThread } from '../../../engine/node.js';
import type { Value } from '../../../values/index.js';
import {
  checkedSteps,
  decodeUtf8,
  exactValueSteps,
  inSlices,
  JsonError,
  parseYaml,
  type ReadJsonOptions,
  readJsonSteps,
  type Steps,
} from '../../../values/index.js';
import { ApiError, invalidParameter, MalformedBody } from '../responses/api-error.js';
import { type BodyLimits, readBody, textOfBody } from './body.js';
import { inlineUpTo } from './body-parts.js';
import { bodyTimedOut } from './deadline.js';
import type { Exchange } from './exchange.js';
import { tooMuch } from './request-memory.js';
import { firstJson, wholeJson } from './short-json.js';

/**
 * The first document of a body; undefined for an empty body. Rejects with a MalformedBody or an
 * ApiError.
 * @param onMany see `ReadJsonOptions`
 */
export async function documentOfBody(
  exchange: Exchange,
  limits: BodyLimits,
  onMany?: ReadJsonOptions['onMany'],
): Promise<Value | undefined> {
  if (exchange.document !== undefined) return exchange.document.value;
  const bytes = await readBody(exchange, limits);
  if (bytes.length <= inlineUpTo) return shortDocument(bytes, isYaml(exchange), firstJson);
  return await longDocument(exchange, bytes, limits, { whole: false, onMany });
}

/** The only document of a body, as `documentOfBody`. It is kept for a later `documentOfBody`. */
export async function wholeDocumentOf(exchange: Exchange, limits: BodyLimits): Promise<Value | undefined> {
  const bytes = await readBody(exchange, limits);
  const value =
    bytes.length <= inlineUpTo
      ? shortDocument(bytes, isYaml(exchange), wholeJson)
      : await longDocument(exchange, bytes, limits, { whole: true });
  exchange.document = { value };
  return value;
}

/** All of a text as one JSON value. Rejects with a MalformedBody or an ApiError. */
export async function jsonOfText(exchange: Exchange, text: string): Promise<Value> {
  return text.length <= inlineUpTo ? wholeJson(text) : await longJson(exchange, Buffer.from(text), { whole: true });
}

/**
 * The first JSON value of a body, for any content type. Rejects with a MalformedBody or an
 * ApiError.
 */
export async function firstJsonOf(exchange: Exchange, limits: BodyLimits): Promise<Value> {
  const bytes = await readBody(exchange, limits);
  return bytes.length <= inlineUpTo ? firstJson(textOfBody(bytes)) : await longJson(exchange, bytes, { whole: false });
}

function shortDocument(bytes: Uint8Array, yaml: boolean, json: (text: string) => Value): Value | undefined {
  const text = documentText(bytes, yaml);
  if (!/\S/.test(text)) return undefined;
  return yaml ? yamlValue(text) : json(text);
}

async function longDocument(
  exchange: Exchange,
  bytes: Uint8Array,
  limits: BodyLimits,
  options: Pick<ReadJsonOptions, 'whole' | 'onMany'>,
): Promise<Value | undefined> {
  if (isYaml(exchange)) {
    const { sideThread } = limits;
    return sideThread === undefined
      ? shortDocument(bytes, true, firstJson)
      : await longYaml(exchange, bytes, sideThread);
  }
  try {
    return await longJson(exchange, bytes, options);
  } catch (error) {
    if (error instanceof MalformedBody && error.message === 'EOF') return undefined;
    throw error;
  }
}

async function longYaml(exchange: Exchange, bytes: Uint8Array, sideThread: SideThread): Promise<Value | undefined> {
  let report: ChoreReport;
  try {
    report = await sideThread.run(
      { kind: 'yaml', bytes },
      { timeMs: exchange.deadline.leftMs, signal: exchange.signal },
    );
  } catch (error) {
    if (!(error instanceof ChoreError)) throw error;
    throw error.code === 'out_of_memory' ? tooMuch() : new ApiError(503, 'unavailable', bodyTimedOut);
  }
  if ('problem' in report) throw new MalformedBody(report.problem);
  const json = 'yaml' in report ? report.yaml : undefined;
  return json && (await inSlices(whileAsked(exchange, exactValueSteps(json, { take: exchange.take }))));
}

async function longJson(
  exchange: Exchange,
  bytes: Uint8Array,
  options: Pick<ReadJsonOptions, 'whole' | 'onMany'>,
): Promise<Value> {
  try {
    return await inSlices(whileAsked(exchange, readJsonSteps(bytes, { ...options, take: exchange.memory.take })));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new MalformedBody(error.message);
  }
}

/** Steps that end once the client is gone or the time is over. */
function whileAsked<Result>({ incoming, deadline }: Exchange, steps: Steps<Result>): Steps<Result> {
  return checkedSteps(deadline.during(steps, bodyTimedOut), () => {
    if (incoming?.socket.destroyed === true) throw invalidParameter('the client has gone');
  });
}

/** Whether a request's content type says YAML. */
function isYaml(exchange: Exchange): boolean {
  return exchange.header('content-type')?.includes('yaml') === true;
}

/**
 * The text of a body. Of YAML, bytes that are no UTF-8 are kept for its reader, which refuses them.
 */
function documentText(bytes: Uint8Array, yaml: boolean): string {
  const text = textOfBody(bytes);
  return yaml && !isUtf8(bytes) ? decodeUtf8(bytes) : text;
}

function yamlValue(text: string): Value {
  try {
    return parseYaml(text);
  } catch (error) {
    throw new MalformedBody((error as Error).message);
  }
}
