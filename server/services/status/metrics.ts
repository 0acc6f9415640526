/** The metrics of bundles and plugins with `status.prometheus`, under the reference's names. */

import { type PlainObject, parseRfc3339, type Value } from '../../../values/index.js';
import { Histogram, type Labels, type Metric, type MetricFamily, type MetricSample } from '../metrics/prometheus.js';
import { neverStamp } from '../timestamp.js';

/** Upper bounds in nanoseconds: a microsecond, then each twice the one before. */
export const defaultLoadBuckets: readonly number[] = Array.from({ length: 20 }, (_, i) => 1000 * 2 ** i);

interface Count {
  readonly labels: Labels;
  value: number;
}

const loadedName = 'bundle_loaded_counter';
const failedName = 'bundle_failed_load_counter';
const activationName = 'last_success_bundle_activation';

const durationFamily: MetricFamily = {
  name: 'bundle_loading_duration_ns',
  type: 'histogram',
  help: 'Nanoseconds that the stages of loading a bundle took.',
};

const families: readonly MetricFamily[] = [
  { name: 'plugin_status_gauge', type: 'gauge', help: 'Always 1; the labels are a plugin and its state.' },
  { name: loadedName, type: 'counter', help: 'Looks at a bundle after which it was active and without an error.' },
  { name: failedName, type: 'counter', help: 'Looks at a bundle that ended with an error.' },
  { name: 'last_bundle_request', type: 'gauge', help: 'Unix time in nanoseconds of the last look at a bundle.' },
  { name: activationName, type: 'gauge', help: 'Unix time in nanoseconds at which a bundle was last activated.' },
  {
    name: 'last_success_bundle_download',
    type: 'gauge',
    help: 'Unix time in nanoseconds at which a changed bundle was last fetched.',
  },
  {
    name: 'last_success_bundle_request',
    type: 'gauge',
    help: 'Unix time in nanoseconds of the last look at a bundle without an error.',
  },
];

/** The fields of a bundle's status that gauges of times show. */
const times: Readonly<Record<string, string>> = {
  last_bundle_request: 'last_request',
  [activationName]: 'last_successful_activation',
  last_success_bundle_download: 'last_successful_download',
  last_success_bundle_request: 'last_successful_request',
};

/** The most series of a counter: error messages are labels, and have file names in them. */
const mostSeries = 1000;

export class StatusMetrics {
  readonly #buckets: readonly number[];
  readonly #counters = new Map<string, Map<string, Count>>();
  readonly #durations = new Map<string, Histogram>();
  /** The last counted fetch and activation of each bundle. */
  readonly #seen = new Map<string, { readonly request: Value | undefined; readonly activation: Value | undefined }>();

  constructor(buckets: readonly number[] = defaultLoadBuckets) {
    this.#buckets = buckets;
  }

  /** Counts each fetch of a bundle once, by the changes of the statuses. */
  update(bundles: PlainObject): void {
    for (const name of this.#seen.keys()) if (!Object.hasOwn(bundles, name)) this.#seen.delete(name);
    for (const [name, value] of Object.entries(bundles)) this.#updateBundle(name, value as PlainObject);
  }

  #updateBundle(name: string, status: PlainObject): void {
    const seen = this.#seen.get(name);
    const { last_request: request, last_successful_activation: activation, code, message, metrics } = status;
    if (request === neverStamp || (seen?.request === request && seen?.activation === activation)) return;
    if (code === undefined && activation !== neverStamp) this.#count(loadedName, { name });
    else this.#count(failedName, { name, code: String(code ?? ''), message: String(message ?? '') });
    if (seen?.activation !== activation && activation !== neverStamp) {
      for (const [stage, nanoseconds] of Object.entries((metrics ?? {}) as PlainObject))
        this.#observe(name, stage, Number(nanoseconds));
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
    if (histogram === undefined) this.#durations.set(key, (histogram = new Histogram({ name, stage }, this.#buckets)));
    histogram.observe(nanoseconds);
  }

  /** All families, those without samples too. */
  metrics(bundles: PlainObject, plugins: PlainObject): readonly Metric[] {
    const samples = this.#samples(bundles, plugins);
    return [
      ...families.map((family) => ({ family, samples: samples.get(family.name) ?? [], histograms: [] })),
      { family: durationFamily, samples: [], histograms: [...this.#durations.values()] },
    ];
  }

  /** The samples of all families: gauges of the present, counters of the past. */
  #samples(bundles: PlainObject, plugins: PlainObject): ReadonlyMap<string, readonly MetricSample[]> {
    const samples = new Map<string, readonly MetricSample[]>();
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
        return time === neverStamp ? [] : [{ labels, value: nanosecondsOf(String(time)) }];
      });
      samples.set(gauge, all);
    }
    return samples;
  }
}

/** Nanoseconds since 1970, rounded to a double. */
function nanosecondsOf(time: string): number {
  const parsed = parseRfc3339(time);
  return parsed === undefined ? 0 : parsed.seconds * 1e9 + parsed.nanos;
}
