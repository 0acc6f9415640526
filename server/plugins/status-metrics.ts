/** What `/metrics` tells of bundles and plugins with `status.prometheus`, under the reference's names. */
import { parseRfc3339 } from '../../runtime/builtins/time/rfc3339.js';
import type { PlainObject, Value } from '../../runtime/values/value.js';
import { never } from './timestamp.js';

/** Upper bounds in nanoseconds: from a microsecond up, each twice the one before. */
export const defaultLoadBuckets: readonly number[] = Array.from({ length: 20 }, (_, i) => 1000 * 2 ** i);

type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly labels: Labels;
  value: number;
}

interface Histogram {
  readonly labels: Labels;
  readonly counts: number[];
  sum: number;
  count: number;
}

const loadedName = 'bundle_loaded_counter';
const failedName = 'bundle_failed_load_counter';
const durationName = 'bundle_loading_duration_ns';
const activationName = 'last_success_bundle_activation';

const helps: Readonly<Record<string, readonly [type: 'counter' | 'gauge' | 'histogram', help: string]>> = {
  plugin_status_gauge: ['gauge', 'Gauge for the plugin by status.'],
  [loadedName]: ['counter', 'Counter for the bundle loaded.'],
  [failedName]: ['counter', 'Counter for the failed bundle load.'],
  last_bundle_request: ['gauge', 'Gauge for the last bundle request.'],
  [activationName]: ['gauge', 'Gauge for the last success bundle activation.'],
  last_success_bundle_download: ['gauge', 'Gauge for the last success bundle download.'],
  last_success_bundle_request: ['gauge', 'Gauge for the last success bundle request.'],
  [durationName]: ['histogram', 'Histogram for the bundle loading duration by stage.'],
};

/** The numbers that Prometheus' messages have for types. */
const typeNumbers = { counter: 0, gauge: 1, histogram: 4 } as const;

/** Gauges of times by the field of a bundle's status. */
const times: Readonly<Record<string, string>> = {
  last_bundle_request: 'last_request',
  [activationName]: 'last_successful_activation',
  last_success_bundle_download: 'last_successful_download',
  last_success_bundle_request: 'last_successful_request',
};

/** So many series a counter may have: messages of errors are labels, and files' names are in them. */
const mostSeries = 1000;

export class StatusMetrics {
  readonly #buckets: readonly number[];
  readonly #counters = new Map<string, Map<string, Sample>>();
  readonly #durations = new Map<string, Histogram>();
  /** When each bundle was looked at and activated last, as counted. */
  readonly #seen = new Map<string, { readonly request: Value | undefined; readonly activation: Value | undefined }>();

  constructor(buckets: readonly number[] = defaultLoadBuckets) {
    this.#buckets = buckets;
  }

  /** Counts what is new in the bundles' statuses: each look at a resource once. */
  update(bundles: PlainObject): void {
    for (const name of this.#seen.keys()) if (!Object.hasOwn(bundles, name)) this.#seen.delete(name);
    for (const [name, value] of Object.entries(bundles)) this.#updateBundle(name, value as PlainObject);
  }

  #updateBundle(name: string, status: PlainObject): void {
    const seen = this.#seen.get(name);
    const { last_request: request, last_successful_activation: activation, code, message, metrics } = status;
    if (request === never || (seen?.request === request && seen?.activation === activation)) return;
    if (code === undefined && activation !== never) this.#count(loadedName, { name });
    else this.#count(failedName, { name, code: String(code ?? ''), message: String(message ?? '') });
    if (seen?.activation !== activation && activation !== never) {
      for (const [stage, nanoseconds] of Object.entries((metrics ?? {}) as PlainObject)) this.#observe(name, stage, Number(nanoseconds));
    }
    this.#seen.set(name, { request, activation });
  }

