/** The state of one evaluation in generated code. */

import type { Value } from '../../values/index.js';
import { ArrayIndexes } from '../evaluation/array-indexes.js';
import type { Evaluation } from '../evaluation/evaluation.js';
import type { StackEntry } from '../evaluation/evaluation-errors.js';
import { maxStackEntries } from '../evaluation/locate.js';
import type { Meter } from '../evaluation/meter.js';
import type { StatementPlace } from '../evaluation/place.js';
import { noValue } from '../evaluation/rule-memory.js';
import { ArgumentResults } from './memory/argument-results.js';
import { forget, type MemoryOfRule, type RuleMemories } from './memory/rule-memories.js';

/** The names and places that errors have. */
export interface ActivationOrigins {
  place(origin: number): StatementPlace;
  /** The entry of a function that has come to a statement. */
  entry(func: number, origin: number): StackEntry;
}

/** The values that the end of a `with` restores. */
interface OuterMemory {
  readonly memory: MemoryOfRule;
  readonly used: number[];
  readonly count: number;
  readonly isDataReplaced: boolean;
}

/** Used again by a later evaluation: see `begin` and `end`. */
export class Activation {
  evaluation!: Evaluation;
  meter!: Meter;
  results: Value[] = [];
  maxDepth = 0;
  /** Results of rules, by function. `with` puts another memory in its place. */
  memory: MemoryOfRule;
  /** The numbers of the functions that have an entry in the memory, `#count` of them. */
  #used: number[] = [];
  #count = 0;
  /** Whether there are values that the next evaluation must not get, other than results. */
  #keeps = false;
  /** The number of calls under way. */
  depth = 0;
  /** Whether a `with` under way replaces base documents. */
  isDataReplaced = false;
  /** The functions on the stack when an error was thrown, innermost first. */
  readonly rules: StackEntry[] = [];
  readonly #origins: ActivationOrigins;
  readonly #memories: RuleMemories;
  #indexes: ArrayIndexes | undefined;
  #error: unknown;

  constructor(origins: ActivationOrigins, memories: RuleMemories) {
    this.#origins = origins;
    this.#memories = memories;
    this.memory = memories.take();
  }

  begin(evaluation: Evaluation): void {
    if (this.evaluation !== evaluation) {
      this.evaluation = evaluation;
      this.meter = evaluation.meter;
    }
    this.maxDepth = evaluation.callDepth;
  }

  /** Ends an evaluation without an error: none of its values is kept. */
  end(): void {
    if (this.#keeps) this.#forget();
  }

  #forget(): void {
    this.#keeps = false;
    forget(this.memory, this.#used, this.#count);
    this.#count = 0;
    this.#indexes = undefined;
  }

  /** Keeps the result of a rule. */
  remember(func: number, value: Value | undefined): void {
    this.#keeps = true;
    this.memory[func] = value === undefined ? noValue : value;
    this.#used[this.#count++] = func;
  }

  /** Keeps the result of a function for an argument. */
  rememberFor(func: number, argument: Value, value: Value | undefined): void {
    const results = (this.memory[func] ??= new ArgumentResults()) as ArgumentResults;
    if (results.isEmpty) {
      this.#keeps = true;
      this.#used[this.#count++] = func;
    }
    results.set(argument, value === undefined ? noValue : value);
  }

  /** Begins a `with`: rules have other results in it. */
  freshMemory(replacesData: boolean): OuterMemory {
    const outer = { memory: this.memory, used: this.#used, count: this.#count, isDataReplaced: this.isDataReplaced };
    if (replacesData) this.isDataReplaced = true;
    this.memory = this.#memories.take();
    this.#used = [];
    this.#count = 0;
    return outer;
  }

  /** Ends it. */
  restoreMemory({ memory, used, count, isDataReplaced }: OuterMemory): void {
    this.isDataReplaced = isDataReplaced;
    this.#memories.give(this.memory, this.#used, this.#count);
    this.memory = memory;
    this.#used = used;
    this.#count = count;
  }

  /** Reports the error that made a call of a built-in undefined. */
  reportFailure(origin: number): void {
    this.evaluation.reportFailure(this.#origins.place(origin));
  }

  /** Adds a function and the place of its current statement to those of an error. */
  failed(error: unknown, func: number, origin: number): unknown {
    if (error !== this.#error) {
      this.#error = error;
      this.rules.length = 0;
    }
    if (this.rules.length < maxStackEntries) this.rules.push(this.#origins.entry(func, origin));
    return error;
  }

  /**
   * The indexes of base documents, which last. A `with` may have put a part of the input among
   * these, which its owner may change before the next evaluation.
   */
  get dataIndexes(): ArrayIndexes {
    return this.isDataReplaced ? this.indexes : this.evaluation.dataIndexes;
  }

  /** The indexes of arrays that are no base documents. */
  get indexes(): ArrayIndexes {
    this.#keeps = true;
    return (this.#indexes ??= new ArrayIndexes(false));
  }
}
