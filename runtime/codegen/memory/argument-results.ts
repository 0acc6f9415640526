import type { Value } from '../../../values/index.js';
import type { noValue } from '../../evaluation/rule-memory.js';

type Result = Value | typeof noValue;

/** The most arguments that are compared one by one; more of them are in a map. */
const few = 8;

/** The results of a function by its one scalar argument, used again by later evaluations. */
export class ArgumentResults {
  readonly #arguments: (Value | undefined)[] = [];
  readonly #results: (Result | undefined)[] = [];
  #size = 0;
  #more: Map<Value, Result> | undefined;

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  get(argument: Value): Result | undefined {
    for (let i = 0; i < this.#size; i++) if (this.#arguments[i] === argument) return this.#results[i];
    return this.#more?.get(argument);
  }

  set(argument: Value, result: Result): void {
    if (this.#size < few) {
      this.#arguments[this.#size] = argument;
      this.#results[this.#size++] = result;
    } else (this.#more ??= new Map()).set(argument, result);
  }

  clear(): void {
    for (let i = 0; i < this.#size; i++) this.#arguments[i] = this.#results[i] = undefined;
    this.#size = 0;
    if (this.#more !== undefined) this.#more = undefined;
  }
}
