/**
 * Programs that versions of the policies hand on. An entry is replaced when it is asked for and a
 * rule that it was planned from has changed.
 */

import type { PlanInputs, RuleTree } from '../../compiler/index.js';
import { LruCache } from '../../values/index.js';
import type { EvaluationTarget } from '../evaluation/evaluate.js';

export interface CacheEntry {
  /** A promise while it is being planned. */
  result: EvaluationTarget | Promise<EvaluationTarget>;
  /** The parts of the policies that it was planned from. */
  readonly inputs: PlanInputs;
  /** The version of the rules for which it is known to be valid. */
  version: number;
  /** Planning ended with an error: the next caller tries again. */
  failed: boolean;
}

/** Whether an entry is valid for a version of the rules. */
export function isValidFor(entry: CacheEntry, version: number, tree: RuleTree): boolean {
  if (entry.failed) return false;
  if (entry.version === version) return true;
  // Its inputs are complete only once it is planned.
  if (entry.result instanceof Promise || !entry.inputs.hold(tree)) return false;
  entry.version = version;
  return true;
}

/** The most programs for paths below rules with keys, and the most for queries. */
const keptPrograms = 500;

/** The programs for whole rules above which those of removed rules are dropped. */
const many = 1000;

export class PlanCache {
  /** Entries by the path of a rule or package: there are not many more than rules. */
  readonly whole = new Map<string, CacheEntry>();
  /** Entries by a path below a rule, whose last segments are the client's. */
  readonly partial = new LruCache<CacheEntry>(keptPrograms);
  readonly queries = new LruCache<CacheEntry>(keptPrograms);
  #limit = many;
  #versions = 0;

  /** A number for a version of the rules. */
  newVersion(): number {
    return this.#versions++;
  }

  /** Drops the programs of rules that are gone. */
  prune(tree: RuleTree): void {
    if (this.whole.size < this.#limit) return;
    for (const [key, entry] of this.whole) if (!entry.inputs.hold(tree)) this.whole.delete(key);
    this.#limit = many + 2 * this.whole.size;
  }
}
