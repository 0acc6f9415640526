/**
 * The comparison operators, over the total order of values. `:=` and `=` are compiled away; as
 * calls they compare.
 */
import { compare } from '../../compare.js';
import { equal } from '../../equal.js';
import { any, boolean } from '../../type.js';
import { arg, builtin } from '../builtin.js';
import { counted } from '../cost.js';

const two = [arg('x', any), arg('y', any)] as const;

// biome-ignore format: a table
export const comparison = [
  builtin('assign', two, boolean, (x, y) => x === y || equal(x, y), { infix: ':=', cost: counted }),
  builtin('eq',     two, boolean, (x, y) => x === y || equal(x, y), { infix: '=', cost: counted }),
  builtin('equal',  two, boolean, (x, y) => x === y || equal(x, y), { infix: '==', cost: counted }),
  builtin('neq',    two, boolean, (x, y) => x !== y && !equal(x, y), { infix: '!=', cost: counted }),
  builtin('lt',     two, boolean, (x, y) => (typeof x === 'number' && typeof y === 'number' ? x < y : compare(x, y) < 0), { infix: '<', cost: counted }),
  builtin('lte',    two, boolean, (x, y) => (typeof x === 'number' && typeof y === 'number' ? x <= y : compare(x, y) <= 0), { infix: '<=', cost: counted }),
  builtin('gt',     two, boolean, (x, y) => (typeof x === 'number' && typeof y === 'number' ? x > y : compare(x, y) > 0), { infix: '>', cost: counted }),
  builtin('gte',    two, boolean, (x, y) => (typeof x === 'number' && typeof y === 'number' ? x >= y : compare(x, y) >= 0), { infix: '>=', cost: counted }),
];
