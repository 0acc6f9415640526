/** Bodies of requests: read within limits, inflated, parsed. What is long is read in steps, within the memory that requests have. */
import { constants, isUtf8 } from 'node:buffer';
import { createGunzip, gunzipSync } from 'node:zlib';
import type { ChoreReport } from '../../engine/threads/chores.js';
import { ChoreError, type SideThread } from '../../engine/threads/side-thread.js';
import { exactValueSteps } from '../../runtime/values/json/exact-json.js';
import { JsonError, parseJson } from '../../runtime/values/json/json.js';
import { jsonComplaint } from '../../runtime/values/json/json-complaint.js';
import { readJsonSteps } from '../../runtime/values/json/json-reader.js';
import { inSlices, type Steps } from '../../runtime/values/steps.js';
import { joinBytesSteps } from '../../runtime/values/text/join-bytes.js';
import { decodeUtf8 } from '../../runtime/values/text/utf8.js';
import type { Value } from '../../runtime/values/value.js';
import { parseYaml } from '../../runtime/values/yaml/yaml.js';
import { ApiError, invalidParameter, MalformedBody } from './api-error.js';
import type { Exchange } from './exchange.js';
import { tooMuch } from './memory.js';
import { whenAllIsRead } from './request-batch.js';

export interface BodyLimits {
  /** Bytes as sent. */
  readonly maxLength: number;
  /** Bytes after inflating. */
  readonly gzipMaxLength: number;
  /** How many tokens a statement of a policy may have: each stage of the compiler takes a statement in one step. */
  readonly maxStatementTokens: number;
  /** Where long YAML is read; without, it is read here, in one step. */
  readonly sideThread?: SideThread | undefined;
}

/** Throws an ApiError where the request says itself that its body is too long. */
export function checkLength(exchange: Exchange, { maxLength }: BodyLimits): void {
  const length = exchange.header('content-length');
  if (length !== undefined && Number(length) > maxLength) throw tooLarge();
}

function tooLarge(): ApiError {
  return invalidParameter('request body too large');
}

/** The body's bytes, inflated where they are gzip. Throws or rejects with an ApiError. */
export function readBody(exchange: Exchange, limits: BodyLimits): Promise<Uint8Array> {
  return (exchange.body ??= readAndInflate(exchange, limits));
}

async function readAndInflate(exchange: Exchange, limits: BodyLimits): Promise<Uint8Array> {
  checkLength(exchange, limits);
  const { incoming } = exchange;
  const parts = new Parts(exchange, limits.maxLength, tooLarge);
  if (incoming === undefined) parts.add(new Uint8Array(await exchange.request.arrayBuffer()));
  else await exchange.deadline.whileReceiving(readIncoming(incoming, parts));
  const sent = await parts.joined();
  return exchange.header('content-encoding')?.includes('gzip') === true ? await inflated(exchange, sent, limits) : sent;
}

/** Longer bodies are counted, and inflated and parsed in steps: shorter ones take less than a step. */
const inlineUpTo = 16 * 1024;

/** As in bin/writ. */
const bytesOfBlock = 256 * 1024;

/**
 * Gives the memory of bytes back that nobody else has. Left to the collector, it would be that of
 * thousands of parts before the next collection, and the C library keeps most of what has been used.
 */
function free({ buffer, length }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}

/** Bytes as they come. */
class Parts {
  readonly #exchange: Exchange;
  readonly #limit: number;
  readonly #complaint: () => ApiError;
  #parts: Uint8Array[] = [];
  #length = 0;
  /** What is left of the last block. */
  #room: Uint8Array = new Uint8Array(0);

  constructor(exchange: Exchange, limit: number, complaint: () => ApiError) {
    this.#exchange = exchange;
    this.#limit = limit;
    this.#complaint = complaint;
  }

