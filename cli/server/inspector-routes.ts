/** `run --inspect`: the inspector's page of the policies that a server has now. */
import { debugInfo, type Module, packageSegments, plan } from '../../compiler/index.js';
import { buildInfo, type Engine } from '../../engine/index.js';
import { loadPlan } from '../../ir-schema/index.js';
import { type AppContext, type Exchange, type HttpAnswer, type Route, textAnswer } from '../../server/index.js';
import { toIndentedJson } from '../../values/index.js';
import { inspectorPage } from '../inspect/inspector-page.js';
import { inspectedPlan } from '../web/data/inspected-plan.js';
import type { PageData, PagePlan } from '../web/data/page-data.js';
import { isLocalHost, notLocal } from './local-address.js';

/** Letters of base documents in the page: of more there are none. */
const mostData = 1_000_000;

export const inspectorRoutes: readonly Route[] = [
  { path: '/', label: 'inspector', isOwn: true, methods: { GET: getPage } },
];

/** `GET /?path=authz/allow`: the plan of a rule, without a path that of all packages. */
async function getPage(exchange: Exchange, { engine }: AppContext): Promise<HttpAnswer> {
  if (!isLocalHost(exchange.header('host'))) return notLocal;
  const wanted = exchange.params.all('path');
  const data = await inspectorData(engine, wanted, '{}');
  if (data === undefined) return text(404, 'there is no policy and no plan\n');
  return textAnswer(200, inspectorPage(data), 'text/html; charset=utf-8');
}

/**
 * The data of the inspector's page for a server; undefined where there is no policy and no plan.
 * @param paths documents as `authz/allow`; all packages without one
 * @param input the input to begin with, as JSON
 */
export async function inspectorData(
  engine: Engine,
  paths: readonly string[],
  input: string,
): Promise<PageData | undefined> {
  const inspected = (await plannedNow(engine, paths)) ?? builtPlan(engine);
  return (
    inspected && {
      version: buildInfo.version,
      title: paths.join(', ') || 'all packages',
      sources: engine.policies().map(({ raw, module }) => ({ file: module.source.file, text: raw })),
      plan: inspected,
      documents: { input, data: dataText(engine) },
    }
  );
}

function text(status: number, body: string): HttpAnswer {
  return textAnswer(status, body, 'text/plain; charset=utf-8');
}

/** The plan of paths, by default of the packages; undefined for a server without policies. */
async function plannedNow(engine: Engine, paths: readonly string[]): Promise<PagePlan | undefined> {
  const compiled = await engine.version.policies?.compiled();
  if (compiled === undefined) return undefined;
  const named = paths.map((path) => path.split('/').filter((part) => part !== ''));
  const wanted = named.length > 0 ? named : packagesOf(engine.policies().map(({ module }) => module));
  const requests = wanted.map((path) => ({ name: path.join('/'), path }));
  const policy = plan(compiled, requests, { notes: true });
  return inspectedPlan(policy, debugInfo(policy, compiled));
}

/** The packages with rules, but those of the server itself. */
function packagesOf(modules: readonly Module[]): string[][] {
  const paths = modules.filter(({ rules }) => rules.length > 0).map((module) => packageSegments(module));
  const distinct = new Map(paths.filter(([first]) => first !== 'system').map((path) => [path.join('/'), [...path]]));
  return [...distinct.values()];
}

/** The first plan of the bundles. */
function builtPlan({ version }: Engine): PagePlan | undefined {
  const [first] = [...version.bundles.values()].flatMap(({ plans }) => plans);
  return first && inspectedPlan(loadPlan(first.policy));
}

function dataText(engine: Engine): string {
  try {
    return toIndentedJson(engine.store.root, '  ', '', mostData);
  } catch {
    return '';
  }
}
