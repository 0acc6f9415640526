/** Timers and counters of one request, under the reference's names. */
import type { PlainObject } from '../../runtime/values/value.js';

export class Metrics {
  readonly #values = new Map<string, number>();

  /** Adds nanoseconds to a timer. */
  add(timer: string, nanoseconds: number): void {
    this.#values.set(timer, (this.#values.get(timer) ?? 0) + nanoseconds);
  }

  /** Adds the time since `start`, which is a reading of `performance.now()`. */
  since(timer: string, start: number): void {
    this.add(timer, Math.round((performance.now() - start) * 1e6));
  }

  set(counter: string, value: number): void {
    this.#values.set(counter, value);
  }

  /** Times a piece of work. */
  time<T>(timer: string, work: () => T): T {
    const start = performance.now();
    try {
      return work();
    } finally {
      this.since(timer, start);
    }
  }

  toJson(): PlainObject {
    return Object.fromEntries([...this.#values].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** The timers' names. */
export const timers = {
  inputParse: 'timer_rego_input_parse_ns',
  queryParse: 'timer_rego_query_parse_ns',
  queryCompile: 'timer_rego_query_compile_ns',
  queryEval: 'timer_rego_query_eval_ns',
  moduleParse: 'timer_rego_module_parse_ns',
  moduleCompile: 'timer_rego_module_compile_ns',
  loadBundles: 'timer_rego_load_bundles_ns',
  handler: 'timer_server_handler_ns',
  readBytes: 'timer_server_read_bytes_ns',
} as const;

/** 1 where a program was at hand, 0 where it had to be made. */
export const cacheHit = 'counter_server_query_cache_hit';
