/** Answers become responses, compressed with gzip if the client and the length allow it. */
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import type { Exchange } from '../requests/exchange.js';
import { type HttpAnswer, jsonType } from './answer.js';
import { type ChunkSource, chunkStream, sendChunks } from './chunks.js';

export interface Compression {
  /** Shorter answers are not compressed, in bytes. */
  readonly minLength: number;
  /** Level of zlib: 1 is fast, 9 is small. Undefined: by the length of the answer. */
  readonly level: number | undefined;
}

/**
 * Level 9 takes three times as long as level 3. A client waits for that, and saves little: a trace
 * of 3.6 MB has 42 or 102 KB.
 */
const bestLevel = 9;
const bestUpTo = 256 * 1024;
const fastLevel = 3;

const compressedPosts = ['/v1/data', '/v0/data', '/v1/compile', '/v1/batch', '/access/v1/'] as const;

/** Whether the answers of a path may be compressed: decisions, residual queries and metrics. */
function mayCompress({ method, path }: Exchange): boolean {
  if (method === 'POST') return compressedPosts.some((prefix) => path.startsWith(prefix));
  return method === 'GET' && (path.startsWith('/v1/data') || path.startsWith('/v0/data') || path === '/metrics');
}

const gzipInThread = promisify(gzip);

/** Longer answers are compressed in a thread of the platform. */
const inlineUpTo = 32 * 1024;

/** An answer as a response; a promise only where a long answer is compressed. */
export function respond(
  exchange: Exchange,
  answer: HttpAnswer,
  compression: Compression,
): Response | Promise<Response> {
  const { status, body, contentType } = answer;
  const { minLength } = compression;
  if (isChunkSource(body)) {
    const headers = { 'content-type': contentType!, revision: String(exchange.revision) };
    if (exchange.outgoing !== undefined) return sendChunks(body, exchange.outgoing, status, headers);
    return new Response(chunkStream(body), { status, headers });
  }
  exchange.sent = body;
  const mayShrink = mayCompress(exchange);
  const headers = headersOf(answer, exchange.revision, mayShrink);
  if (exchange.method === 'HEAD') return new Response(null, { status, headers: { ...headers, ...lengthOf(body) } });
  const accepts = mayShrink && body !== null && exchange.header('accept-encoding')?.includes('gzip') === true;
  if (body instanceof Uint8Array && !accepts) return new Response(body as Uint8Array<ArrayBuffer>, { status, headers });
  // A text has at most three bytes for each unit.
  if (!accepts || body.length * 3 < minLength || Buffer.byteLength(body) < minLength)
    return new Response(body as string, { status, headers });
  const compressed = (bytes: Buffer) => {
    exchange.sent = bytes;
    return new Response(new Uint8Array(bytes), { status, headers: { ...headers, 'content-encoding': 'gzip' } });
  };
  const level = compression.level ?? (body.length > bestUpTo ? fastLevel : bestLevel);
  if (body.length <= inlineUpTo) return compressed(gzipSync(body, { level }));
  return gzipInThread(body, { level }).then(compressed);
}

function isChunkSource(body: HttpAnswer['body']): body is ChunkSource {
  return typeof body === 'object' && body !== null && 'next' in body;
}

/** Hono removes the body of an answer to HEAD, and its length with it. */
function lengthOf(body: string | Uint8Array | null): Readonly<Record<string, string>> {
  return body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}

type Headers = Readonly<Record<string, string>>;

/** Most answers share one of two objects: Node writes the headers of the same object faster. */
let shared: { readonly revision: number; readonly plain: Headers; readonly varying: Headers } | undefined;

function sharedHeaders(revision: number, varies: boolean): Headers {
  if (shared?.revision !== revision) {
    const plain = { 'content-type': jsonType, revision: String(revision) };
    shared = { revision, plain, varying: { ...plain, vary: 'Accept-Encoding' } };
  }
  return varies ? shared.varying : shared.plain;
}

function headersOf({ contentType, location, headers }: HttpAnswer, revision: number, varies: boolean): Headers {
  if (contentType === jsonType && location === undefined && headers === undefined)
    return sharedHeaders(revision, varies);
  return {
    ...(contentType !== undefined && { 'content-type': contentType }),
    ...(location !== undefined && { location }),
    ...headers,
    revision: String(revision),
    ...(varies && { vary: 'Accept-Encoding' }),
  };
}
