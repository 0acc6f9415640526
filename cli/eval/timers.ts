/** Timers for the stages of a command. */
import type { PlainObject } from '../../runtime/values/value.js';

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
  readonly #nanoseconds = new Map<TimerName, number>();
  readonly #others = new Map<string, number>();

  /** Adds to a timer by its full name. */
  add(name: string, nanoseconds: number): void {
    this.#others.set(name, (this.#others.get(name) ?? 0) + nanoseconds);
  }

  /** Times a function, even if it fails. */
  async time<T>(name: TimerName, action: () => T | Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await action();
    } finally {
      this.#nanoseconds.set(name, (this.#nanoseconds.get(name) ?? 0) + Math.round((performance.now() - start) * 1e6));
    }
  }

  /** `{"timer_rego_query_eval_ns": 1234}`. */
  get metrics(): PlainObject {
    return Object.fromEntries([...[...this.#nanoseconds].map(([name, ns]): [string, number] => [`timer_${name}_ns`, ns]), ...this.#others]);
  }
}
