/** is_* and type_name. */
import { any, boolean, string } from '../values/type.js';
import { isArray, isNumber, isObject, isSet, isString, typeName, type Value } from '../values/value.js';
import { arg, builtin } from './builtin.js';

const one = [arg('x', any)];

// biome-ignore format: a table
export const types = [
  builtin('is_array',   one, boolean, isArray),
  builtin('is_boolean', one, boolean, (x: Value) => typeof x === 'boolean'),
  builtin('is_null',    one, boolean, (x: Value) => x === null),
  builtin('is_number',  one, boolean, isNumber),
  builtin('is_object',  one, boolean, isObject),
  builtin('is_set',     one, boolean, isSet),
  builtin('is_string',  one, boolean, isString),
  builtin('type_name',  one, string,  (x: Value) => typeName(x)),
];