  #count(counter: string, labels: Labels): void {
    let samples = this.#counters.get(counter);
    if (samples === undefined) this.#counters.set(counter, (samples = new Map()));
    const key = JSON.stringify(labels);
    const sample = samples.get(key);
    if (sample !== undefined) sample.value++;
    else if (samples.size < mostSeries) samples.set(key, { labels, value: 1 });
  }

  #observe(name: string, stage: string, nanoseconds: number): void {
    const key = `${stage} ${name}`;
    let histogram = this.#durations.get(key);
    if (histogram === undefined) {
      histogram = { labels: { name, stage }, counts: this.#buckets.map(() => 0), sum: 0, count: 0 };
      this.#durations.set(key, histogram);
    }
    histogram.sum += nanoseconds;
    histogram.count++;
    for (const [i, bound] of this.#buckets.entries()) if (nanoseconds <= bound) histogram.counts[i]!++;
  }

  /** In Prometheus' text format. */
  text(bundles: PlainObject, plugins: PlainObject): string {
    const families = [...this.#samples(bundles, plugins)].map(([name, samples]) =>
      family(
        name,
        samples.map(({ labels, value }) => line(name, labels, value)),
      ),
    );
    return [
      ...families,
      family(
        durationName,
        [...this.#durations.values()].flatMap((histogram) => this.#histogramLines(histogram)),
      ),
    ].join('');
  }

  /** In the layout of Prometheus' own messages, by name. */
  toJson(bundles: PlainObject, plugins: PlainObject): PlainObject {
    const families: [string, Value][] = [...this.#samples(bundles, plugins)].flatMap(([name, samples]) => {
      const kind = helps[name]![0];
      const metric = samples.map(({ labels, value }) => ({ label: labelList(labels), [kind]: { value } }));
      return metric.length === 0 ? [] : [[name, familyValue(name, metric)]];
    });
    const durations = [...this.#durations.values()].map(({ labels, counts, sum, count }) => ({
      label: labelList(labels),
      histogram: {
        sample_count: count,
        sample_sum: sum,
        bucket: this.#buckets.map((bound, i) => ({ cumulative_count: counts[i]!, upper_bound: bound })),
      },
    }));
    if (durations.length > 0) families.push([durationName, familyValue(durationName, durations)]);
    return Object.fromEntries(families);
  }

  /** Gauges tell what is now, counters what was. */
  #samples(bundles: PlainObject, plugins: PlainObject): ReadonlyMap<string, readonly Sample[]> {
    const samples = new Map<string, readonly Sample[]>();
    const states = Object.entries(plugins).map(([name, plugin]) => ({
      labels: { name, status: String((plugin as PlainObject).state) },
      value: 1,
    }));
    samples.set('plugin_status_gauge', states);
    for (const [name, counted] of this.#counters) samples.set(name, [...counted.values()]);
    for (const [gauge, field] of Object.entries(times)) {
      const all = Object.entries(bundles).flatMap(([name, bundle]) => {
        const { [field]: time, active_revision: revision = '' } = bundle as PlainObject;
        const labels: Labels = gauge === activationName ? { name, active_revision: String(revision) } : { name };
        return time === never ? [] : [{ labels, value: nanosecondsOf(String(time)) }];
      });
      samples.set(gauge, all);
    }
    return samples;
  }

  #histogramLines({ labels, counts, sum, count }: Histogram): readonly string[] {
    return [
      ...this.#buckets.map((bound, i) => line(`${durationName}_bucket`, { ...labels, le: String(bound) }, counts[i]!)),
      line(`${durationName}_bucket`, { ...labels, le: '+Inf' }, count),
      line(`${durationName}_sum`, labels, sum),
      line(`${durationName}_count`, labels, count),
    ];
  }
}

/** As near as a double comes. */
function nanosecondsOf(time: string): number {
  const parsed = parseRfc3339(time);
  return parsed === undefined ? 0 : parsed.seconds * 1e9 + parsed.nanos;
}

function family(name: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const [type, help] = helps[name]!;
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function line(name: string, labels: Labels, value: number): string {
  const shown = Object.entries(labels).map(([label, text]) => `${label}="${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`);
  return `${name}{${shown.join(',')}} ${value}\n`;
}

function familyValue(name: string, metric: Value): Value {
  const [type, help] = helps[name]!;
  return { name, help, type: typeNumbers[type], metric };
}

function labelList(labels: Labels): Value {
  return Object.entries(labels).map(([name, value]) => ({ name, value }));
}
