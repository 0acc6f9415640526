import type { Func, Policy } from '../../../ir-schema/index.js';
import { constantFunction, knownConstant } from '../../../ir-schema/index.js';
import type { Value } from '../../../values/index.js';
import { allAtOnce, internalized, type Steps } from '../../../values/index.js';
import { firstReads } from './first-reads.js';
import { RepeatableCalls } from './repeatable-calls.js';
import { SearchedPaths } from './searched-paths.js';
import { SilentCalls } from './silent-calls.js';

const none: ReadonlySet<string> = new Set();

/** Facts of a plan that its functions share, each found when it is first asked for. */
export class PlanFacts {
  /** Functions by name. */
  readonly functions: ReadonlyMap<string, Func>;
  /** Calls that may be left out where they repeat an earlier one. */
  readonly repeatable: RepeatableCalls;
  /** Calls that nobody notices. */
  readonly silent: SilentCalls;
  readonly #policy: Policy;
  /** The constants of functions that were asked for, by name. */
  readonly #constants = new Map<string, Value | undefined>();
  readonly #isAnalysed: boolean;
  readonly #given: readonly { readonly value: string }[];
  /** The same, internalized when they are first wanted. */
  readonly #strings: (string | undefined)[];
  #searched: SearchedPaths | undefined;
  #firstReads: ReadonlySet<string> | undefined;

  /** @param isAnalysed whether functions are read to learn what they do */
  constructor(policy: Policy, isAnalysed = true) {
    this.#policy = policy;
    this.#isAnalysed = isAnalysed;
    this.#given = policy.static?.strings ?? [];
    this.#strings = new Array(this.#given.length);
    this.functions = new Map((policy.funcs?.funcs ?? []).map((func) => [func.name, func]));
    this.repeatable = new RepeatableCalls(this.functions);
    this.silent = new SilentCalls(this.functions);
  }

  /** Finds the facts that read the whole plan, in steps. */
  static *over(policy: Policy): Steps<PlanFacts> {
    const facts = new PlanFacts(policy);
    facts.#searched = yield* searchedPaths(facts.functions.values(), facts.string);
    facts.#firstReads = yield* firstReads(policy, facts.string);
    return facts;
  }

  /** The constant of a function that only returns one; undefined for others. */
  constantOf(name: string): Value | undefined {
    if (this.#constants.has(name)) return this.#constants.get(name);
    const func = this.functions.get(name);
    const read = this.#isAnalysed ? constantFunction : knownConstant;
    const constant = func && read(func, this.string);
    this.#constants.set(name, constant);
    return constant;
  }

  /** Paths below elements by which some loop looks for a value. */
  get searched(): SearchedPaths {
    const functions = this.#isAnalysed ? this.functions.values() : [];
    return (this.#searched ??= allAtOnce(searchedPaths(functions, this.string)));
  }

  /** Functions that make an array of which only the first element is read. */
  get firstReads(): ReadonlySet<string> {
    if (!this.#isAnalysed) return none;
    return (this.#firstReads ??= allAtOnce(firstReads(this.#policy, this.string)));
  }

  /** A string of the plan. */
  readonly string = (index: number): string => (this.#strings[index] ??= internalized(this.#given[index]!.value));
}

function* searchedPaths(functions: Iterable<Func>, stringAt: (index: number) => string): Steps<SearchedPaths> {
  const searched = new SearchedPaths(stringAt);
  for (const { blocks } of functions) {
    searched.add(blocks ?? []);
    yield;
  }
  return searched;
}
