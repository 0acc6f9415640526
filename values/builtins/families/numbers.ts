/** Arithmetic, ranges and random numbers. */

import { ceiling, floor, round } from '../../numbers/float.js';
import { type NumberValue, numberFromInteger } from '../../numbers/number.js';
import { any, anyOf, array, number, set, string } from '../../type.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import type { BuiltinContext } from '../builtin-context.js';
import { counted, linear } from '../cost.js';
import { abs, div, minus, mul, onFractions, plus, rem, subtrahend } from '../lib/numbers/arithmetic.js';
import { numbersRange, numbersRangeStep } from '../lib/numbers/range.js';
import { bigInteger, int64, integer } from '../value-operands.js';

/**
 * A number from 0 up to, not including, `n`; the same for the same operands throughout an
 * evaluation.
 */
function randIntn(seed: string, n: number, context: BuiltinContext): NumberValue {
  const below = Math.abs(n);
  if (below === 0) return 0;
  const key = `rand.intn ${seed}-${below}`;
  let drawn = context.memory.get(key) as number | undefined;
  if (drawn === undefined) context.memory.set(key, (drawn = Math.floor(context.random() * below)));
  return Number.isSafeInteger(drawn) ? drawn : numberFromInteger(BigInt(drawn));
}

const two = [arg('x', number), arg('y', number)] as const;

const one = [arg('x', number)] as const;

const range = [arg('a', number, integer), arg('b', number, integer)] as const;

const numberOrSet = anyOf(number, set(any));

// biome-ignore format: a table
export const numbers: readonly Builtin[] = [
  builtin('plus',  two, number, plus, { infix: '+', cost: counted }),
  builtin('minus', [arg('x', numberOrSet), arg('y', numberOrSet, subtrahend)], numberOrSet, minus, { infix: '-', cost: counted }),
  builtin('mul',   two, number, mul, { infix: '*', cost: counted }),
  builtin('div',   two, number, div, { infix: '/', cost: counted }),
  builtin('rem',   two, number, rem, { infix: '%', cost: counted }),
  builtin('abs',   one, number, abs, { cost: counted }),
  builtin('ceil',  one, number, onFractions(ceiling), { cost: counted }),
  builtin('floor', one, number, onFractions(floor), { cost: counted }),
  builtin('round', one, number, onFractions(round), { cost: counted }),
  builtin('numbers.range',      range, array(number), numbersRange, { cost: counted }),
  builtin('numbers.range_step', [...range, arg('step', number, bigInteger)], array(number), numbersRangeStep, { cost: counted }),
  builtin('rand.intn', [arg('str', string), arg('n', number, int64)], number, randIntn, { nondeterministic: true, cost: linear(1) }),
];
