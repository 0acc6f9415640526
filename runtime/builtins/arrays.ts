/** array.* */
import { any, array, number } from '../values/type.js';
import { type ArrayValue, isArray, type Value } from '../values/value.js';
import { arg, builtin } from './builtin.js';
import type { BuiltinContext } from './context.js';
import { arrayOperand, intOperand } from './value-operands.js';

const own = { checksOperands: true } as const;

function concat(x: Value, y: Value, context: BuiltinContext): ArrayValue {
  const [first, second] = [arrayOperand(x, 1), arrayOperand(y, 2)];
  context.tick((first.length + second.length) >> 8);
  return first.concat(second);
}

/** Takes out one level of nesting; sets stay as they are. */
function flatten(operand: Value): ArrayValue {
  const flat: Value[] = [];
  for (const element of arrayOperand(operand, 1)) {
    if (isArray(element)) for (const inner of element) flat.push(inner);
    else flat.push(element);
  }
  return flat;
}

/** Both ends are clamped to the array, and the start to the stop. */
function slice(operand: Value, start: Value, stop: Value): ArrayValue {
  const elements = arrayOperand(operand, 1);
  const from = intOperand(start, 2);
  const to = Math.min(Math.max(intOperand(stop, 3), 0), elements.length);
  return elements.slice(Math.min(Math.max(from, 0), to), to);
}

// biome-ignore format: a table
export const arrays = [
  builtin('array.concat',  [arg('x', array(any)), arg('y', array(any))], array(any), concat, own),
  builtin('array.flatten', [arg('arr', array(any))], array(any), flatten, own),
  builtin('array.reverse', [arg('arr', array(any))], array(any), (operand: Value) => arrayOperand(operand, 1).toReversed(), own),
  builtin('array.slice',   [arg('arr', array(any)), arg('start', number), arg('stop', number)], array(any), slice, own),
];
