/** Bodies of requests: read within limits, inflated, parsed. */
import { constants } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { JsonError, parseJson } from '../runtime/values/json.js';
import { jsonComplaint } from '../runtime/values/json-complaint.js';
import type { Value } from '../runtime/values/value.js';
import { parseYaml } from '../runtime/values/yaml.js';
import { type ApiError, invalidParameter, MalformedBody } from './api-error.js';
import type { Exchange } from './exchange.js';
import { whenAllIsRead } from './turn.js';

export interface BodyLimits {
  /** Bytes as sent. */
  readonly maxLength: number;
  /** Bytes after inflating. */
  readonly gzipMaxLength: number;
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

function readAndInflate(exchange: Exchange, limits: BodyLimits): Promise<Uint8Array> {
  checkLength(exchange, limits);
  const { incoming } = exchange;
  const bytes = incoming === undefined ? readRequest(exchange, limits) : readIncoming(incoming, limits);
  return exchange.header('content-encoding')?.includes('gzip') === true ? bytes.then((sent) => inflated(sent, limits)) : bytes;
}

async function readRequest({ request }: Exchange, { maxLength }: BodyLimits): Promise<Uint8Array> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length > maxLength) throw tooLarge();
  return bytes;
}

function readIncoming(incoming: NonNullable<Exchange['incoming']>, { maxLength }: BodyLimits): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxLength) chunks.push(chunk);
      else {
        chunks.length = 0;
        reject(tooLarge());
      }
    });
    incoming.on('end', () => whenAllIsRead(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))));
    // A client that stops in the middle ends here; nobody hears the answer.
    incoming.on('error', () => reject(invalidParameter('unexpected EOF')));
    incoming.on('close', () => {
      if (!incoming.complete) reject(invalidParameter('unexpected EOF'));
    });
  });
}

const inflateBeside = promisify(gunzip);

/** Larger bodies are inflated beside the decisions. */
const inlineUpTo = 64 * 1024;

async function inflated(bytes: Uint8Array, { gzipMaxLength }: BodyLimits): Promise<Uint8Array> {
  if (bytes.length === 0) return bytes;
  try {
    return bytes.length <= inlineUpTo && claimedSize(bytes) <= inlineUpTo
      ? gunzipSync(bytes, { maxOutputLength: Math.min(gzipMaxLength, 4 * inlineUpTo) })
      : await inflateBeside(bytes, { maxOutputLength: gzipMaxLength });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw invalidParameter('could not decompress the body: gzip payload too large');
    // A stream that is cut off has what a text has that is cut off.
    if (code === 'Z_BUF_ERROR') throw new MalformedBody('unexpected EOF');
    throw invalidParameter(`could not decompress the body: gzip: ${message.includes('header') ? 'invalid header' : message}`);
  }
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

/** The document that a body holds: the first one where there are several. Undefined for an empty body. Throws a MalformedBody. */
export function documentOf(bytes: Uint8Array, yaml: boolean): Value | undefined {
  const text = textOf(bytes);
  if (!/\S/.test(text)) return undefined;
  return yaml ? yamlValue(text) : firstJson(text);
}

export function yamlValue(text: string): Value {
  try {
    return parseYaml(text);
  } catch (error) {
    throw new MalformedBody((error as Error).message);
  }
}

/** The first JSON value of a text; whatever follows it is not looked at. Throws a MalformedBody. */
export function firstJson(text: string): Value {
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
export function wholeJson(text: string): Value {
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
