import type { Value } from '../../values/index.js';
import { compare, equal } from '../../values/index.js';

/**
 * The result of a built-in for constants, where it is certain: orders of any scalars, sums and
 * products of small integers.
 */
export function computed(name: string, values: readonly Value[]): number | boolean | undefined {
  const [a, b] = values;
  if (values.length !== 2 || a === undefined || b === undefined) return undefined;
  switch (name) {
    case 'equal':
      return equal(a, b);
    case 'neq':
      return !equal(a, b);
    case 'lt':
      return compare(a, b) < 0;
    case 'lte':
      return compare(a, b) <= 0;
    case 'gt':
      return compare(a, b) > 0;
    case 'gte':
      return compare(a, b) >= 0;
    case 'plus':
      return integer(a, b, (x, y) => x + y);
    case 'minus':
      return integer(a, b, (x, y) => x - y);
    case 'mul':
      return integer(a, b, (x, y) => x * y);
    default:
      return undefined;
  }
}

function integer(a: Value, b: Value, operate: (a: number, b: number) => number): number | undefined {
  if (!Number.isSafeInteger(a) || !Number.isSafeInteger(b)) return undefined;
  const result = operate(a as number, b as number);
  // There is one zero.
  return Number.isSafeInteger(result) ? result + 0 : undefined;
}
