/**
 * Documents in the bodies of requests: JSON or YAML. Long ones are read in steps or in a thread.
 */
import { isUtf8 } from 'node:buffer';
import type { ChoreReport } from '../../../engine/index.js';
import { ChoreError, type SideThread } from '../../../engine/node.js';
import type { ReadJsonOptions, Steps, Value } from '../../../values/index.js';
import {
  checkedSteps,
  decodeUtf8,
  exactValueSteps,
  inSlices,
  JsonError,
  jsonComplaint,
  nativeValues,
  parseJson,
  parseYaml,
  readJsonSteps,
} from '../../../values/index.js';
import { ApiError, invalidParameter, MalformedBody } from '../responses/api-error.js';
import { type BodyLimits, readBody, textOfBody } from './body.js';
import { inlineUpTo } from './body-parts.js';
import { bodyTimedOut } from './deadline.js';
import type { Exchange } from './exchange.js';
import { tooMuch } from './request-memory.js';

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

/**
 * Up to this size and so many values the native reader takes some 5 ms, and 40 where all keys
 * differ. The other one takes three times as long, in steps.
 */
const nativeUpTo = { bytes: 1024 * 1024, values: 100_000 };

/** V8's layout of a value, its key and its collection. */
const bytesOfValue = 56;

/** To read shorter ones takes less time than to wait for a turn. */
const atOnceUpTo = 64 * 1024;

async function longJson(
  exchange: Exchange,
  bytes: Uint8Array,
  options: Pick<ReadJsonOptions, 'whole' | 'onMany'>,
): Promise<Value> {
  try {
    const isShort = bytes.length <= atOnceUpTo;
    const value = isShort ? nativeJson(exchange, bytes, options) : undefined;
    if (value !== undefined) return value;
    const steps = isShort ? exactJsonSteps(exchange, bytes, options) : longJsonSteps(exchange, bytes, options);
    return await inSlices(whileAsked(exchange, steps));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new MalformedBody(error.message);
  }
}

function* longJsonSteps(
  exchange: Exchange,
  bytes: Uint8Array,
  options: Pick<ReadJsonOptions, 'whole' | 'onMany'>,
): Steps<Value> {
  const value = nativeJson(exchange, bytes, options);
  return value === undefined ? yield* exactJsonSteps(exchange, bytes, options) : value;
}

function exactJsonSteps(
  { memory }: Exchange,
  bytes: Uint8Array,
  options: Pick<ReadJsonOptions, 'whole' | 'onMany'>,
): Steps<Value> {
  return readJsonSteps(bytes, { ...options, take: memory.take });
}

/** A value that the native reader reads in short time and without loss; undefined for others. */
function nativeJson(
  { memory }: Exchange,
  bytes: Uint8Array,
  { onMany }: Pick<ReadJsonOptions, 'onMany'>,
): Value | undefined {
  const isShort = bytes.length <= nativeUpTo.bytes && onMany === undefined;
  const values = (isShort && nativeValues(bytes)) || Infinity;
  if (values > nativeUpTo.values) return undefined;
  memory.take(bytes.length + bytesOfValue * values);
  try {
    return JSON.parse(textOfBody(bytes)) as Value;
  } catch {
    // The other reader names the fault, or reads the value in front of it.
    return undefined;
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

/** The first JSON value of a text; the rest is ignored. Throws a MalformedBody. */
function firstJson(text: string): Value {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const end = endOfValue(text);
    if (end < text.length) {
      try {
        return parseJson(text.slice(0, end));
      } catch {
        // The error of the whole text is thrown below.
      }
    }
    throw new MalformedBody(complaint(text, error));
  }
}

/** The only JSON value of a text. Throws a MalformedBody. */
function wholeJson(text: string): Value {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new MalformedBody(complaint(text, error));
  }
}

function complaint(text: string, error: JsonError): string {
  // `jsonComplaint` recurses, so a text that nests too deeply is not given to it.
  return error.message.startsWith('nested') ? 'exceeded max depth' : (jsonComplaint(text) ?? error.message);
}

/**
 * A word, or a number that does not continue as a wrong one: the reference accepts these before any
 * text.
 */
const scalar = /true|false|null|-?(?:0|[1-9]\d*(?!\d))(?:\.\d+(?!\d)|(?!\.))(?:[eE][+-]?\d+(?!\d)|(?![eE]))/y;

/** The end of the first value of a text. */
function endOfValue(text: string): number {
  let depth = 0;
  let i = text.search(/[^ \t\r\n]|$/);
  const first = text[i];
  if (first !== '{' && first !== '[' && first !== '"') {
    scalar.lastIndex = i;
    return scalar.test(text) ? scalar.lastIndex : text.length;
  }
  for (; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 34) {
      i = endOfString(text, i);
      if (depth === 0) return i + 1;
    } else if (c === 91 || c === 123) depth++;
    else if ((c === 93 || c === 125) && --depth === 0) return i + 1;
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 92) i++;
    else if (c === 34) return i;
  }
  return text.length;
}
