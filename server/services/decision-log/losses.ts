/** Counts of events that were not logged, under the reference's names. */
import type { PlainObject } from '../../../values/index.js';
import { type Metric, type MetricFamily, singleMetric } from '../metrics/prometheus.js';

const families = {
  bufferBytes: counter(
    'dropped_buffer_size_limit_bytes_exceeded',
    'Events that were dropped because too many bytes of them waited.',
  ),
  bufferEvents: counter(
    'dropped_buffer_size_limit_exceeded',
    'Events that were dropped because too many of them waited.',
  ),
  rate: counter('dropped_rate_limit_exceeded', 'Events that were dropped because there were too many in a second.'),
  encoding: counter('encoding_failure', 'Events that were dropped because they are too large.'),
  ndBuiltinCache: counter('nd_builtin_cache_dropped', 'Events that were too large, and lost their nd_builtin_cache.'),
} as const;

export type Loss = keyof typeof families;

function counter(name: string, help: string): MetricFamily {
  return { name: `decision_logs_${name}`, type: 'counter', help };
}

export class Losses {
  readonly #counts = new Map<Loss, number>();

  add(loss: Loss, count = 1): void {
    this.#counts.set(loss, (this.#counts.get(loss) ?? 0) + count);
  }

  /** All counts, which are none afterwards. */
  take(): readonly (readonly [Loss, number])[] {
    const all = [...this.#counts];
    this.#counts.clear();
    return all;
  }

  /** Losses by name, as status shows them; undefined without any. */
  toJson(): PlainObject | undefined {
    if (this.#counts.size === 0) return undefined;
    return Object.fromEntries([...this.#counts].map(([loss, count]) => [`counter_${families[loss].name}`, count]));
  }

  /** The metrics of lost events for `/metrics`. */
  metrics(): readonly Metric[] {
    return (Object.keys(families) as Loss[]).map((loss) => singleMetric(families[loss], this.#counts.get(loss) ?? 0));
  }
}
