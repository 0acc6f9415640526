/**
 * The server as one function from requests to responses. Hono matches the path; checks and handlers
 * follow.
 */
import { Hono } from 'hono';
import type { AppContext } from '../control/app-context.js';
import { requestLog } from '../observability/request-log.js';
import { awaitedLines } from '../services/logs/console-sink.js';
import type { TraceSpan, Tracing } from '../services/tracing/tracing.js';
import { authorize } from './middleware/authorize.js';
import { checkLength } from './requests/body.js';
import { Exchange, type NodeBindings } from './requests/exchange.js';
import { percentDecoded } from './requests/params.js';
import { cleaned, withoutSlash, withSlash } from './requests/path.js';
import type { AnswerForm, HttpAnswer } from './responses/answer.js';
import { badRequest, errorAnswer, methodNotAllowed, notFound, redirect } from './responses/answer.js';
import { ApiError, apiErrorOf, invalidParameter, unavailable } from './responses/api-error.js';
import { respond } from './responses/response.js';
import { routes as allRoutes, diagnosticRoutes, type Handler, type Methods, type Route } from './route-table.js';

interface Environment {
  readonly Bindings: { readonly exchange: Exchange };
}

export interface ServerApp {
  /** @param bindings request and response of Node; a test may leave them out */
  fetch(request: Request, bindings?: NodeBindings): Promise<Response>;
}

interface AppOptions {
  /** Whether it serves health and metrics alone, to anybody. */
  readonly diagnosticsOnly?: boolean;
  /** Whether requests are those of another process, which has logged and counted them. */
  readonly isForwarded?: boolean;
  /** Default: all. */
  readonly routes?: readonly Route[];
}

/** The clients that an app answers, and the routes that it has for them. */
interface Access {
  /** Whether no decision authorizes requests. */
  readonly isOpen: boolean;
  readonly diagnosticsOnly: boolean;
}

/** @example await createApp(context).fetch(new Request('http://localhost/v1/data/authz/allow')) */
export function createApp(
  context: AppContext,
  { diagnosticsOnly = false, isForwarded = false, routes = allRoutes }: AppOptions = {},
): ServerApp {
  const { settings, durations, logger, tracing } = context;
  const access = { isOpen: settings.authorization === 'off' || diagnosticsOnly, diagnosticsOnly };
  const hono = honoOf(diagnosticsOnly ? diagnosticRoutes : routes, context, access);
  const log = isForwarded ? undefined : requestLog(logger, settings.limits);
  let count = 0;
  return {
    async fetch(request, bindings = {}) {
      const exchange = new Exchange(
        request,
        bindings,
        ++count,
        settings.evaluationTimeMs,
        context.engine.version.revision,
      );
      const noting = log?.received(exchange);
      if (noting !== undefined) await noting;
      const response = await (tracing === undefined
        ? hono.fetch(request, { exchange })
        : traced(tracing, exchange, async () => await hono.fetch(request, { exchange })));
      if (exchange.logged !== undefined) await exchange.logged;
      const lines = awaitedLines();
      if (lines !== undefined) await lines;
      exchange.release();
      const seconds = (performance.now() - exchange.started) / 1000;
      if (!isForwarded && exchange.label !== 'metrics')
        durations.observe(response.status, exchange.label, exchange.method, seconds);
      log?.sent(exchange, response.status, seconds);
      return response;
    },
  };
}

function traced(tracing: Tracing, exchange: Exchange, answer: () => Promise<Response>): Promise<Response> {
  const answered = (span: TraceSpan) => {
    exchange.span = span;
    return answer();
  };
  return tracing.request(exchange, answered, () => exchange.label);
}

/**
 * Hono with one handler for each route. The handler takes all methods: with a second handler for
 * the same path Hono would run both through a chain of promises, which doubles its time.
 */
function honoOf(served: readonly Route[], context: AppContext, access: Access): Hono<Environment> {
  const { compression } = context.settings;
  const answer = (exchange: Exchange, route: Route | undefined): Response | Promise<Response> => {
    if (route?.form !== undefined)
      return formedAnswer(exchange, route, route.form, context, access).then((found) =>
        respond(exchange, found, compression),
      );
    const found = answerOf(exchange, route, context, access);
    return found instanceof Promise
      ? found.then((settled) => respond(exchange, settled, compression))
      : respond(exchange, found, compression);
  };
  // Routes are matched by the path as sent: Hono's default is one that a parser has normalized.
  const getPath = (_request: Request, options?: { readonly env?: unknown }) =>
    (options!.env as Environment['Bindings']).exchange.path;
  const hono = new Hono<Environment>({ getPath });
  for (const route of served) {
    hono.all(route.below === undefined ? route.path : `${route.path}/*`, ({ env: { exchange } }) => {
      if (route.isServed?.(context.settings) === false) return answer(exchange, undefined);
      exchange.label = route.label;
      return answer(exchange, route);
    });
  }
  hono.notFound(({ env: { exchange } }) => answer(exchange, undefined));
  hono.onError((error, { env: { exchange } }) =>
    respond(exchange, errorAnswer(loggedError(error, context)), compression),
  );
  return hono;
}

