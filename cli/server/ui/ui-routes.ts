/** `run --ui`: the page of a running server, and the routes that it asks. */

import type { Engine } from '../../../engine/index.js';
import type {
  AppContext,
  Exchange,
  Handler,
  HttpAnswer,
  Methods,
  RecentDecision,
  RecentDecisions,
  Route,
} from '../../../server/index.js';
import { ApiError, authorize, jsonAnswer, routes, textAnswer } from '../../../server/index.js';
import { isArray, isObject, type PlainObject, toIndentedJson, toJson, type Value } from '../../../values/index.js';
import { builtFile, inspectorPage } from '../../inspect/inspector-page.js';
import type { DataMember, DocumentView } from '../../web/server/server-view.js';
import { inspectorData } from '../inspector-routes.js';
import { isLocalHost, notLocal } from '../local-address.js';
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
async function getPage(exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
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
function getData({ params }: Exchange, { engine }: AppContext): HttpAnswer {
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

function getInspector(): HttpAnswer {
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

function asJson(view: object): HttpAnswer {
  return { ...jsonAnswer(200, view as PlainObject), headers: uncached };
}

/** Members of a document that are shown. */
const mostMembers = 500;
/** Characters of a value that are shown. */
const mostCharacters = 200;

/**
 * The members of a base document, without those of its members.
 * @param pathJson segments as a JSON array
 * @returns undefined where there is no document with members
 */
function dataView(engine: Engine, pathJson: string): DocumentView | undefined {
  const path = segmentsOf(pathJson);
  const value = path && engine.readData(path);
  if (path === undefined || value === undefined || value === null || !(isArray(value) || isObject(value)))
    return undefined;
  const keys = isArray(value) ? [...value.keys()].map(String) : Object.keys(value);
  const members = keys.slice(0, mostMembers).map((key) => {
    const member = isArray(value) ? value[Number(key)] : (value as PlainObject)[key];
    return memberOf(key, member as Value);
  });
  return { path, members, omitted: keys.length - members.length };
}

function segmentsOf(text: string): readonly string[] | undefined {
  try {
    const path: unknown = JSON.parse(text);
    return Array.isArray(path) && path.every((part) => typeof part === 'string') ? path : undefined;
  } catch {
    return undefined;
  }
}

function memberOf(key: string, value: Value): DataMember {
  if (isArray(value)) return { key, size: value.length, text: value.length === 0 ? '[]' : '[…]' };
  if (value !== null && isObject(value)) {
    const size = Object.keys(value).length;
    return { key, size, text: size === 0 ? '{}' : '{…}' };
  }
  const isLong = typeof value === 'string' && value.length > mostCharacters;
  return { key, text: isLong ? `${toJson(value.slice(0, mostCharacters))}…` : toJson(value) };
}
