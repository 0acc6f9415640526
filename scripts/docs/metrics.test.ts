/** The page of metrics, alerts and dashboard name the metrics that there are, and no others. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, onTestFinished, test } from 'vitest';
import { CheckMetrics } from '../../server/gateway/envoy/check-metrics.js';
import { defaultBuckets } from '../../server/observability/request-durations.js';
import { serverMetrics } from '../../server/observability/server-metrics.js';
import { temporaryDirectory } from '../../test/harness/disk.js';
import { testServer } from '../../test/harness/server/app.js';
import { serverProcess } from '../../test/harness/server/process.js';
import { metricsIn } from './queries.js';

const docs = join(import.meta.dirname, '../../docs');
const text = (path: string) => readFileSync(join(docs, path), 'utf8');

interface Row {
  readonly type: string;
  readonly labels: readonly string[];
}

/** The rows of the page, by metric. */
const listed = new Map<string, Row>(
  [...text('operator/metrics.md').matchAll(/^\| `(\w+)` \| (\w+) \| (.*?) ?\| \S.* \|$/gm)].map(([, name, type, labels]) => [
    name!,
    { type: type!, labels: [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label!) },
  ]),
);

/** Bundles of files, of which one cannot be compiled. */
function bundleFolders(): { good: string; bad: string } {
  const folder = temporaryDirectory();
  for (const [name, policy] of [['good', 'x := 1'] as const, ['bad', 'x := y'] as const]) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'p.rego'), `package ${name}\n\n${policy}\n`);
    writeFileSync(join(folder, name, '.manifest'), `{"roots": ["${name}"], "revision": "1"}`);
  }
  return { good: join(folder, 'good'), bad: join(folder, 'bad') };
}

/** A configuration with which all metrics are shown. */
function fullConfig() {
  const { good, bad } = bundleFolders();
  return {
    bundles: { good: { resource: `file://${good}` }, bad: { resource: `file://${bad}` } },
    status: { prometheus: true },
    decision_logs: { console: true },
    storage: { file: { directory: join(temporaryDirectory(), 'log') } },
  };
}

test('the page lists each metric of a server with its type and its labels, and no other', async () => {
  const { context, ask, close } = await testServer({ config: fullConfig() });
  onTestFinished(close);
  await ask('POST', '/v1/data/good/x', '{}');
  const checks = new CheckMetrics(defaultBuckets);
  checks.observe(0.001);
  checks.fail('a');
  const metrics = await serverMetrics({ ...context, checks });
  const found = metrics.map(({ family: { name, type }, samples, histograms }) => {
    const labels = [...samples, ...histograms].map((series) => Object.keys(series.labels));
    expect(labels.length, name).toBeGreaterThan(0);
    return [name, { type, labels: labels[0] }] as const;
  });
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(found));
});

test('a running server shows metrics of the page alone', { timeout: 60_000 }, async () => {
  const file = join(temporaryDirectory(), 'config.json');
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, JSON.stringify(fullConfig()));
  const server = await serverProcess('-c', file, '--workers', '2');
  await server.decide('good/x');
  const shown = await (await fetch(`${server.url}/metrics`)).text();
  const types = Object.fromEntries([...shown.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name!, type!]));
  const unseen = Object.keys(types).filter((name) => listed.get(name)?.type !== types[name]);
  expect(unseen).toEqual([]);
  // Envoy's checks are not configured; all else has a value.
  const missing = [...listed.keys()].filter((name) => types[name] === undefined && !/^(grpc_|error_)/.test(name));
  expect(missing).toEqual([]);
});

/** The names that a query may have beside those of writ: Prometheus' own. */
const own = { metrics: ['up', 'ALERTS'], labels: ['job', 'instance', 'le'] };

