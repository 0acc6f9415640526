/** Arithmetic, ranges and random numbers. */

import { ceiling, floor, round } from '../../values/numbers/float.js';
import { type NumberValue, numberFromInteger } from '../../values/numbers/number.js';
import { any, anyOf, array, number, set, string } from '../../values/type.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import type { BuiltinContext } from '../context.js';
import { counted, linear } from '../cost.js';
import { abs, div, minus, mul, onFractions, plus, rem } from '../lib/numbers/arithmetic.js';
import { numbersRange, numbersRangeStep } from '../lib/numbers/range.js';
import { intOperand } from '../value-operands.js';

const own = { checksOperands: true } as const;

/**
 * A number from 0 up to, not including, `n`; the same for the same operands throughout an
 * evaluation.
 */
function randIntn(seed: string, n: NumberValue, context: BuiltinContext): NumberValue {
  const below = Math.abs(intOperand(n, 2));
  if (below === 0) return 0;
  const key = `rand.intn ${seed}-${below}`;
  let drawn = context.memory.get(key) as number | undefined;
  if (drawn === undefined) context.memory.set(key, (drawn = Math.floor(context.random() * below)));
  return Number.isSafeInteger(drawn) ? drawn : numberFromInteger(BigInt(drawn));
}

const two = [arg('x', number), arg('y', number)] as const;

const one = [arg('x', number)] as const;

const numberOrSet = anyOf(number, set(any));

// biome-ignore format: a table
export const numbers: readonly Builtin[] = [
  builtin('plus',  two, number, plus, { ...own, infix: '+', cost: counted }),
  builtin('minus', [arg('x', numberOrSet), arg('y', numberOrSet)], numberOrSet, minus, { ...own, infix: '-', cost: counted }),
  builtin('mul',   two, number, mul, { ...own, infix: '*', cost: counted }),
  builtin('div',   two, number, div, { ...own, infix: '/', cost: counted }),
  builtin('rem',   two, number, rem, { ...own, infix: '%', cost: counted }),
  builtin('abs',   one, number, abs, { ...own, cost: counted }),
  builtin('ceil',  one, number, onFractions(ceiling), { ...own, cost: counted }),
  builtin('floor', one, number, onFractions(floor), { ...own, cost: counted }),
  builtin('round', one, number, onFractions(round), { ...own, cost: counted }),
  builtin('numbers.range',      [arg('a', number), arg('b', number)], array(number), numbersRange, { ...own, cost: counted }),
  builtin('numbers.range_step', [arg('a', number), arg('b', number), arg('step', number)], array(number), numbersRangeStep, { ...own, cost: counted }),
  builtin('rand.intn', [arg('str', string), arg('n', number)], number, randIntn, { nondeterministic: true, cost: linear(1) }),
];
