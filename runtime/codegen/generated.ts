/** Generated functions, as they are called. */
import { lookup } from '../values/compare.js';
import type { Value } from '../values/value.js';
import type { Activation } from './activation.js';
import { goOn } from './support.js';

export type Register = Value | undefined;

/** A generated function: undefined is its result where it has none. */
export type Generated = (activation: Activation, ...args: Register[]) => Register;

/** The functions of a program by number: an array, or what compiles each when it is asked for. */
export interface GeneratedFunctions {
  readonly length: number;
  at(index: number): Generated | undefined;
  /** The function that returns what a plan binds to `result`, where there is one. */
  decision?(plan: number): Generated | undefined;
}

/** The registers that the parts of a split function share: `r0` and so on. */
type Shared = { [name: string]: Register };
export type Part = (activation: Activation, shared: Shared) => Register | typeof goOn;

/** The part that runs only the rules of a value's constant: `rules` are constants with parts. */
export function dispatcher(root: number, keys: readonly Value[], rules: readonly (readonly [Value, Part])[]): Part {
  const table = new Map<Register, Part[]>();
  for (const [constant, part] of rules) {
    const parts = table.get(constant);
    if (parts === undefined) table.set(constant, [part]);
    else parts.push(part);
  }
  return (x, shared) => {
    let value = shared[`r${root}`];
    for (const key of keys) value = value === undefined ? undefined : lookup(value, key);
    for (const part of table.get(value) ?? []) {
      const result = part(x, shared);
      if (result !== goOn) return result;
    }
    return goOn;
  };
}