function expectKnown(query: string): void {
  for (const { name, labels } of metricsIn(query)) {
    if (own.metrics.includes(name)) continue;
    const series = /^(.*)_(bucket|sum|count)$/.exec(name);
    const family = series !== null && listed.get(series[1]!)?.type === 'histogram' ? series[1]! : name;
    const row = listed.get(family);
    expect(row, `${name} in ${query}`).toBeDefined();
    expect(row!.type === 'histogram', `${name} in ${query}`).toBe(family !== name);
    expect(
      labels.filter((label) => !row!.labels.includes(label) && !own.labels.includes(label)),
      query,
    ).toEqual([]);
  }
}

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const { rules: alerts } = (load(text('deploy/prometheus/alerts.yaml')) as { groups: { rules: Alert[] }[] }).groups[0]!;

test.each(alerts)('the alert $alert asks for metrics that there are, and names a section of the runbook', (alert) => {
  expect(metricsIn(alert.expr).length).toBeGreaterThan(0);
  expectKnown(alert.expr);
  const [page, anchor] = alert.annotations.runbook.split('#');
  expect(page).toBe('docs/operator/runbook.md');
  const anchors = [...text('operator/runbook.md').matchAll(/^## (.*)$/gm)].map(([, title]) => title!.toLowerCase().replaceAll(' ', '-'));
  expect(anchors).toContain(anchor);
});

test('the page of alerts has a row for each alert', () => {
  const rows = [...text('operator/alerts.md').matchAll(/^\| `(Writ\w+)` \| (\w+) \|/gm)].map(([, name, severity]) => [name, severity]);
  expect(rows).toEqual(alerts.map(({ alert, labels }) => [alert, labels.severity]));
});

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly targets?: readonly { readonly expr: string }[];
}

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly definition?: string }[] };
}

const dashboard = JSON.parse(text('deploy/grafana/writ.json')) as Dashboard;
const panels = dashboard.panels.filter(({ type }) => type !== 'row');

test.each(panels)('the panel "$title" asks for metrics that there are, and says what it shows', ({ description, targets }) => {
  expect(description).toMatch(/\.$/);
  for (const { expr } of targets!) {
    expect(metricsIn(expr).length).toBeGreaterThan(0);
    expectKnown(expr);
  }
});

test('variables of the dashboard are made of metrics that there are', () => {
  const queries = dashboard.templating.list.flatMap(({ definition }) => definition ?? []);
  expect(queries.length).toBe(2);
  for (const query of queries) expectKnown(/^label_values\((.*), \w+\)$/.exec(query)![1]!);
});

test('most metrics are in the dashboard', () => {
  const asked = panels.flatMap(({ targets }) => targets!.flatMap(({ expr }) => metricsIn(expr).map(({ name }) => name)));
  const shown = [...listed.keys()].filter((name) => asked.some((other) => other === name || other.startsWith(`${name}_`)));
  expect(shown.length).toBeGreaterThan(20);
});

const hasPromtool = spawnSync('promtool', ['--version'], { stdio: 'ignore' }).status === 0;
if (!hasPromtool && process.env.WRIT_PROMTOOL === 'required') throw new Error('promtool is not installed');
if (!hasPromtool) console.log('tests with promtool are skipped: promtool (of the package prometheus) is not installed');

function promtool(...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: join(docs, 'deploy/prometheus'), encoding: 'utf8' });
  expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
}

test.runIf(hasPromtool)('each alert fires where it should, and none for a healthy server', { timeout: 60_000 }, () => {
  promtool('test', 'rules', 'alerts.test.yaml');
});

test('the test of the alerts expects each of them', () => {
  const expected = [...text('deploy/prometheus/alerts.test.yaml').matchAll(/alertname="(\w+)"/g)].map(([, name]) => name);
  expect(expected).toEqual(alerts.map(({ alert }) => alert));
});

test.runIf(hasPromtool)('Prometheus can read the queries of the dashboard', { timeout: 60_000 }, () => {
  const queries = panels.flatMap(({ targets }) => targets!.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')));
  const rules = queries.map((expr, i) => ({ record: `query:${i}`, expr }));
  const file = join(temporaryDirectory(), 'rules.yaml');
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  promtool('check', 'rules', file);
});
