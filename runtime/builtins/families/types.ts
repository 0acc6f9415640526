/** is_* and type_name. */
import { any, boolean, string } from '../../values/type.js';
import { isArray, isNumber, isObject, isSet, isString, typeName, type Value } from '../../values/value.js';
import { arg, builtin } from '../builtin.js';
import { constant } from '../cost.js';

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
