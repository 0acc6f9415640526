import { compare, equal, type Value } from '../../values/index.js';

/** Whether a relation holds between two values. */
export function relates(relation: number, a: Value, b: Value): boolean {
  if (relation >= 4) return equal(a, b) === (relation === 4);
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : compare(a, b);
  return relation === 0 ? order < 0 : relation === 1 ? order <= 0 : relation === 2 ? order > 0 : order >= 0;
}
