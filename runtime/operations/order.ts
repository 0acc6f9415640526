import { compare, equal } from '../values/compare.js';
import type { Value } from '../values/value.js';

/** The relations of two values by the built-in that tests them, as `relates` takes them. */
export const relations: ReadonlyMap<string, number> = new Map([
  ['lt', 0],
  ['lte', 1],
  ['gt', 2],
  ['gte', 3],
  ['equal', 4],
  ['neq', 5],
]);

/** Whether a relation holds between two values. */
export function relates(relation: number, a: Value, b: Value): boolean {
  if (relation >= 4) return equal(a, b) === (relation === 4);
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : compare(a, b);
  return relation === 0 ? order < 0 : relation === 1 ? order <= 0 : relation === 2 ? order > 0 : order >= 0;
}
