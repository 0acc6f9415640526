import type { Value } from '../../values/index.js';

/** The remembered result of a rule that is undefined. */
export const noValue = Symbol('undefined');

/** Results of a function with one scalar argument, by the argument. */
export type Results = Map<Value, Value | typeof noValue>;

/** A rule's result, or the results of a function, by function. `with` begins an empty memory. */
export type RuleMemory = (Value | typeof noValue | Results | undefined)[];

/**
 * The slot of a call whose result is not remembered. A rule's slot is the number of its function;
 * a function's slot is `-2` minus its number.
 */
export const noPlace = -1;

/** @param calls arguments of the calls under way whose results are remembered by argument */
export function remember(memory: RuleMemory, slot: number, value: Value | undefined, calls: Value[]): void {
  const result = value === undefined ? noValue : value;
  if (slot >= 0) memory[slot] = result;
  else if (slot !== noPlace) (memory[-2 - slot] as Results).set(calls.pop()!, result);
}
