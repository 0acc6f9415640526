/** The comparison operators, over the total order of values. `:=` and `=` are compiled away; as calls they compare. */
import { compare, equal } from '../../values/compare.js';
import { any, boolean } from '../../values/type.js';
import type { Value } from '../../values/value.js';
import { arg, builtin } from '../builtin.js';
import { counted } from '../cost.js';

const two = [arg('x', any), arg('y', any)];

// biome-ignore format: a table
export const comparison = [
  builtin('assign', two, boolean, (x: Value, y: Value) => x === y || equal(x, y), { infix: ':=', cost: counted }),
  builtin('eq',     two, boolean, (x: Value, y: Value) => x === y || equal(x, y), { infix: '=', cost: counted }),
  builtin('equal',  two, boolean, (x: Value, y: Value) => x === y || equal(x, y), { infix: '==', cost: counted }),
  builtin('neq',    two, boolean, (x: Value, y: Value) => x !== y && !equal(x, y), { infix: '!=', cost: counted }),
  builtin('lt',     two, boolean, (x: Value, y: Value) => (typeof x === 'number' && typeof y === 'number' ? x < y : compare(x, y) < 0), { infix: '<', cost: counted }),
  builtin('lte',    two, boolean, (x: Value, y: Value) => (typeof x === 'number' && typeof y === 'number' ? x <= y : compare(x, y) <= 0), { infix: '<=', cost: counted }),
  builtin('gt',     two, boolean, (x: Value, y: Value) => (typeof x === 'number' && typeof y === 'number' ? x > y : compare(x, y) > 0), { infix: '>', cost: counted }),
  builtin('gte',    two, boolean, (x: Value, y: Value) => (typeof x === 'number' && typeof y === 'number' ? x >= y : compare(x, y) >= 0), { infix: '>=', cost: counted }),
];
