/**
 * The cost of a call, stated in the built-in's row, in units of work (see `values/work.ts`). The VM
 * counts it before the call. Where it exceeds the time left, the call does not begin: a server
 * moves the evaluation to a thread, or the evaluation ends.
 */

import { ExactNumber } from '../numbers/number.js';
import { RegoObject } from '../object.js';
import { RegoSet } from '../set.js';
import type { Value } from '../value.js';

/** Units for a call with these operands, which have not been checked yet: a whole number. */
export type CostOf = (a?: Value, b?: Value, c?: Value, d?: Value) => number;

export type Cost = 'constant' | 'counted' | CostOf;

/** The cost of calls that take about as long for any operands, some microseconds at most. */
export const constant = 'constant';

/**
 * The cost of bodies that count their work as they go, by `context.tick` or `countWork`, each step
 * before it is done.
 */
export const counted = 'counted';

/**
 * Characters of a string, digits of an exact number, elements of an array, members of a set; of
 * plain objects only walking them tells.
 */
export function sizeOf(value: Value | undefined): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.length;
  if (value instanceof RegoSet || value instanceof RegoObject) return value.size;
  return value instanceof ExactNumber ? value.size : 0;
}

/** A number of units for each character, digit, element or member of the operands. */
export function linear(units: number): CostOf {
  return (a, b, c, d) => Math.floor(units * (sizeOf(a) + sizeOf(b) + sizeOf(c) + sizeOf(d)));
}

/** Strings up to this length, and all other scalars, cost no more than the call itself. */
const short = 64;

/** Whether an operand may make a call cost anything. */
export function mayCost(operand: Value): boolean {
  return typeof operand === 'string' ? operand.length > short : typeof operand === 'object';
}
