/** `/metrics`: the text format of Prometheus, with the reference's names. */
import { buildInfo } from '../runtime/engine/build-info.js';
import type { PlainObject } from '../runtime/values/value.js';

/** Upper bounds in seconds, as the reference has them. */
export const defaultBuckets = [1e-6, 5e-6, 1e-5, 5e-5, 1e-4, 5e-4, 1e-3, 0.01, 0.1, 1] as const;

export const prometheusContentType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

interface Series {
  readonly labels: string;
  readonly counts: number[];
  sum: number;
  count: number;
}

const durationName = 'http_request_duration_seconds';
const durationHelp = 'A histogram of duration for requests.';
/** The number that Prometheus' messages have for it. */
const histogramType = 4;

/** Durations of requests by status, handler and method. */
export class RequestDurations {
  readonly #buckets: readonly number[];
  /** By status, handler and method. */
  readonly #series = new Map<string, Series>();
  /** The one used last: most requests are alike. */
  #last: { readonly status: number; readonly handler: string; readonly method: string; readonly series: Series } | undefined;

  constructor(buckets: readonly number[] = defaultBuckets) {
    this.#buckets = buckets;
  }

  observe(status: number, handler: string, method: string, seconds: number): void {
    const last = this.#last;
    const isSame = last !== undefined && last.status === status && last.handler === handler && last.method === method;
    const series = isSame ? last.series : this.#seriesOf(status, handler, method);
    if (!isSame) this.#last = { status, handler, method, series };
    series.sum += seconds;
    series.count++;
    for (let i = this.#buckets.length - 1; i >= 0 && seconds <= this.#buckets[i]!; i--) series.counts[i]!++;
  }

  /** As status shows it: the family by its name, in the layout of Prometheus' own messages. */
  toJson(): PlainObject {
    const metric = [...this.#series.values()].map(({ labels, counts, sum, count }) => ({
      label: [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => ({ name: key!, value: value! })),
      histogram: {
        sample_count: count,
        sample_sum: sum,
        bucket: this.#buckets.map((bound, i) => ({ cumulative_count: counts[i]!, upper_bound: bound })),
      },
    }));
    if (metric.length === 0) return {};
    return { [durationName]: { name: durationName, help: durationHelp, type: histogramType, metric } };
  }

  #seriesOf(status: number, handler: string, method: string): Series {
    const key = `${status} ${handler} ${method}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      const labels = `code="${status}",handler="${handler}",method="${method.toLowerCase()}"`;
      series = { labels, counts: this.#buckets.map(() => 0), sum: 0, count: 0 };
      this.#series.set(key, series);
    }
    return series;
  }

  text(): string {
    const name = durationName;
    const lines = [`# HELP ${name} ${durationHelp}`, `# TYPE ${name} histogram`];
    for (const { labels, counts, sum, count } of [...this.#series.values()].sort((a, b) => (a.labels < b.labels ? -1 : 1))) {
      for (const [i, bound] of this.#buckets.entries()) lines.push(`${name}_bucket{${labels},le="${boundText(bound)}"} ${counts[i]}`);
      lines.push(`${name}_bucket{${labels},le="+Inf"} ${count}`, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`);
    }
    return `${lines.join('\n')}\n`;
  }
}

/** A bound as Go prints it: `1e-06`, `0.0001`. */
function boundText(bound: number): string {
  return bound < 1e-4 ? bound.toExponential().replace(/e-(\d)$/, 'e-0$1') : String(bound);
}

/** What is known of the process, under the names that Prometheus' own clients use. */
export function processText(): string {
  const { user, system } = process.cpuUsage();
  const memory = process.memoryUsage();
  return [
    gauge('opa_info', 'Information about the environment the server runs in.', 1, `version="${buildInfo.version}"`),
    gauge(
      'process_start_time_seconds',
      'Start time of the process since unix epoch in seconds.',
      Math.round(performance.timeOrigin) / 1000,
    ),
    counter('process_cpu_seconds_total', 'Total user and system CPU time spent in seconds.', (user + system) / 1e6),
    gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', memory.rss),
    gauge('nodejs_heap_size_total_bytes', 'Process heap size from Node.js in bytes.', memory.heapTotal),
    gauge('nodejs_heap_size_used_bytes', 'Process heap size used from Node.js in bytes.', memory.heapUsed),
    gauge('nodejs_external_memory_bytes', 'Node.js external memory size in bytes.', memory.external),
    gauge('nodejs_version_info', 'Node.js version info.', 1, `version="${process.version}"`),
  ].join('');
}

export function gauge(name: string, help: string, value: number, labels = ''): string {
  return sample('gauge', name, help, value, labels);
}

export function counter(name: string, help: string, value: number, labels = ''): string {
  return sample('counter', name, help, value, labels);
}

function sample(type: string, name: string, help: string, value: number, labels: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name}${labels === '' ? '' : `{${labels}}`} ${value}\n`;
}
