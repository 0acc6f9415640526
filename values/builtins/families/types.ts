/**
 * Types of values, and conversions between them: is_*, type_name, to_number and the deprecated
 * cast_*.
 */

import { sortedMembers } from '../../compare.js';
import type { NumberValue } from '../../numbers/number.js';
import { RegoSet } from '../../set.js';
import { any, anyOf, array, boolean, nullType, number, object, set, string } from '../../type.js';
import { isArray, isNumber, isObject, isSet, isString, typeName, type Value } from '../../value.js';
import { arg, builtin } from '../builtin.js';
import { operandTypeError } from '../builtin-errors.js';
import { constant, counted, linear } from '../cost.js';
import { parseNumberText } from '../lib/numbers/parse.js';

const one = [arg('x', any)] as const;

// biome-ignore format: a table
export const types = [
  builtin('is_array',   one, boolean, isArray, { cost: constant }),
  builtin('is_boolean', one, boolean, (x) => typeof x === 'boolean', { cost: constant }),
  builtin('is_null',    one, boolean, (x) => x === null, { cost: constant }),
  builtin('is_number',  one, boolean, isNumber, { cost: constant }),
  builtin('is_object',  one, boolean, isObject, { cost: constant }),
  builtin('is_set',     one, boolean, isSet, { cost: constant }),
  builtin('is_string',  one, boolean, isString, { cost: constant }),
  builtin('type_name',  one, string,  (x: Value) => typeName(x), { cost: constant }),
];

const cast = { deprecated: true } as const;

function toNumber(x: null | boolean | NumberValue | string): NumberValue {
  if (typeof x === 'string') return parseNumberText(x);
  return typeof x === 'boolean' ? Number(x) : (x ?? 0);
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

/** The value itself if it is of a type, otherwise an error. */
function only<V extends Value>(is: (x: Value) => x is V, name: string): (x: Value) => V {
  return (x) => {
    if (is(x)) return x;
    throw operandTypeError(1, x, name);
  };
}

// biome-ignore format: a table
export const casts = [
  builtin('to_number',    [arg('x', anyOf(nullType, boolean, number, string))], number, toNumber, { cost: linear(5) }),
  builtin('cast_array',   one, array(any), castArray, { ...cast, cost: counted }),
  builtin('cast_set',     one, set(any), castSet, { ...cast, cost: counted }),
  builtin('cast_string',  one, string, only(isString, 'string'), { ...cast, cost: constant }),
  builtin('cast_boolean', one, boolean, only((x) => typeof x === 'boolean', 'boolean'), { ...cast, cost: constant }),
  builtin('cast_null',    one, nullType, only((x) => x === null, 'null'), { ...cast, cost: constant }),
  builtin('cast_object',  one, object(any, any), only(isObject, 'object'), { ...cast, cost: constant }),
];
