/** Random values of all kinds, hostile ones included. */
import fc from 'fast-check';
import { numberFromText } from '../../values/numbers/number.js';
import { RegoObject } from '../../values/object.js';
import { RegoSet } from '../../values/set.js';
import type { Value } from '../../values/value.js';

export const hostileKeys = [
  '__proto__',
  'constructor',
  'length',
  'hasOwnProperty',
  'toString',
  'sorted',
  'size',
  '',
  '\u0000',
  '\u0000s',
  '0',
  '-1',
  '1.0',
];

const digits = fc.stringMatching(/^[0-9]{1,25}$/);

/** JSON number literals: few values, in many forms. */
export const numberTexts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '0.0',
    '1',
    '1.0',
    '1e0',
    '10e-1',
    '0.1',
    '1e-1',
    '1.10',
    '1.1',
    '100',
    '1e2',
    '1E+2',
    '1e400',
    '1e-400',
    '1.7976931348623157e308',
  ),
  fc.constantFrom(
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '12345678901234567890',
    '0.30000000000000004',
    '5e-324',
    '1e21',
    '1e-7',
  ),
  fc
    .tuple(fc.boolean(), digits, fc.option(digits), fc.option(fc.integer({ min: -400, max: 400 })))
    .map(
      ([negative, whole, fraction, exponent]) =>
        `${negative ? '-' : ''}${whole.replace(/^0+(?=\d)/, '')}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`,
    ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => String(n)),
);

export const strings: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostileKeys, 'a', 'b', 'ab', '\ud83d\ude00', '\ue000', '\uffff', '\ud7ff', 'a\ud83d\ude00', 'a\uffee'),
  fc.string({ unit: 'binary', maxLength: 4 }),
);

/** Random values; `depth` bounds their nesting. */
export function values(depth = 3): fc.Arbitrary<Value> {
  const scalar: fc.Arbitrary<Value> = fc.oneof(fc.constantFrom(null, true, false), numberTexts.map(numberFromText), strings);
  if (depth === 0) return scalar;
  const inner = values(depth - 1);
  const few = { maxLength: 3 };
  return fc.oneof(
    scalar,
    fc.array(inner, few),
    fc.array(fc.tuple(strings, inner), few).map((entries) => Object.fromEntries(entries)),
    fc.array(fc.tuple(inner, inner), few).map((entries) => new RegoObject(entries)),
    fc.array(inner, few).map((members) => new RegoSet(members)),
  );
}

/**
 * An equal value in another form: other number literals, another order of keys and members, the
 * other class of object.
 */
export function disguised(value: Value): Value {
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e15) return numberFromText(`${value}.00`);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(disguised);
  if (value instanceof RegoSet) return new RegoSet([...value].reverse().map(disguised));
  if (value instanceof RegoObject)
    return new RegoObject([...value.keys()].reverse().map((key) => [disguised(key), disguised(value.get(key)!)] as const));
  if ('decimal' in value) return value;
  return new RegoObject(
    Object.entries(value as { [key: string]: Value })
      .reverse()
      .map(([key, member]) => [key, disguised(member)] as const),
  );
}
