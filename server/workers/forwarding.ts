/** Requests that workers pass on to the primary. */
import type { AppContext } from '../control/app-context.js';
import type { ServerApp } from '../http/app.js';
import { readBody } from '../http/requests/body.js';
import type { Exchange } from '../http/requests/exchange.js';
import { transactionOf } from '../http/requests/transaction.js';
import type { HttpAnswer } from '../http/responses/answer.js';
import { type Handler, type Methods, type Route, routes } from '../http/route-table.js';
import { authorizeOperations } from '../http/routes/transactions.js';
import { authorOf } from '../http/writes.js';
import type { ForwardedAnswer, ForwardedRequest } from './messages.js';

/** Paths of which the primary answers all requests: its plugins and the measurements are there. */
const ofPrimary: ReadonlySet<string> = new Set(['health', 'metrics', 'v1/config', 'v1/diff', 'v1/status']);
const writing: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);

/** The routes of a worker: writes, and requests about the whole, are passed on. */
export function workerRoutes(forward: (request: ForwardedRequest) => Promise<ForwardedAnswer>): readonly Route[] {
  const handler: Handler = async (exchange, context) => {
    const answer = await forward(await requestOf(exchange, context));
    exchange.revision = answer.revision;
    return answerOf(answer);
  };
  const replaced = (methods: Methods, label: string): Methods =>
    Object.fromEntries(
      Object.entries(methods).map(([method, own]) => [
        method,
        ofPrimary.has(label) || writing.has(method) ? handler : own,
      ]),
    );
  const transaction: Handler = async (exchange, context) => {
    // The primary authorizes nothing.
    await authorizeOperations(await transactionOf(exchange, context.settings), exchange, context);
    return await handler(exchange, context);
  };
  return routes.map(({ methods, below, ...route }) => ({
    ...route,
    methods: route.label === 'v1/transactions' ? { POST: transaction } : replaced(methods, route.label),
    ...(below && { below: replaced(below, route.label) }),
  }));
}

/** Headers about the connection and the form of the body, which is passed on inflated. */
const dropped: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

async function requestOf(exchange: Exchange, { settings }: AppContext): Promise<ForwardedRequest> {
  const { method, path, search } = exchange;
  const headers = [...exchange.headers()].flatMap(([name, values]) =>
    dropped.has(name.toLowerCase()) ? [] : values.flatMap((value) => [name, value]),
  );
  const body = method === 'GET' ? new Uint8Array() : await readBody(exchange, settings.limits);
  return { method, target: path + search, headers, body, author: authorOf(exchange, settings) };
}

function answerOf({ status, contentType, location, headers, body }: ForwardedAnswer): HttpAnswer {
  return {
    status,
    body,
    headers,
    ...(contentType !== undefined && { contentType }),
    ...(location !== undefined && { location }),
  };
}

/** Others are about the body, or the worker's own. */
const passedBack: ReadonlySet<string> = new Set(['etag', 'retry-after']);

/** Answers a forwarded request as the primary's app does, without authorization. */
export async function answerForwarded(
  app: ServerApp,
  { method, target, headers, body, author }: ForwardedRequest,
): Promise<ForwardedAnswer> {
  // Names and values in turn.
  const pairs = headers.flatMap((name, i): [string, string][] => (i % 2 === 0 ? [[name, headers[i + 1] ?? '']] : []));
  const request = new Request('http://localhost/', {
    method,
    headers: pairs,
  });
  const response = await app.fetch(request, { forwarded: { target, body, author } });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? undefined,
    location: response.headers.get('location') ?? undefined,
    headers: Object.fromEntries([...response.headers].filter(([name]) => passedBack.has(name))),
    revision: Number(response.headers.get('revision')),
    body: response.status === 204 ? null : bytes,
  };
}
