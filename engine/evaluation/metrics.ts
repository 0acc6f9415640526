/** Timers and counters of one request, under the reference's names. */
import { type BuiltinMetrics, type PlainObject, type Steps, timedSteps } from '../../values/index.js';

export class Metrics implements BuiltinMetrics {
  readonly #values = new Map<string, number>();
  readonly #counted = new Set<string>();
  readonly #times = new Map<string, number[]>();

  /** Adds to a timer, in nanoseconds, or to a counter. */
  add(name: string, value: number): void {
    this.#values.set(name, (this.#values.get(name) ?? 0) + value);
  }

  /** Counts a thing, unless it is counted already, by whichever counter. */
  count(counter: string, thing: string): void {
    if (this.#counted.has(thing)) return;
    this.#counted.add(thing);
    this.add(counter, 1);
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

  /** The same steps. The timer gets their own time, without that of other tasks in between. */
  timeSteps<Result>(timer: string, steps: Steps<Result>): Steps<Result> {
    return timedSteps(steps, (ms) => this.add(timer, Math.round(ms * 1e6)));
  }

  /** Notes one of many times of an operation of the evaluator: a timer and a histogram. */
  observe(operation: string, nanoseconds: number): void {
    this.add(`timer_eval_op_${operation}_ns`, nanoseconds);
    const name = `histogram_eval_op_${operation}`;
    const times = this.#times.get(name);
    if (times === undefined) this.#times.set(name, [nanoseconds]);
    else times.push(nanoseconds);
  }

  toJson(): PlainObject {
    const histograms = [...this.#times].map(([name, times]) => [name, histogramOf(times)] as const);
    return Object.fromEntries([...this.#values, ...histograms].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Under the reference's names. */
function histogramOf(times: readonly number[]): PlainObject {
  const sorted = times.toSorted((a, b) => a - b);
  const count = sorted.length;
  const mean = sorted.reduce((sum, time) => sum + time, 0) / count;
  const stddev = Math.sqrt(sorted.reduce((sum, time) => sum + (time - mean) ** 2, 0) / count);
  // A timer has at least one time.
  const at = (share: number) => sorted[Math.min(count - 1, Math.floor(count * share))]!;
  const shares = { median: 0.5, '75%': 0.75, '90%': 0.9, '95%': 0.95, '99%': 0.99, '99.9%': 0.999, '99.99%': 0.9999 };
  const quantiles = Object.entries(shares).map(([name, share]) => [name, at(share)] as const);
  return { count, min: at(0), max: at(1), mean, stddev, ...Object.fromEntries(quantiles) };
}

/** The timers' names. */
export const timers = {
  inputParse: 'timer_rego_input_parse_ns',
  queryParse: 'timer_rego_query_parse_ns',
  queryCompile: 'timer_rego_query_compile_ns',
  queryEval: 'timer_rego_query_eval_ns',
  /** Always 0: no document is anywhere but in the store. */
  externalResolve: 'timer_rego_external_resolve_ns',
  moduleParse: 'timer_rego_module_parse_ns',
  moduleCompile: 'timer_rego_module_compile_ns',
  bundleRequest: 'timer_bundle_request_ns',
  dataParse: 'timer_rego_data_parse_ns',
  loadBundles: 'timer_rego_load_bundles_ns',
  handler: 'timer_server_handler_ns',
  /** The time of a decision in the process, from its call to its result. */
  sdkDecision: 'timer_sdk_decision_eval_ns',
  /** The times of data filters. */
  prepPartial: 'timer_compile_prep_partial_ns',
  evalConstraints: 'timer_compile_eval_constraints_ns',
  translateQueries: 'timer_compile_translate_queries_ns',
  extractUnknowns: 'timer_compile_extract_annotations_unknowns_ns',
  extractMaskRule: 'timer_compile_extract_annotations_mask_ns',
  evalMaskRule: 'timer_compile_eval_mask_rule_ns',
  readBytes: 'timer_server_read_bytes_ns',
} as const;

/** 1 where a program was at hand, 0 where it had to be made. */
export const cacheHit = 'counter_server_query_cache_hit';
