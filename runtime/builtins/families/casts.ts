/** to_number and the deprecated cast_*. */
import { sortedMembers } from '../../values/compare.js';
import { type NumberValue, numberFromInteger, numberFromText } from '../../values/numbers/number.js';
import { RegoSet } from '../../values/set.js';
import { goQuote } from '../../values/text/term-text.js';
import { any, anyOf, array, boolean, nullType, number, object, set, string } from '../../values/type.js';
import { isArray, isNumber, isObject, isSet, isString, type Value } from '../../values/value.js';
import { arg, builtin } from '../builtin.js';
import { constant, counted, linear } from '../cost.js';
import { BuiltinError, operandTypeError } from '../errors.js';

const own = { checksOperands: true } as const;
const cast = { checksOperands: true, deprecated: true } as const;

function toNumber(x: Value): NumberValue {
  if (typeof x === 'string') return numberOf(x);
  if (isNumber(x)) return x;
  if (x === null || x === false) return 0;
  if (x === true) return 1;
  throw operandTypeError(1, x, 'null', 'boolean', 'number', 'string');
}

const decimalSyntax = /^([+-]?)0*(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const hexSyntax = /^([+-]?)0[xX]_?([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)?(?:\.([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)?)?[pP]([+-]?\d+)$/;

/** Whatever reads as a float of 64 bits is a number, with all its digits; infinities and NaN are none. */
function numberOf(text: string): NumberValue {
  if (/^[+-]*(?:inf|infinity|nan)$/i.test(text)) throw operandTypeError(1, text, 'valid number string');
  // Underscores may stand between digits.
  const plain = text.replace(/(?<=\d)_(?=\d)/g, '');
  const found = /^[+-]?\.?\d/.test(plain) ? decimalSyntax.exec(plain) : null;
  if (found === null) return hexNumberOf(text);
  if (!Number.isFinite(Number(plain))) throw parseError(text, 'value out of range');
  const [, sign, whole, fraction, exponent] = found;
  const literal = `${sign === '-' ? '-' : ''}${whole === '' ? '0' : whole}${fraction ? `.${fraction}` : ''}${exponent === undefined ? '' : `e${exponent}`}`;
  return numberFromText(literal);
}

function hexNumberOf(text: string): NumberValue {
  const found = hexSyntax.exec(text);
  if (found === null || (found[2] === undefined && found[3] === undefined)) throw parseError(text, 'invalid syntax');
  const fraction = (found[3] ?? '').replaceAll('_', '');
  const mantissa = BigInt(`0x${(found[2] ?? '').replaceAll('_', '')}${fraction}`);
  const value = Number(mantissa) * 2 ** (Number(found[4]) - 4 * fraction.length);
  if (!Number.isFinite(value)) throw parseError(text, 'value out of range');
  const signed = found[1] === '-' ? -value : value;
  return Number.isInteger(signed) ? numberFromInteger(BigInt(signed)) : signed;
}

function parseError(text: string, problem: string): BuiltinError {
  return new BuiltinError(`strconv.ParseFloat: parsing ${goQuote(text)}: ${problem}`);
}

function castArray(x: Value): readonly Value[] {
  if (isArray(x)) return x;
  if (isSet(x)) return sortedMembers(x);
  throw operandTypeError(1, x, 'array', 'set');
}

function castSet(x: Value): RegoSet {
  if (isSet(x)) return x;
  if (isArray(x)) return new RegoSet(x);
  throw operandTypeError(1, x, 'array', 'set');
}

/** The value itself where it is of a type; anything else is an error. */
function only<V extends Value>(is: (x: Value) => x is V, name: string): (x: Value) => V {
  return (x) => {
    if (is(x)) return x;
    throw operandTypeError(1, x, name);
  };
}

const one = [arg('x', any)] as const;

// biome-ignore format: a table
export const casts = [
  builtin('to_number',    [arg('x', anyOf(nullType, boolean, number, string))], number, toNumber, { ...own, cost: linear(5) }),
  builtin('cast_array',   one, array(any), castArray, { ...cast, cost: counted }),
  builtin('cast_set',     one, set(any), castSet, { ...cast, cost: counted }),
  builtin('cast_string',  one, string, only(isString, 'string'), { ...cast, cost: constant }),
  builtin('cast_boolean', one, boolean, only((x) => typeof x === 'boolean', 'boolean'), { ...cast, cost: constant }),
  builtin('cast_null',    one, nullType, only((x) => x === null, 'null'), { ...cast, cost: constant }),
  builtin('cast_object',  one, object(any, any), only(isObject, 'object'), { ...cast, cost: constant }),
];
