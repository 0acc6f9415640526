/** `run --ui`: the page of a running server, and the routes that it asks. */
import type { AppContext, Exchange, RecentDecision, RecentDecisions } from '../../../server/index.js';
import {
  type Answer,
  ApiError,
  authorize,
  type Handler,
  jsonAnswer,
  type Methods,
  type Route,
  routes,
  textAnswer,
} from '../../../server/index.js';
import { type PlainObject, toIndentedJson } from '../../../values/index.js';
import { builtFile, inspectorPage } from '../../inspect/inspector-page.js';
import { inspectorData } from '../inspector-routes.js';
import { isLocalHost, notLocal } from '../local-address.js';
import { dataView } from './data-view.js';
import { decisionDetail } from './decision-detail.js';
import { serverView } from './server-view.js';

/** Routes of the API that the page asks, at its own address. */
const shared = ['v1/query', 'v1/policies', 'health', 'metrics'];

/** Scripts and styles of the page's own address only, and no frames. */
const headers = {
  'content-security-policy': "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** @param recent the decisions that the page shows */
export function uiRoutes(recent: RecentDecisions): readonly Route[] {
  const own: readonly Route[] = [
    // The page is the same for everybody, and asks for a token where the policy wants one.
    { path: '/', label: 'ui', isOwn: true, isOpen: true, methods: { GET: getPage } },
    file('/ui.js', 'text/javascript; charset=utf-8'),
    file('/ui.css', 'text/css; charset=utf-8'),
    file('/ui.svg', 'image/svg+xml'),
    { path: '/ui/state', label: 'ui/state', isOwn: true, methods: { GET: getState(recent) } },
    { path: '/ui/data', label: 'ui/data', isOwn: true, methods: { GET: getData } },
    // The inspector's page, which asks for its data as the page of the server does.
    { path: '/ui/plan', label: 'ui/plan', isOwn: true, isOpen: true, methods: { GET: getInspector } },
    { path: '/ui/plan/data', label: 'ui/plan/data', isOwn: true, methods: { GET: getInspectorData(recent) } },
    { path: '/ui/decisions', label: 'ui/decisions', isOwn: true, methods: {}, below: { GET: getDecision(recent) } },
  ];
  const ofApi = routes.filter(({ label }) => shared.includes(label)).map(readOnly);
  return [...own, ...ofApi].map(guarded);
}

/** The routes of the API without those that change something. */
function readOnly(route: Route): Route {
  const kept = (methods: Methods): Methods =>
    Object.fromEntries(
      Object.entries(methods).filter(
        ([method]) => method === 'GET' || (method === 'POST' && route.label === 'v1/query'),
      ),
    );
  return { ...route, methods: kept(route.methods), ...(route.below && { below: kept(route.below) }) };
}

/** Without authorization, pages of other sites may not ask by a name of their own. */
function guarded(route: Route): Route {
  const guard =
    (handler: Handler): Handler =>
    (exchange, context) =>
      context.settings.authorization === 'off' && !isLocalHost(exchange.header('host'))
        ? notLocal
        : handler(exchange, context);
  const all = (methods: Methods): Methods =>
    Object.fromEntries(Object.entries(methods).map(([method, handler]) => [method, guard(handler)]));
  return { ...route, methods: all(route.methods), ...(route.below && { below: all(route.below) }) };
}

/** The page, with the status of what it will ask: it has nothing of the server in it. */
async function getPage(exchange: Exchange, context: AppContext): Promise<Answer> {
  let status = 200;
  try {
    if (context.settings.authorization === 'basic') await authorize(exchange, context);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    ({ status } = error);
  }
  return { ...textAnswer(status, builtFile('ui', 'index.html.gz'), 'text/html; charset=utf-8'), headers };
}

function file(path: string, contentType: string): Route {
  const get = () => ({ ...textAnswer(200, builtFile('ui', `${path.slice(1)}.gz`), contentType), headers });
  return { path, label: 'ui', isOwn: true, isOpen: true, methods: { GET: get } };
}

function getState(recent: RecentDecisions): Handler {
  return async (_exchange, context) => asJson(await serverView(context, recent));
}

/** `GET /ui/data?path=["roles"]`: the members of a base document. */
function getData({ params }: Exchange, { engine }: AppContext): Answer {
  const view = dataView(engine, params.get('path') ?? '[]');
  if (view === undefined) throw new ApiError(404, 'resource_not_found', 'there is no document at the path');
  return asJson(view);
}

function getDecision(recent: RecentDecisions): Handler {
  return async (exchange, context) => {
    const decision = kept(recent, exchange.path.slice('/ui/decisions/'.length));
    return asJson(await decisionDetail(decision, exchange, context));
  };
}

function getInspector(): Answer {
  // The page says itself which scripts it has.
  const framed = { ...headers, 'content-security-policy': "frame-ancestors 'none'" };
  return { ...textAnswer(200, inspectorPage(undefined), 'text/html; charset=utf-8'), headers: framed };
}

/**
 * `GET /ui/plan/data?path=authz/allow`, or `?decision=ID` with the input of the decision as the
 * decision log has it.
 */
function getInspectorData(recent: RecentDecisions): Handler {
  return async ({ params }, { engine }) => {
    const id = params.get('decision');
    const decision = id === undefined ? undefined : kept(recent, id);
    const { path, input } = decision?.event ?? {};
    const paths = typeof path === 'string' ? [path] : params.all('path');
    const data = await inspectorData(engine, paths, input === undefined ? '' : toIndentedJson(input));
    if (data === undefined) throw new ApiError(404, 'resource_not_found', 'there is no policy and no plan');
    return { ...textAnswer(200, JSON.stringify(data), 'application/json'), headers: uncached };
  };
}

function kept(recent: RecentDecisions, id: string): RecentDecision {
  const decision = recent.find(id);
  if (decision === undefined) throw new ApiError(404, 'resource_not_found', 'the decision is not kept any more');
  return decision;
}

const uncached = { 'cache-control': 'no-store' };

function asJson(view: object): Answer {
  return { ...jsonAnswer(200, view as PlainObject), headers: uncached };
}
