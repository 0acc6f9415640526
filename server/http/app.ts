/** The server as one function from requests to responses: what comes before routing, the routes in Hono, what comes after. */
import { Hono } from 'hono';
import type { AppContext } from '../control/app-context.js';
import { requestLog } from '../observability/request-log.js';
import { ApiError, apiErrorOf } from './api-error.js';
import { checkLength } from './body.js';
import { Exchange, type NodeBindings } from './exchange.js';
import { authorize } from './middleware/authorize.js';
import { openApiDocument } from './openapi/openapi.js';
import { percentDecoded } from './params.js';
import { cleaned, withoutSlash, withSlash } from './request-path.js';
import { type Answer, badRequest, errorAnswer, jsonAnswer, methodNotAllowed, notFound, redirect, respond } from './response.js';
import { getData, postData } from './routes/data.js';
import { deleteDocument, patchDocument, putDocument } from './routes/documents.js';
import { getHealth, getPolicyHealth } from './routes/health.js';
import { deletePolicy, getPolicy, listPolicies, putPolicy } from './routes/policies.js';
import { getQuery, postQuery } from './routes/query.js';
import { compileFilters, getConfig, getIndex, getMetrics, getStatus, postCompile } from './routes/server-state.js';
import { postDefaultDecision, postWebhook } from './routes/webhook.js';

type Handler = (exchange: Exchange, services: AppContext) => Answer | Promise<Answer>;

interface Route {
  readonly path: string;
  /** What `/metrics` calls the handler. */
  readonly label: string;
  /** Any other method is answered 405. */
  readonly methods: Readonly<Record<string, Handler>>;
}

const below = '/:rest{.+}';

/** All routes. The OpenAPI document has a path for each. */
export const routes: readonly Route[] = [
  { path: '/', label: 'index', methods: { GET: getIndex, POST: postDefaultDecision } },
  { path: '/v0/data', label: 'v0/data', methods: { POST: postWebhook } },
  { path: `/v0/data${below}`, label: 'v0/data', methods: { POST: postWebhook } },
  { path: '/v1/data', label: 'v1/data', methods: { GET: getData, POST: postData, PUT: putDocument, PATCH: patchDocument } },
  {
    path: `/v1/data${below}`,
    label: 'v1/data',
    methods: { GET: getData, POST: postData, PUT: putDocument, PATCH: patchDocument, DELETE: deleteDocument },
  },
  { path: '/v1/policies', label: 'v1/policies', methods: { GET: listPolicies } },
  { path: `/v1/policies${below}`, label: 'v1/policies', methods: { GET: getPolicy, PUT: putPolicy, DELETE: deletePolicy } },
  { path: '/v1/query', label: 'v1/query', methods: { GET: getQuery, POST: postQuery } },
  { path: `/v1/query${below}`, label: 'v1/query', methods: {} },
  { path: '/v1/compile', label: 'v1/compile', methods: { POST: postCompile } },
  { path: `/v1/compile${below}`, label: 'v1/compile', methods: { GET: compileFilters, POST: compileFilters } },
  { path: '/v1/config', label: 'v1/config', methods: { GET: getConfig } },
  { path: '/v1/status', label: 'v1/status', methods: { GET: getStatus } },
  { path: '/health', label: 'health', methods: { GET: getHealth } },
  { path: `/health${below}`, label: 'health', methods: { GET: getPolicyHealth } },
  { path: '/metrics', label: 'metrics', methods: { GET: getMetrics } },
  { path: '/openapi.json', label: 'openapi', methods: { GET: ({ params }) => jsonAnswer(200, openApiDocument(), params.on('pretty')) } },
];

/** Those that a diagnostic address serves. */
const diagnosticLabels = ['health', 'metrics'];

interface Environment {
  readonly Bindings: { readonly exchange: Exchange };
}

export interface ServerApp {
  /** @param bindings what @hono/node-server passes; a test may leave it out */
  fetch(request: Request, bindings?: NodeBindings): Promise<Response>;
}

