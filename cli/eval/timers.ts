/** Timers for the stages of a command. */

import { Metrics } from '../../engine/index.js';
import type { BuiltinMetrics, PlainObject } from '../../values/index.js';

/** Names of the reference, without `timer_` and `_ns`. */
export type TimerName =
  | 'rego_load_bundles'
  | 'rego_load_files'
  | 'rego_module_parse'
  | 'rego_module_compile'
  | 'rego_query_parse'
  | 'rego_query_compile'
  | 'rego_partial_eval'
  | 'rego_query_eval';

export class Timers {
  readonly #metrics = new Metrics();
  readonly #isWanted: boolean;

  /**
   * @param isWanted whether `time` measures; if not, a start is a millisecond shorter, because Node
   * loads `performance` at its first use
   */
  constructor(isWanted = true) {
    this.#isWanted = isWanted;
  }

  /** Takes the measurements of built-ins; undefined where nobody asks. */
  get builtins(): BuiltinMetrics | undefined {
    return this.#isWanted ? this.#metrics : undefined;
  }

  /** Adds to a timer by its full name. */
  add(name: string, nanoseconds: number): void {
    this.#metrics.add(name, nanoseconds);
  }

  /** Notes one of many times of an operation. */
  observe(operation: string, nanoseconds: number): void {
    this.#metrics.observe(operation, nanoseconds);
  }

  /** Runs a function, and times it even if it fails. */
  async time<T>(name: TimerName, action: () => T | Promise<T>): Promise<T> {
    if (!this.#isWanted) return await action();
    const start = performance.now();
    try {
      return await action();
    } finally {
      this.#metrics.since(`timer_${name}_ns`, start);
    }
  }

  /** `{"timer_rego_query_eval_ns": 1234}`. */
  get metrics(): PlainObject {
    return this.#metrics.toJson();
  }
}
