/** The state of a server for its page. */

import { documentText, packageSegments } from '../../../compiler/index.js';
import { buildInfo } from '../../../engine/index.js';
import type { AppContext, Metric, RecentDecision, RecentDecisions } from '../../../server/index.js';
import { neverStamp, serverMetrics } from '../../../server/index.js';
import { capabilitiesVersion, isObject, type PlainObject, toJson, type Value } from '../../../values/index.js';
import type {
  BundleView,
  DecisionView,
  HealthView,
  MetricsView,
  PolicyView,
  ServerView,
} from '../../web/server/server-view.js';

/** Characters of a result in the list of decisions. */
const mostCharacters = 120;

export async function serverView(context: AppContext, recent: RecentDecisions): Promise<ServerView> {
  const { version } = context.engine;
  const nowMs = Date.now();
  return {
    version: buildInfo.version,
    opa: capabilitiesVersion.slice(1),
    startedMs: Math.round(nowMs - 1000 * process.uptime()),
    nowMs,
    revision: version.revision,
    health: healthOf(context),
    bundles: bundlesOf(context),
    policies: policiesOf(context),
    metrics: metricsOf(await serverMetrics(context)),
    decisions: recent.all().map(decisionView),
  };
}

function healthOf({ plugins }: AppContext): HealthView {
  const states = [...plugins.states()].map(([name, status]) => ({ name, ...status }));
  return { isReady: plugins.bundlesActivated() && states.every(({ state }) => state === 'OK'), plugins: states };
}

/** Bundles that are loaded, and those that are configured and could not be loaded. */
function bundlesOf({ engine, plugins }: AppContext): readonly BundleView[] {
  const statuses = (plugins.snapshot().bundles ?? {}) as { readonly [name: string]: PlainObject };
  const active = new Map(engine.version.active.map((bundle) => [bundle.name, bundle]));
  const names = new Set([...active.keys(), ...Object.keys(statuses)]);
  return [...names].sort().map((name) => {
    const bundle = active.get(name);
    const status = statuses[name];
    return {
      name,
      isActive: bundle !== undefined,
      revision: bundle?.revision ?? '',
      roots: bundle?.roots ?? [],
      ...present({
        activatedMs: timeOf(status?.last_successful_activation),
        requestedMs: timeOf(status?.last_request),
        error: typeof status?.message === 'string' ? faultOf(status) : undefined,
      }),
    };
  });
}

function faultOf({ message, errors }: PlainObject): string {
  const all = Array.isArray(errors)
    ? errors.map((error: Value) => (typeof error === 'string' ? error : toJson(error)))
    : [];
  return [message as string, ...all].join('\n');
}

function policiesOf({ engine }: AppContext): readonly PolicyView[] {
  return engine.policies().map(({ id, module, bundle }) => ({
    id,
    package: documentText(packageSegments(module)),
    path: packageSegments(module).join('/'),
    rules: module.rules.length,
    ...present({ bundle }),
  }));
}

function metricsOf(metrics: readonly Metric[]): MetricsView {
  const named = (name: string) => metrics.find(({ family }) => family.name === name);
  const value = (name: string) => named(name)?.samples[0]?.value ?? 0;
  const requests = named('http_request_duration_seconds')?.histograms.map(({ state }) => state) ?? [];
  // The page's own requests would hide those that it shows.
  const asked = requests.filter(({ labels }) => !labels.handler?.startsWith('ui'));
  const count = (all: typeof asked) => all.reduce((sum, state) => sum + state.count, 0);
  return {
    requests: count(asked),
    failures: count(asked.filter(({ labels }) => Number(labels.code) >= 500)),
    requestSeconds: asked.reduce((sum, state) => sum + state.sum, 0),
    cpuSeconds: value('process_cpu_seconds_total'),
    residentBytes: value('process_resident_memory_bytes'),
    heapBytes: value('nodejs_heap_size_used_bytes'),
  };
}

function decisionView({ event }: RecentDecision): DecisionView {
  const { decision_id: id, path, query, result, error, requested_by: by, timestamp } = event;
  const outcome = error !== undefined ? 'error' : result !== undefined ? 'value' : 'undefined';
  return {
    id: String(id),
    timeMs: timeOf(timestamp) ?? 0,
    question: typeof path === 'string' ? path : typeof query === 'string' ? query : 'data',
    outcome,
    text: beginning(error !== undefined ? errorText(error) : result === undefined ? '' : toJson(result)),
    ...present({ by: typeof by === 'string' ? by : undefined, milliseconds: handlerMs(event) }),
  };
}

function handlerMs({ metrics }: PlainObject): number | undefined {
  const timers = metrics as PlainObject | undefined;
  const time = timers?.timer_server_handler_ns ?? timers?.timer_rego_query_eval_ns;
  return typeof time === 'number' ? time / 1e6 : undefined;
}

function errorText(error: Value): string {
  const message = error !== null && isObject(error) ? (error as PlainObject).message : undefined;
  return typeof message === 'string' ? message : toJson(error);
}

function beginning(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
}

/** Milliseconds since 1970; undefined for a time that has not come. */
function timeOf(time: Value | undefined): number | undefined {
  if (typeof time !== 'string' || time === neverStamp) return undefined;
  return Date.parse(time);
}

/** The members that are defined. */
function present<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof present<T>
  >;
}
