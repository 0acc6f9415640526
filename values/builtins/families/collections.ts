/** Arrays and sets. */
import { checkElements } from '../../memory.js';
import { any, array, number, set } from '../../type.js';
import { type ArrayValue, isArray, type Value } from '../../value.js';
import { arg, builtin } from '../builtin.js';
import type { BuiltinContext } from '../builtin-context.js';
import { counted, linear } from '../cost.js';
import { difference, intersect, intersection, setsOperand, unionOfSets, unite } from '../lib/sets/sets.js';
import { int64 } from '../value-operands.js';

function concatArrays(first: ArrayValue, second: ArrayValue): ArrayValue {
  checkElements(first.length + second.length);
  return first.concat(second);
}

/** Takes out one level of nesting; sets stay as they are. */
function flatten(elements: ArrayValue, context: BuiltinContext): ArrayValue {
  const flat: Value[] = [];
  for (const element of elements) {
    const size = isArray(element) ? element.length : 1;
    context.tick(1 + size);
    checkElements(flat.length + size);
    if (isArray(element)) for (const inner of element) flat.push(inner);
    else flat.push(element);
  }
  return flat;
}

/** Both ends are clamped to the array, and the start to the stop. */
function slice(elements: ArrayValue, start: number, stop: number, context: BuiltinContext): ArrayValue {
  const to = Math.min(Math.max(stop, 0), elements.length);
  const first = Math.min(Math.max(start, 0), to);
  context.tick(to - first);
  return elements.slice(first, to);
}

// biome-ignore format: a table
export const arrays = [
  builtin('array.concat',  [arg('x', array(any)), arg('y', array(any))], array(any), concatArrays, { cost: linear(1) }),
  builtin('array.flatten', [arg('arr', array(any))], array(any), flatten, { cost: counted }),
  builtin('array.reverse', [arg('arr', array(any))], array(any), (elements) => elements.toReversed(), { cost: linear(1) }),
  builtin('array.slice',   [arg('arr', array(any)), arg('start', number, int64), arg('stop', number, int64)], array(any), slice, { cost: counted }),
];

const twoSets = [arg('x', set(any)), arg('y', set(any))] as const;

const setOfSets = [arg('xs', set(set(any)), setsOperand)] as const;

// biome-ignore format: a table
export const sets = [
  builtin('and',          twoSets, set(any), intersect, { infix: '&', cost: counted }),
  builtin('or',           twoSets, set(any), unite, { infix: '|', cost: counted }),
  builtin('set_diff',     twoSets, set(any), difference, { deprecated: true, cost: counted }),
  builtin('intersection', setOfSets, set(any), intersection, { cost: counted }),
  builtin('union',        setOfSets, set(any), unionOfSets, { cost: counted }),
];
