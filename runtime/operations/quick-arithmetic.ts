import { addQuickly, isNumber, multiplyQuickly, type Value } from '../../values/index.js';

/**
 * The result of `+`, `-` or `*` for two numbers of usual size. Undefined leaves it to the built-in:
 * for other values, for long integers, and where an error is possible.
 */
export function quickResult(operator: number, a: Value | undefined, b: Value | undefined): Value | undefined {
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a) && Number.isSafeInteger(b)) {
    const result = operator === 0 ? a + b : operator === 1 ? a - b : a * b;
    if (!Number.isSafeInteger(result)) return undefined;
    // There is one zero.
    return result === 0 ? 0 : result;
  }
  return fractionResult(operator, a, b);
}

/** The result for numbers that are not both whole. */
function fractionResult(operator: number, a: Value | undefined, b: Value | undefined): Value | undefined {
  if (a === undefined || b === undefined || !isNumber(a) || !isNumber(b)) return undefined;
  return operator === 2 ? multiplyQuickly(a, b) : addQuickly(a, b, operator === 0 ? 1 : -1);
}
