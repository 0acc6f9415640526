/**
 * Forward auth: a gateway asks over HTTP whether a request may go on. 200 lets it, with headers for
 * the service; any other status is the answer to the client.
 */

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import type { PlainObject } from '../../../values/index.js';
import { ConfigError } from '../../services/config/config-section.js';
import { type CheckCaller, Checker, type CheckHost } from '../envoy/check.js';
import { GrpcError } from '../grpc/grpc-status.js';
import type { ForwardConfig } from './forward-config.js';
import { attributesOf, OriginalRequestError } from './original-request.js';

interface ForwardAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** Bytes of a body that a gateway sends along. */
const mostBytes = 1024 * 1024;

/** Answers questions. Throws a ConfigError for a query that cannot be parsed. */
export function forwardAuth(config: ForwardConfig, host: CheckHost): RequestListener {
  const checker = checkerOf(config, host);
  return (request, response) => {
    answer(checker, config, request, response).catch((error: Error) => {
      host.logger.error(`Forward auth failed: ${error.stack ?? error.message}`);
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  };
}

function checkerOf(config: ForwardConfig, host: CheckHost): Checker<ForwardAnswer> {
  try {
    return new Checker(host, config, { skipsBody: config.skipsBody, grpcBodies: undefined }, undefined, answerOf);
  } catch (error) {
    throw new ConfigError(`plugins.forward_auth.query: ${(error as Error).message}`);
  }
}

async function answer(
  checker: Checker<ForwardAnswer>,
  config: ForwardConfig,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const started = performance.now();
  const body = await bodyOf(request);
  if (body === undefined) return send(response, { status: 413, headers: {}, body: '' });
  let message: PlainObject;
  try {
    message = attributesOf(
      {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        headersDistinct: request.headersDistinct,
      },
      config.source,
      body,
    );
  } catch (error) {
    if (!(error instanceof OriginalRequestError)) throw error;
    return send(response, { status: 400, headers: {}, body: `${error.message}\n` });
  }
  const bytes = (body.body ?? body.rawBody ?? '').length;
  try {
    send(response, await checker.decide('http', message, bytes, callerOf(response, started)));
  } catch (error) {
    // The message is in the log: a client is told nothing about policies.
    if (error instanceof GrpcError) send(response, { status: 500, headers: {}, body: '' });
    else throw error;
  }
}

/** Undefined where the body is too large. */
async function bodyOf(
  request: IncomingMessage,
): Promise<{ readonly body?: string; readonly rawBody?: string } | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Buffer).length;
    if (length > mostBytes) return undefined;
    chunks.push(chunk as Buffer);
  }
  if (length === 0) return {};
  const all = Buffer.concat(chunks);
  return isUtf8(all) ? { body: all.toString() } : { rawBody: all.toString('base64') };
}

function callerOf(response: ServerResponse, started: number): CheckCaller {
  return {
    started,
    leftMs: Number.POSITIVE_INFINITY,
    isLate: false,
    get isCancelled() {
      return response.destroyed;
    },
    get signal() {
      const controller = new AbortController();
      response.once('close', () => {
        if (!response.writableEnded) controller.abort();
      });
      return controller.signal;
    },
  };
}

interface CheckResponse {
  readonly status: { readonly code?: number };
  readonly okResponse?: { readonly headers: Options; readonly responseHeadersToAdd: Options };
  readonly deniedResponse?: {
    readonly status: { readonly code: number };
    readonly headers?: Options;
    readonly body?: string;
  };
}

type Options = readonly { readonly header: { readonly key: string; readonly value: string } }[];

function answerOf(given: PlainObject): ForwardAnswer {
  const { status, okResponse, deniedResponse } = given as unknown as CheckResponse;
  if (status.code === undefined)
    return {
      status: 200,
      headers: headersOf([...(okResponse?.headers ?? []), ...(okResponse?.responseHeadersToAdd ?? [])]),
      body: '',
    };
  const code = deniedResponse?.status.code ?? 403;
  // To a gateway a status below 300 would mean that the request may go on.
  return {
    status: code < 300 ? 403 : code,
    headers: headersOf(deniedResponse?.headers ?? []),
    body: deniedResponse?.body ?? '',
  };
}

function headersOf(options: Options): OutgoingHttpHeaders {
  const headers = new Map<string, string[]>();
  for (const { header } of options) {
    const name = header.key.toLowerCase();
    // In UTF-8: Node makes one byte of each character.
    const value = Buffer.from(header.value).toString('latin1');
    const before = headers.get(name);
    if (before === undefined) headers.set(name, [value]);
    else before.push(value);
  }
  return Object.fromEntries([...headers].map(([name, values]) => [name, values.length === 1 ? values.join() : values]));
}

function send(response: ServerResponse, { status, headers, body }: ForwardAnswer): void {
  if (response.destroyed) return;
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}
