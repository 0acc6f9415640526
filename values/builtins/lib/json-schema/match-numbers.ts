/** Numbers against the limits of a schema, exactly. */
import { compareNumbers, countDigits, type Decimal, decimalOf, type NumberValue } from '../../../numbers/number.js';
import { BuiltinError } from '../../builtin-errors.js';
import type { SchemaResult } from './result.js';
import type { SchemaValue } from './schema.js';

export function isWhole({ digits, exponent }: Decimal): boolean {
  return exponent >= 0 || digits === 0n;
}

export function checkNumber(schema: SchemaValue, value: NumberValue, path: string, result: SchemaResult): void {
  const { multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum } = schema;
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
    result.add('multiple_of', path, `Must be a multiple of ${shown(multipleOf)}`);
  }
  if (maximum !== undefined && compareNumbers(value, maximum) > 0) {
    result.add('number_lte', path, `Must be less than or equal to ${shown(maximum)}`);
  }
  if (exclusiveMaximum !== undefined && compareNumbers(value, exclusiveMaximum) >= 0) {
    result.add('number_lt', path, `Must be less than ${shown(exclusiveMaximum)}`);
  }
  if (minimum !== undefined && compareNumbers(value, minimum) < 0) {
    result.add('number_gte', path, `Must be greater than or equal to ${shown(minimum)}`);
  }
  if (exclusiveMinimum !== undefined && compareNumbers(value, exclusiveMinimum) <= 0) {
    result.add('number_gt', path, `Must be greater than ${shown(exclusiveMinimum)}`);
  }
  result.score++;
}

const maxShift = 10_000;

function isMultiple(value: NumberValue, of: NumberValue): boolean {
  const a = decimalOf(value);
  const b = decimalOf(of);
  if (a.digits === 0n) return true;
  const shift = a.exponent - b.exponent;
  if (Math.abs(shift) > maxShift) throw new BuiltinError('number out of range');
  countDigits(a.size + b.size + Math.abs(shift));
  return shift >= 0
    ? (a.digits * 10n ** BigInt(shift)) % b.digits === 0n
    : a.digits % (b.digits * 10n ** BigInt(-shift)) === 0n;
}

/** A limit as messages show it: with an exponent from a million on, as Go's `%v` of a big float. */
function shown(n: NumberValue): string {
  const { digits, exponent } = decimalOf(n);
  if (digits === 0n) return '0';
  const sign = digits < 0n ? '-' : '';
  const text = (digits < 0n ? -digits : digits).toString();
  const point = text.length + exponent;
  if (point - 1 < -4 || point - 1 >= 6) {
    const power = String(Math.abs(point - 1)).padStart(2, '0');
    return `${sign}${text[0]}${text.length > 1 ? `.${text.slice(1)}` : ''}e${point < 1 ? '-' : '+'}${power}`;
  }
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${text}`;
  return sign + (point >= text.length ? text.padEnd(point, '0') : `${text.slice(0, point)}.${text.slice(point)}`);
}
