import { constantFunction, knownConstant } from '../../../ir-schema/constant-functions.js';
import type { Func, Policy } from '../../../ir-schema/plan.js';
import type { Steps } from '../../../values/steps.js';
import { internalized } from '../../../values/text/internalized.js';
import type { Value } from '../../../values/value.js';
import { firstReads } from './first-reads.js';
import { RepeatableCalls } from './repeatable-calls.js';
import { SearchedPaths } from './searched-paths.js';
import { SilentCalls } from './silent-calls.js';

/** Facts of a plan that its functions share. */
export class PlanFacts {
  /** Functions by name. */
  readonly functions: ReadonlyMap<string, Func>;
  /** The constants of the functions that only return one, by name. */
  readonly constantFunctions = new Map<string, Value>();
  /** Calls that may be left out where they repeat an earlier one. */
  readonly repeatable: RepeatableCalls;
  /** Calls that nobody notices. */
  readonly silent: SilentCalls;
  /** Paths below elements by which some loop looks for a value. */
  readonly searched: SearchedPaths;
  /** Functions that make an array of which only the first element is read. */
  firstReads: ReadonlySet<string> = new Set();
  readonly #given: readonly { readonly value: string }[];
  /** The same, internalized when they are first wanted. */
  readonly #strings: (string | undefined)[];

  /** What is known without an analysis. */
  static unknown(policy: Policy): PlanFacts {
    const facts = new PlanFacts(policy);
    for (const func of facts.functions.values()) facts.#note(func.name, knownConstant(func));
    return facts;
  }

  static *over(policy: Policy): Steps<PlanFacts> {
    const facts = new PlanFacts(policy);
    for (const func of facts.functions.values()) {
      facts.#note(func.name, constantFunction(func, facts.string));
      facts.searched.add(func.blocks ?? []);
      yield;
    }
    facts.firstReads = yield* firstReads(policy, facts.string);
    return facts;
  }

  private constructor(policy: Policy) {
    this.#given = policy.static?.strings ?? [];
    this.#strings = new Array(this.#given.length);
    this.functions = new Map((policy.funcs?.funcs ?? []).map((func) => [func.name, func]));
    this.repeatable = new RepeatableCalls(this.functions);
    this.silent = new SilentCalls(this.functions);
    this.searched = new SearchedPaths(this.string);
  }

  #note(name: string, constant: Value | undefined): void {
    if (constant !== undefined) this.constantFunctions.set(name, constant);
  }

  /** A string of the plan. */
  readonly string = (index: number): string => (this.#strings[index] ??= internalized(this.#given[index]!.value));
}