/** An answer in the form of another API, with its errors. Never rejects. */
async function formedAnswer(
  exchange: Exchange,
  route: Route,
  form: AnswerForm,
  context: AppContext,
  access: Access,
): Promise<HttpAnswer> {
  let found: HttpAnswer;
  try {
    found = await answerOf(exchange, route, context, access);
  } catch (error) {
    found = form.errorAnswer(loggedError(error, context));
  }
  return form.complete(exchange, found);
}

/**
 * Refuses or redirects the request, or calls its route's handler. Throws or rejects with any error.
 */
function answerOf(
  exchange: Exchange,
  route: Route | undefined,
  context: AppContext,
  access: Access,
): HttpAnswer | Promise<HttpAnswer> {
  const { path, method } = exchange;
  if (path.includes('%') && percentDecoded(path) === undefined) return badRequest;
  const isAnswered = method === 'HEAD' ? route?.methods.HEAD !== undefined : method !== 'TRACE' && method !== 'CONNECT';
  if (isAnswered) {
    checkLength(exchange, context.settings.limits);
    const slashless = withoutSlash(path);
    if (slashless !== undefined && route !== undefined) return redirect(exchange, slashless, 301);
  }
  const answer = () => (isAnswered ? routed(exchange, route, context) : unanswered(exchange, route, access));
  // A method that no route has is authorized, too: its answer tells which paths exist.
  return access.isOpen || route?.isOpen === true ? answer() : authorize(exchange, context).then(answer);
}

/** The answer to a method that is served nowhere, or not by the route. */
function unanswered(exchange: Exchange, route: Route | undefined, { diagnosticsOnly }: Access): HttpAnswer {
  // It names no path but a host.
  if (exchange.method === 'CONNECT') return diagnosticsOnly ? notFound : methodNotAllowed;
  return folderRedirect(exchange, route) ?? refusal(route);
}

function routed(exchange: Exchange, route: Route | undefined, context: AppContext): HttpAnswer | Promise<HttpAnswer> {
  const clean = cleaned(exchange.path);
  if (clean !== undefined) return redirect(exchange, clean, 307);
  if (route === undefined) return notFound;
  const redirected = folderRedirect(exchange, route);
  if (redirected !== undefined) return redirected;
  const handler = handlerOf(route, exchange);
  if (handler === undefined) return refusal(route);
  const waiting = revisionWait(exchange, context);
  return waiting === undefined ? handler(exchange, context) : waiting.then(() => handler(exchange, context));
}

/**
 * The handler of a request whose path the route matched; undefined where the method is not allowed.
 */
function handlerOf({ path, methods, below = {} }: Route, exchange: Exchange): Handler | undefined {
  const allowed = exchange.path.length <= path.length + 1 ? atPath(path, exchange.path, methods) : below;
  return Object.hasOwn(allowed, exchange.method) ? allowed[exchange.method] : undefined;
}

/** `/v1/compile/`, with nothing behind the slash, is neither the path nor below it. */
function atPath(path: string, requested: string, methods: Methods): Methods {
  return requested === path ? methods : {};
}

/** The answer to a method that the route does not have. */
function refusal(route: Route | undefined): HttpAnswer {
  return route === undefined || route.isOwn === true ? notFound : methodNotAllowed;
}

/** The redirect of a request that names a folder of paths without the slash behind it. */
function folderRedirect(exchange: Exchange, route: Route | undefined): HttpAnswer | undefined {
  const folder = route === undefined ? undefined : withSlash(exchange.method, exchange.path);
  return folder === undefined ? undefined : redirect(exchange, folder, 307);
}

/** The answer to an error. An unexpected error is logged with its stack. */
function loggedError(error: unknown, { logger }: AppContext): ApiError {
  const known = apiErrorOf(error);
  if (known.status === 500 && known.errors.length === 0 && !(error instanceof ApiError)) {
    logger.error('Request failed.', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
  return known;
}

/**
 * Waits as `Min-Revision` and `Consistency` say; undefined where the request has neither. Rejects
 * with an ApiError where the revision is not applied in time.
 */
function revisionWait(exchange: Exchange, context: AppContext): Promise<void> | undefined {
  const least = exchange.header('min-revision');
  const consistency = exchange.header('consistency');
  return least === undefined && consistency === undefined ? undefined : waitFor(least, consistency, exchange, context);
}

async function waitFor(
  least: string | undefined,
  consistency: string | undefined,
  exchange: Exchange,
  { writing, settings, engine }: AppContext,
): Promise<void> {
  if (least !== undefined && !/^\d{1,15}$/.test(least)) throw invalidParameter('Min-Revision must be a whole number');
  if (consistency !== undefined && consistency !== 'strong') throw invalidParameter('Consistency must be "strong"');
  const until = performance.now() + settings.revisionWaitMs;
  const head = consistency === undefined ? 0 : await writing.head();
  const revision = Math.max(head, Number(least ?? 0));
  // Asked for its head, the log is followed at once: processes of a file are told of no writes.
  if (consistency === undefined && revision > engine.version.revision) void writing.head().catch(() => undefined);
  const timeMs = Math.min(until, exchange.deadline.until) - performance.now();
  if (!(await engine.whenRevision(revision, timeMs, exchange.signal)))
    throw unavailable(`revision ${revision} is not applied yet: this is revision ${engine.version.revision}`);
  exchange.revision = engine.version.revision;
}
