/** Loops whose rounds run in any order, see `lowering/passes/any-order.ts`. */
import { RegoSet, type Value } from '../../values/index.js';
import type { Evaluation } from '../evaluation/evaluation.js';

/**
 * Values for which the order of rounds does not matter: all scalars but numbers, all but exact
 * numbers, or whole numbers alone.
 */
export type OrderFree = 'text' | 'scalar' | 'whole';

/** The kinds by the numbers that instructions have for them. */
export const orderFree: readonly OrderFree[] = ['text', 'scalar', 'whole'];

/** Whether it matters in which order rounds add values such as this one. */
export function isOrderSeen(value: Value | undefined, free: OrderFree): boolean {
  if (free === 'whole') return !Number.isInteger(value);
  return (typeof value === 'object' && value !== null) || (free === 'text' && typeof value === 'number');
}

/** Whether a loop may take the members of a set as they come: no errors are looked for. */
export function isUnordered(source: Value | undefined, evaluation: Evaluation): source is RegoSet {
  return source instanceof RegoSet && source.size > 1 && evaluation.ignoresErrors;
}
