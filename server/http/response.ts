/** Answers: JSON in the two layouts, gzip where the client and the length allow it. */
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import type { HeldVersion } from '../../runtime/store/store.js';
import { JsonError, toIndentedJson, toJson } from '../../runtime/values/json/json.js';
import { writeJsonSteps } from '../../runtime/values/json/json-writer.js';
import { inSlices } from '../../runtime/values/steps.js';
import type { PlainObject, Value } from '../../runtime/values/value.js';
import type { ApiError } from './api-error.js';
import type { Exchange } from './exchange.js';

/** A status with text, before it is a Response. */
export interface Answer {
  readonly status: number;
  readonly body: string | Uint8Array | null;
  readonly contentType?: string;
  readonly location?: string;
}

const json = 'application/json';

/** A value as a body; every body ends in a newline. */
export function jsonText(value: Value, pretty: boolean): string {
  return `${pretty ? toIndentedJson(value) : toJson(value)}\n`;
}

export function jsonAnswer(status: number, value: Value, pretty = false): Answer {
  return { status, body: jsonText(value, pretty), contentType: json };
}

/** A body that is JSON text already. */
export function textAnswer(status: number, body: string | Uint8Array, contentType = json): Answer {
  return { status, body, contentType };
}

export const noContent: Answer = { status: 204, body: null };

/** Errors are always indented. */
export function errorAnswer(error: ApiError): Answer {
  return jsonAnswer(error.status, error.toJson(), true);
}

export const notFound: Answer = textAnswer(404, '404 page not found\n', 'text/plain; charset=utf-8');
export const methodNotAllowed: Answer = textAnswer(405, 'Method Not Allowed\n', 'text/plain; charset=utf-8');
export const badRequest: Answer = textAnswer(400, '400 Bad Request', 'text/plain; charset=utf-8');

const redirectTexts = { 301: 'Moved Permanently', 307: 'Temporary Redirect' } as const;

/** A redirect to a path, with the page that Go writes for those who read it. */
export function redirect({ method, search }: Exchange, path: string, status: 301 | 307): Answer {
  const location = path + search;
  const readable = location.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  const body = method === 'GET' ? `<a href="${readable}">${redirectTexts[status]}</a>.\n\n` : null;
  return { status, body, location, ...(body !== null && { contentType: 'text/html; charset=utf-8' }) };
}

export interface Compression {
  /** Bytes from which on an answer is compressed. */
  readonly minLength: number;
  /** Of zlib: 1 is fast, 9 is small. */
  readonly level: number;
}

/** Whether the answers of a path may be compressed: decisions, residual queries and metrics. */
function mayCompress({ method, path }: Exchange): boolean {
  if (method === 'POST') return path.startsWith('/v1/data') || path.startsWith('/v0/data') || path.startsWith('/v1/compile');
  return method === 'GET' && (path.startsWith('/v1/data') || path.startsWith('/v0/data') || path === '/metrics');
}

const gzipBeside = promisify(gzip);

/** Longer answers are compressed beside the decisions. */
const inlineUpTo = 32 * 1024;

/** An answer as a response; a promise only where it is long and has to be compressed. */
export function respond(exchange: Exchange, answer: Answer, { minLength, level }: Compression): Response | Promise<Response> {
  const { status, body, contentType, location } = answer;
  exchange.sent = body;
  const mayShrink = mayCompress(exchange);
  const headers = headersOf(contentType, location, mayShrink);
  if (exchange.method === 'HEAD') return new Response(null, { status, headers: { ...headers, ...lengthOf(body) } });
  const accepts = mayShrink && body !== null && exchange.header('accept-encoding')?.includes('gzip') === true;
  if (body instanceof Uint8Array && !accepts) return new Response(body as Uint8Array<ArrayBuffer>, { status, headers });
  // The bytes of a text are at most three times as many as its units.
  if (!accepts || body.length * 3 < minLength || Buffer.byteLength(body) < minLength)
    return new Response(body as string, { status, headers });
  const compressed = (bytes: Buffer) => {
    exchange.sent = bytes;
    return new Response(new Uint8Array(bytes), { status, headers: { ...headers, 'content-encoding': 'gzip' } });
  };
  if (body.length <= inlineUpTo) return compressed(gzipSync(body, { level }));
  return gzipBeside(body, { level }).then(compressed);
}

/** Hono takes the body of an answer to HEAD away, and its length with it. */
function lengthOf(body: Answer['body']): Readonly<Record<string, string>> {
  return body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}

const jsonHeaders = { 'content-type': json };
const decisionHeaders = { 'content-type': json, vary: 'Accept-Encoding' };

/** Nearly all answers have one of two sets of headers, and what walks them is quicker where the object is always the same. */
function headersOf(contentType: string | undefined, location: string | undefined, varies: boolean): Readonly<Record<string, string>> {
  if (contentType === json && location === undefined) return varies ? decisionHeaders : jsonHeaders;
  return {
    ...(contentType !== undefined && { 'content-type': contentType }),
    ...(location !== undefined && { location }),
    ...(varies && { vary: 'Accept-Encoding' }),
  };
}

type Parts = { readonly [name: string]: Value | undefined };

/** The envelope of a decision. Members that are undefined are left out. */
export function envelope(parts: Parts, pretty: boolean): string {
  return jsonText(present(parts), pretty);
}

function present(parts: Parts): PlainObject {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as PlainObject;
}

/** So many values are written at once: some milliseconds. */
const manyValues = 10_000;

/** What a value, which may share parts with documents, is written with. */
export interface Writing {
  readonly pretty: boolean;
  /** Keeps the documents as they are. */
  readonly hold: () => HeldVersion;
  /** Whose memory it takes. */
  readonly exchange: Exchange;
}

/** The same of what a policy answers, which may be large: then it is written while others have their turns. */
export function envelopeOf(parts: Parts, writing: Writing): string | Promise<Uint8Array> {
  return bodyOf(present(parts), writing);
}

/** A value that a policy answers as a body, as `envelopeOf` has it. */
export function bodyOf(value: Value, { pretty, hold, exchange }: Writing): string | Promise<Uint8Array> {
  try {
    return `${pretty ? toIndentedJson(value, undefined, undefined, manyValues) : toJson(value, manyValues)}\n`;
  } catch (error) {
    // Too large, or too deep for what writes it at once.
    if (!(error instanceof JsonError)) throw error;
  }
  const held = hold();
  const steps = writeJsonSteps(value, { pretty, take: exchange.take, after: '\n' });
  return inSlices(exchange.deadline.during(steps, 'writing the answer timed out')).finally(() => held.release());
}
