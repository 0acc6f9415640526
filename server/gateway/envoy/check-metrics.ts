/** Durations of checks, and counts of their errors. */
import { Histogram, type HistogramState, type Metric, type MetricFamily } from '../../services/metrics/prometheus.js';

const durations: MetricFamily = {
  name: 'grpc_request_duration_seconds',
  type: 'histogram',
  help: 'Seconds from the arrival of a check to its answer.',
};

const errors: MetricFamily = {
  name: 'error_counter',
  type: 'counter',
  help: 'Checks that ended in an error, by its code.',
};

/** The measurements of one process. */
export interface CheckCounts {
  readonly durations: HistogramState;
  readonly errors: ReadonlyMap<string, number>;
}

/** Codes of errors in a policy's hands are few, but built-ins may name some. */
const mostReasons = 1000;

export class CheckMetrics {
  readonly #buckets: readonly number[];
  readonly #durations: Histogram;
  readonly #errors = new Map<string, number>();

  constructor(buckets: readonly number[]) {
    this.#buckets = buckets;
    this.#durations = new Histogram({ handler: 'check' }, buckets);
  }

  observe(seconds: number): void {
    this.#durations.observe(seconds);
  }

  fail(reason: string, count = 1): void {
    const before = this.#errors.get(reason);
    if (before !== undefined || this.#errors.size < mostReasons) this.#errors.set(reason, (before ?? 0) + count);
  }

  get counts(): CheckCounts {
    return { durations: this.#durations.state, errors: new Map(this.#errors) };
  }

  add(other: CheckCounts): void {
    this.#durations.add(other.durations);
    for (const [reason, count] of other.errors) this.fail(reason, count);
  }

  /** These and those of other processes. Nothing is shown before the first check. */
  metrics(others: readonly CheckCounts[] = []): readonly Metric[] {
    const all = new CheckMetrics(this.#buckets);
    for (const counts of [this.counts, ...others]) all.add(counts);
    const samples = [...all.#errors]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([reason, value]) => ({ labels: { reason }, value }));
    const histograms = all.#durations.state.count === 0 ? [] : [all.#durations];
    return [
      { family: durations, samples: [], histograms },
      { family: errors, samples, histograms: [] },
    ];
  }
}
