/** The comparison operators, over the total order of values. `:=` and `=` are compiled away; as calls they compare. */
import { compare, equal } from '../values/compare.js';
import { any, boolean } from '../values/type.js';
import type { Value } from '../values/value.js';
import { arg, builtin } from './builtin.js';

const two = [arg('x', any), arg('y', any)];

// biome-ignore format: a table
export const comparison = [
  builtin('assign', two, boolean, (x: Value, y: Value) => x === y || equal(x, y), { infix: ':=' }),
  builtin('eq',     two, boolean, (x: Value, y: Value) => x === y || equal(x, y), { infix: '=' }),
  builtin('equal',  two, boolean, (x: Value, y: Value) => x === y || equal(x, y), { infix: '==' }),
  builtin('neq',    two, boolean, (x: Value, y: Value) => x !== y && !equal(x, y), { infix: '!=' }),
  builtin('lt',     two, boolean, (x: Value, y: Value) => (typeof x === 'number' && typeof y === 'number' ? x < y : compare(x, y) < 0), { infix: '<' }),
  builtin('lte',    two, boolean, (x: Value, y: Value) => (typeof x === 'number' && typeof y === 'number' ? x <= y : compare(x, y) <= 0), { infix: '<=' }),
  builtin('gt',     two, boolean, (x: Value, y: Value) => (typeof x === 'number' && typeof y === 'number' ? x > y : compare(x, y) > 0), { infix: '>' }),
  builtin('gte',    two, boolean, (x: Value, y: Value) => (typeof x === 'number' && typeof y === 'number' ? x >= y : compare(x, y) >= 0), { infix: '>=' }),
];