  /** Throws an ApiError where these are too many. */
  add(part: Uint8Array): void {
    this.#length += part.length;
    if (this.#length > this.#limit) throw this.#complaint();
    if (this.#length <= inlineUpTo) {
      this.#parts.push(part);
      return;
    }
    this.#exchange.memory.take(part.length);
    if (part.length >= bytesOfBlock) this.#parts.push(part);
    else this.#copy(part);
  }

  /** Small parts go into blocks that the C library gives back to the system when they are freed; of thousands of small ones it keeps most. */
  #copy(part: Uint8Array): void {
    for (let rest = part; rest.length > 0; ) {
      if (this.#room.length === 0) this.#room = Buffer.allocUnsafeSlow(bytesOfBlock);
      const fits = rest.subarray(0, this.#room.length);
      this.#room.set(fits);
      this.#parts.push(this.#room.subarray(0, fits.length));
      this.#room = this.#room.subarray(fits.length);
      rest = rest.subarray(fits.length);
    }
    free(part);
  }

  async joined(): Promise<Uint8Array> {
    const parts = this.#parts;
    this.#parts = [];
    if (parts.length === 1) return parts[0]!;
    return this.#length <= inlineUpTo ? Buffer.concat(parts) : await inSlices(joinBytesSteps(parts, this.#length));
  }
}

function readIncoming(incoming: NonNullable<Exchange['incoming']>, parts: Parts): Promise<void> {
  return new Promise((resolve, reject) => {
    const add = (chunk: Buffer) => {
      try {
        parts.add(chunk);
      } catch (error) {
        // Whatever else comes is not kept.
        incoming.off('data', add);
        incoming.resume();
        reject(error);
      }
    };
    incoming.on('data', add);
    incoming.on('end', () => whenAllIsRead(resolve));
    // A client that stops in the middle ends here; nobody hears the answer.
    incoming.on('error', () => reject(invalidParameter('unexpected EOF')));
    incoming.on('close', () => {
      if (!incoming.complete) reject(invalidParameter('unexpected EOF'));
    });
  });
}

async function inflated(exchange: Exchange, bytes: Uint8Array, { gzipMaxLength }: BodyLimits): Promise<Uint8Array> {
  if (bytes.length === 0) return bytes;
  try {
    return bytes.length <= inlineUpTo && claimedSize(bytes) <= inlineUpTo
      ? gunzipSync(bytes, { maxOutputLength: Math.min(gzipMaxLength, 4 * inlineUpTo) })
      : await inflatedBeside(exchange, bytes, new Parts(exchange, gzipMaxLength, gzipTooLarge));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw gzipTooLarge();
    // A stream that is cut off has what a text has that is cut off.
    if (code === 'Z_BUF_ERROR') throw new MalformedBody('unexpected EOF');
    throw invalidParameter(`could not decompress the body: gzip: ${message.includes('header') ? 'invalid header' : message}`);
  }
}

function gzipTooLarge(): ApiError {
  return invalidParameter('could not decompress the body: gzip payload too large');
}

/** Inflates in a thread of the platform, up to where it is too much or too late. */
async function inflatedBeside({ deadline }: Exchange, bytes: Uint8Array, parts: Parts): Promise<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  gunzip.end(bytes);
  try {
    for await (const part of gunzip) {
      parts.add(part as Buffer);
      if (performance.now() > deadline.until) throw new ApiError(503, 'unavailable', timedOut);
    }
  } finally {
    gunzip.destroy();
  }
  return await parts.joined();
}

/** What the last four bytes say; a lie is found out while inflating. */
function claimedSize(bytes: Uint8Array): number {
  return bytes.length < 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(bytes.length - 4, true);
}

/** Whether a request's content type says YAML. */
export function isYaml(exchange: Exchange): boolean {
  return exchange.header('content-type')?.includes('yaml') === true;
}

/** A text of a body's bytes. What is no UTF-8 becomes U+FFFD. Throws an ApiError where it is longer than a text can be. */
export function textOf(bytes: Uint8Array): string {
  if (bytes.length > constants.MAX_STRING_LENGTH) throw tooLarge();
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return buffer.toString('utf8');
}

/** The text of a body as its reader takes it: YAML must be UTF-8, in JSON other bytes become U+FFFD. */
function documentText(bytes: Uint8Array, yaml: boolean): string {
  const text = textOf(bytes);
  return yaml && !isUtf8(bytes) ? decodeUtf8(bytes) : text;
}

/** The document that a body holds: the first one where there are several. Undefined for an empty body. Rejects with a MalformedBody or an ApiError. */
export async function documentOf(exchange: Exchange, limits: BodyLimits): Promise<Value | undefined> {
  if (exchange.document !== undefined) return exchange.document.value;
  const bytes = await readBody(exchange, limits);
  if (bytes.length <= inlineUpTo) return shortDocument(bytes, isYaml(exchange), firstJson);
  return await longDocument(exchange, bytes, limits, false);
}

/** The same where nothing may follow the document; it is not read again where it is asked for later. */
export async function wholeDocumentOf(exchange: Exchange, limits: BodyLimits): Promise<Value | undefined> {
  const bytes = await readBody(exchange, limits);
  const value =
    bytes.length <= inlineUpTo ? shortDocument(bytes, isYaml(exchange), wholeJson) : await longDocument(exchange, bytes, limits, true);
  exchange.document = { value };
  return value;
}

/** Whether a body may be long, as far as that is known before it is read. */
export function mayBeLong(exchange: Exchange): boolean {
  if (exchange.header('content-encoding')?.includes('gzip') === true) return true;
  const length = exchange.header('content-length');
  return length === undefined || Number(length) > inlineUpTo;
}

/** All of a text as one JSON value. Rejects with a MalformedBody or an ApiError. */
export async function jsonOfText(exchange: Exchange, text: string): Promise<Value> {
  return text.length <= inlineUpTo ? wholeJson(text) : await longJson(exchange, Buffer.from(text), true);
}

/** The first JSON value of a body, whatever its content type. Rejects with a MalformedBody or an ApiError. */
export async function firstJsonOf(exchange: Exchange, limits: BodyLimits): Promise<Value> {
  const bytes = await readBody(exchange, limits);
  return bytes.length <= inlineUpTo ? firstJson(textOf(bytes)) : await longJson(exchange, bytes, false);
}

function shortDocument(bytes: Uint8Array, yaml: boolean, json: (text: string) => Value): Value | undefined {
  const text = documentText(bytes, yaml);
  if (!/\S/.test(text)) return undefined;
  return yaml ? yamlValue(text) : json(text);
}

async function longDocument(exchange: Exchange, bytes: Uint8Array, limits: BodyLimits, whole: boolean): Promise<Value | undefined> {
  if (isYaml(exchange)) {
    const { sideThread } = limits;
    return sideThread === undefined ? shortDocument(bytes, true, firstJson) : await longYaml(exchange, bytes, sideThread);
  }
  try {
    return await longJson(exchange, bytes, whole);
  } catch (error) {
    if (error instanceof MalformedBody && error.message === 'EOF') return undefined;
    throw error;
  }
}

async function longYaml(exchange: Exchange, bytes: Uint8Array, sideThread: SideThread): Promise<Value | undefined> {
  let report: ChoreReport;
  try {
    report = await sideThread.run({ kind: 'yaml', bytes }, { timeMs: exchange.deadline.leftMs, signal: exchange.signal });
  } catch (error) {
    if (!(error instanceof ChoreError)) throw error;
    throw error.code === 'out_of_memory' ? tooMuch() : new ApiError(503, 'unavailable', timedOut);
  }
  if ('problem' in report) throw new MalformedBody(report.problem);
  const json = 'yaml' in report ? report.yaml : undefined;
  return json && (await inSlices(whileAsked(exchange, exactValueSteps(json, { take: exchange.take }))));
}

const timedOut = 'reading the request body timed out';

async function longJson(exchange: Exchange, bytes: Uint8Array, whole: boolean): Promise<Value> {
  try {
    return await inSlices(whileAsked(exchange, readJsonSteps(bytes, { take: exchange.memory.take, whole })));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new MalformedBody(error.message);
  }
}

/** Steps that end when nobody waits for them any more, or has waited long enough. */
function* whileAsked<Result>({ incoming, deadline }: Exchange, steps: Steps<Result>): Steps<Result> {
  const timed = deadline.during(steps, timedOut);
  for (;;) {
    const step = timed.next();
    if (step.done === true) return step.value;
    if (incoming?.socket.destroyed === true) throw invalidParameter('the client has gone');
    yield;
  }
}

function yamlValue(text: string): Value {
  try {
    return parseYaml(text);
  } catch (error) {
    throw new MalformedBody((error as Error).message);
  }
}

/** The first JSON value of a text; whatever follows it is not looked at. Throws a MalformedBody. */
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
        // The complaint about the whole text says it.
      }
    }
    throw new MalformedBody(complaint(text, error));
  }
}

/** All of a text as one JSON value. Throws a MalformedBody. */
function wholeJson(text: string): Value {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new MalformedBody(complaint(text, error));
  }
}

function complaint(text: string, error: JsonError): string {
  // Finding the words walks the text by recursion, which a text that nests too deeply must not.
  return error.message.startsWith('nested') ? 'exceeded max depth' : (jsonComplaint(text) ?? error.message);
}

/** A number, unless it goes on as one and is wrong there, or a word: the reference's decoder takes these whatever follows. */
const scalar = /true|false|null|-?(?:0|[1-9]\d*(?!\d))(?:\.\d+(?!\d)|(?!\.))(?:[eE][+-]?\d+(?!\d)|(?![eE]))/y;

/** Where the first value of a text ends. */
function endOfValue(text: string): number {
  let depth = 0;
  let i = /^[ \t\r\n]*/.exec(text)![0].length;
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
