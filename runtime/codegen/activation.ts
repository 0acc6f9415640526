/** The state of one evaluation in generated code. */
import { ArrayIndexes } from '../evaluation/array-indexes.js';
import type { StackEntry } from '../evaluation/errors.js';
import type { Evaluation } from '../evaluation/evaluation.js';
import { maxStackEntries } from '../evaluation/locate.js';
import type { Meter } from '../evaluation/meter.js';
import type { Place } from '../evaluation/place.js';
import { noValue, type Results, type RuleMemory } from '../evaluation/rule-memory.js';
import type { Value } from '../values/value.js';
import type { RuleMemories } from './rule-memories.js';

/** The names and places that errors have. */
export interface Origins {
  name(func: number): string;
  place(origin: number): Place;
}

export class Activation {
  readonly evaluation: Evaluation;
  readonly meter: Meter;
  readonly results: Value[] = [];
  readonly maxDepth: number;
  /** Results of rules, by function. `with` puts another memory in its place. */
  memory: RuleMemory;
  /** The numbers of the functions that have an entry in the memory. */
  used: number[] = [];
  /** The number of calls under way. */
  depth = 0;
  /** The functions on the stack when an error was thrown, innermost first. */
  readonly rules: StackEntry[] = [];
  readonly #origins: Origins;
  readonly #memories: RuleMemories;
  #indexes: ArrayIndexes | undefined;
  #error: unknown;

  constructor(evaluation: Evaluation, origins: Origins, memories: RuleMemories) {
    this.evaluation = evaluation;
    this.meter = evaluation.meter;
    this.maxDepth = evaluation.callDepth;
    this.#origins = origins;
    this.#memories = memories;
    this.memory = memories.take();
  }

  /** Keeps the result of a rule. */
  remember(func: number, value: Value | undefined): void {
    this.memory[func] = value === undefined ? noValue : value;
    this.used.push(func);
  }

  /** Keeps the result of a function for an argument. */
  rememberFor(func: number, argument: Value, value: Value | undefined): void {
    let results = this.memory[func] as Results | undefined;
    if (results === undefined) {
      this.memory[func] = results = new Map();
      this.used.push(func);
    }
    results.set(argument, value === undefined ? noValue : value);
  }

  /** Begins a `with`: rules have other results in it. */
  freshMemory(): void {
    this.memory = this.#memories.take();
    this.used = [];
  }

  /** Ends it. */
  restoreMemory(memory: RuleMemory, used: number[]): void {
    this.#memories.give(this.memory, this.used);
    this.memory = memory;
    this.used = used;
  }

  /** Ends an evaluation without an error. */
  end(): void {
    this.#memories.give(this.memory, this.used);
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
    if (this.rules.length < maxStackEntries) this.rules.push({ name: this.#origins.name(func), ...this.#origins.place(origin) });
    return error;
  }

  /** The positions of an array's elements that have a value at a path, where an index has them. */
  positions(array: readonly Value[], path: readonly string[], wanted: Value, lasting: boolean): readonly number[] | undefined {
    const indexes = lasting ? this.evaluation.dataIndexes : (this.#indexes ??= new ArrayIndexes());
    return indexes.positions(array, path, wanted) as readonly number[] | undefined;
  }
}
