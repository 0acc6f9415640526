import { Histogram, type HistogramState, type Metric, type MetricFamily } from '../services/metrics/prometheus.js';

/** Upper bounds in seconds, which are the reference's. */
export const defaultBuckets = [1e-6, 5e-6, 1e-5, 5e-5, 1e-4, 5e-4, 1e-3, 0.01, 0.1, 1] as const;

const family: MetricFamily = {
  name: 'http_request_duration_seconds',
  type: 'histogram',
  help: 'Seconds from the arrival of a request to its answer.',
};

/** Durations of requests by status, handler and method. */
export class RequestDurations {
  readonly #buckets: readonly number[];
  readonly #series = new Map<string, Histogram>();
  /** The series used last: most requests are of one kind. */
  #last:
    | { readonly status: number; readonly handler: string; readonly method: string; readonly series: Histogram }
    | undefined;

  constructor(buckets: readonly number[] = defaultBuckets) {
    this.#buckets = buckets;
  }

  observe(status: number, handler: string, method: string, seconds: number): void {
    const last = this.#last;
    const isSame = last !== undefined && last.status === status && last.handler === handler && last.method === method;
    const series = isSame ? last.series : this.#seriesOf(status, handler, method);
    if (!isSame) this.#last = { status, handler, method, series };
    series.observe(seconds);
  }

  #seriesOf(status: number, handler: string, method: string): Histogram {
    const key = `${status} ${handler} ${method}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      const labels = { code: String(status), handler, method: method.toLowerCase() };
      this.#series.set(key, (series = new Histogram(labels, this.#buckets)));
    }
    return series;
  }

  /** The histograms so far. */
  states(): readonly HistogramState[] {
    return [...this.#series.values()].map(({ state }) => state);
  }

  /** These and the histograms of other processes. */
  with(states: readonly HistogramState[]): RequestDurations {
    if (states.length === 0) return this;
    const all = new RequestDurations(this.#buckets);
    all.add(this.states());
    all.add(states);
    return all;
  }

  /** Adds the histograms of another process. */
  add(states: readonly HistogramState[]): void {
    for (const state of states) {
      const { code, handler = '', method = '' } = state.labels;
      this.#seriesOf(Number(code), handler, method.toUpperCase()).add(state);
    }
  }

  /** All series, in the order of their labels. */
  get metric(): Metric {
    const inOrder = [...this.#series].sort(([a], [b]) => (a < b ? -1 : 1));
    return { family, samples: [], histograms: inOrder.map(([, series]) => series) };
  }
}
