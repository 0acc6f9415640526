import { type NumberValue, numberText } from '../../../numbers/number.js';

/**
 * A number that is written as a whole one and fits 64 bits, as Go's `Int64` of a literal takes it:
 * neither `1.0` nor `1e3`.
 */
export function int64Of(number: NumberValue): bigint | undefined {
  const text = numberText(number);
  if (!/^-?\d{1,19}$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
