import type { Value } from '../values/value.js';

/** The result for two safe integers where it is one too; undefined leaves it to the built-in. */
export function integerResult(operator: number, a: Value | undefined, b: Value | undefined): number | undefined {
  if (typeof a !== 'number' || typeof b !== 'number' || !Number.isSafeInteger(a) || !Number.isSafeInteger(b)) return undefined;
  const result = operator === 0 ? a + b : operator === 1 ? a - b : a * b;
  if (!Number.isSafeInteger(result)) return undefined;
  // There is one zero.
  return result === 0 ? 0 : result;
}
