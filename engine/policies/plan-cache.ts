/** What was planned, handed on from one version of the policies to the next: it is made anew when it is asked for and something that it was made of has changed. */
import type { PlanInputs } from '../../compiler/plan/plan-inputs.js';
import type { RuleTree } from '../../compiler/resolve/tree.js';

export interface CacheEntry<Result> {
  result: Result;
  /** What of the policies it was made of. */
  readonly inputs: PlanInputs;
  /** The version of the rules for which it is known to hold. */
  version: number;
}

let versions = 0;

/** A number for a version of the rules. */
export function newVersion(): number {
  return versions++;
}

/** Whether it is good for a version of the rules. */
export function isValidFor(made: CacheEntry<unknown>, version: number, tree: RuleTree): boolean {
  if (made.version === version) return true;
  if (!made.inputs.hold(tree)) return false;
  made.version = version;
  return true;
}

/** By path of a rule or package (segments with U+0000 between): there are not many more than there are rules. */
export class MadeByPath<Kind extends CacheEntry<unknown>> extends Map<string, Kind> {
  /** With so many, those of rules that are gone are looked for. */
  #many = 1000;

  forget(tree: RuleTree): void {
    if (this.size < this.#many) return;
    for (const [key, made] of this) if (!made.inputs.hold(tree)) this.delete(key);
    this.#many = 1000 + 2 * this.size;
  }
}