/** @example await createApp(services).fetch(new Request('http://localhost/v1/data/authz/allow')) */
export function createApp(services: AppContext, { diagnosticsOnly = false } = {}): ServerApp {
  const served = routes.filter(({ label }) => !diagnosticsOnly || diagnosticLabels.includes(label));
  const labels = new PathLabels(served);
  const hono = honoOf(served, labels, services);
  const { settings, durations, logger } = services;
  const log = requestLog(logger, settings.limits);
  let count = 0;

  const answer = (exchange: Exchange, found: Answer) => respond(exchange, found, settings.compression);

  const refused = (exchange: Exchange, error: unknown) => answer(exchange, errorAnswer(loggedError(error, services)));

  const folderOf = ({ method, path }: Exchange) => (labels.of(path) === undefined ? undefined : withSlash(method, path));

  const headOrTrace = (exchange: Exchange): Answer => {
    const folder = folderOf(exchange);
    if (folder !== undefined) return redirect(exchange, folder, 307);
    return labels.of(exchange.path) === undefined ? notFound : methodNotAllowed;
  };

  const route = (exchange: Exchange): Response | Promise<Response> => {
    const elsewhere = cleaned(exchange.path) ?? folderOf(exchange);
    return elsewhere === undefined ? hono.fetch(exchange.request, { exchange }) : answer(exchange, redirect(exchange, elsewhere, 307));
  };

  const dispatch = (exchange: Exchange): Response | Promise<Response> => {
    const { path, method } = exchange;
    if (path.includes('%') && percentDecoded(path) === undefined) return answer(exchange, badRequest);
    if (method === 'HEAD' || method === 'TRACE') return answer(exchange, headOrTrace(exchange));
    try {
      checkLength(exchange, settings.limits);
    } catch (error) {
      return refused(exchange, error);
    }
    const slashless = withoutSlash(path);
    if (slashless !== undefined) return answer(exchange, redirect(exchange, slashless, 301));
    if (settings.authorization === 'off' || diagnosticsOnly) return route(exchange);
    return authorize(exchange, services).then(
      () => route(exchange),
      (error) => refused(exchange, error),
    );
  };

  return {
    async fetch(request, bindings = {}) {
      const exchange = new Exchange(request, bindings, ++count);
      const noting = log?.received(exchange);
      if (noting !== undefined) await noting;
      const response = await dispatch(exchange);
      exchange.release();
      const seconds = (performance.now() - exchange.started) / 1000;
      const label = labels.of(exchange.path) ?? 'catchall';
      if (label !== 'metrics') durations.observe(response.status, label, exchange.method, seconds);
      log?.sent(exchange, response.status, seconds);
      return response;
    },
  };
}

function honoOf(served: readonly Route[], labels: PathLabels, services: AppContext): Hono<Environment> {
  const hono = new Hono<Environment>({ getPath: (_request, options) => (options!.env as Environment['Bindings']).exchange.path });
  const { compression } = services.settings;
  for (const { path, methods } of served) {
    for (const [method, handler] of Object.entries(methods)) {
      hono.on(method, path, async ({ env: { exchange } }): Promise<Response> => {
        const found = handler(exchange, services);
        return respond(exchange, found instanceof Promise ? await found : found, compression);
      });
    }
  }
  // Not by a handler for all methods: where two handlers fit, Hono calls them by way of a chain, which takes as long as all the rest of it.
  hono.notFound(({ env: { exchange } }) =>
    respond(exchange, labels.of(exchange.path) === undefined ? notFound : methodNotAllowed, compression),
  );
  hono.onError((error, { env: { exchange } }) => respond(exchange, errorAnswer(loggedError(error, services)), compression));
  return hono;
}

/** An error as it is answered; one that nobody foresaw leaves its trace in the log. */
function loggedError(error: unknown, { logger }: AppContext): ApiError {
  const known = apiErrorOf(error);
  if (known.status === 500 && known.errors.length === 0 && !(error instanceof ApiError)) {
    logger.error('Request failed.', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
  return known;
}

/** Which handler a path belongs to, undefined where none does. */
class PathLabels {
  readonly #exact = new Map<string, string>();
  /** Most requests are like the one before. */
  #lastPath: string | undefined;
  #lastLabel: string | undefined;
  readonly #prefixes: readonly (readonly [string, string])[];

  constructor(served: readonly Route[]) {
    const prefixes: (readonly [string, string])[] = [];
    for (const { path, label } of served) {
      if (path.endsWith(below)) prefixes.push([path.slice(0, -below.length + 1), label]);
      else this.#exact.set(path, label);
    }
    this.#prefixes = prefixes;
  }

  of(path: string): string | undefined {
    if (path === this.#lastPath) return this.#lastLabel;
    this.#lastPath = path;
    this.#lastLabel = this.#find(path);
    return this.#lastLabel;
  }

  #find(path: string): string | undefined {
    return this.#exact.get(path) ?? this.#prefixes.find(([prefix]) => path.startsWith(prefix))?.[1];
  }
}
