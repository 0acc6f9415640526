/**
 * Results of rules that depend on the base documents alone, kept for later evaluations over the
 * same documents (`lowering/passes/data-rules.ts`).
 */

import { changesOf, type PlainObject, type Value } from '../../values/index.js';
import type { noValue } from './rule-memory.js';

export type KeptResult = Value | typeof noValue;

/** The results over one state of the documents. */
interface KeptOfDocuments {
  /** How often the documents had been written in place. */
  readonly changes: number;
  /** Results by function: they go with its program. */
  readonly results: WeakMap<object, KeptResult>;
  /** Units of work that the results took, which bound their size. */
  work: number;
}

/** Results that took more work together, some tenths of a second, are not kept. */
const mostWork = 5_000_000;

/** The results that an engine keeps. */
export class KeptResults {
  /** Results by the root of the documents: they go with it. */
  #documents = new WeakMap<PlainObject, KeptOfDocuments>();
  /** Whether a result was ever kept: those that callers get may share parts with it. */
  isUsed = false;

  /** The result of a rule over documents; undefined where it is to be computed. */
  get(rule: object, documents: PlainObject): KeptResult | undefined {
    const kept = this.#documents.get(documents);
    if (kept === undefined || kept.changes === changesOf(documents)) return kept?.results.get(rule);
    // Before the new results are made: both may be large.
    this.#documents.delete(documents);
    return undefined;
  }

  /** @param work units that the rule took */
  keep(rule: object, documents: PlainObject, result: KeptResult, work: number): void {
    const changes = changesOf(documents);
    let kept = this.#documents.get(documents);
    if (kept?.changes !== changes)
      this.#documents.set(documents, (kept = { changes, results: new WeakMap(), work: 0 }));
    if (kept.work + work > mostWork) return;
    kept.work += work;
    kept.results.set(rule, result);
    this.isUsed = true;
  }

  /** Drops all: the work of policies that were replaced would count on. */
  clear(): void {
    this.#documents = new WeakMap();
  }
}
