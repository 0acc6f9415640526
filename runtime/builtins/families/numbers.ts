/** Arithmetic and ranges. Every body tries doubles first: these are the calls that run by the million. */

import { checkElements } from '../../values/memory.js';
import { absolute, add, ceiling, divide, floor, multiply, round, subtract } from '../../values/numbers/float.js';
import {
  countIntegers,
  ExactNumber,
  integerOf,
  type NumberValue,
  numberFromInteger,
  unitsOfQuotient,
} from '../../values/numbers/number.js';
import type { RegoSet } from '../../values/set.js';
import { any, anyOf, array, number, set } from '../../values/type.js';
import { isNumber, isSet, type Value } from '../../values/value.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import type { BuiltinContext } from '../context.js';
import { counted, linear } from '../cost.js';
import { BuiltinError, operandTypeError } from '../errors.js';
import { stringOperand } from '../string-operands.js';
import { bigIntegerOperand, intOperand, numberOperand, withinRange } from '../value-operands.js';
import { difference } from './sets.js';

const own = { checksOperands: true } as const;
const isSafe = Number.isSafeInteger;

function plus(x: Value, y: Value): NumberValue {
  if (typeof x === 'number' && typeof y === 'number') {
    const sum = x + y;
    if (isSafe(sum) && isSafe(x) && isSafe(y)) return sum;
  }
  const a = numberOperand(x, 1);
  const b = numberOperand(y, 2);
  return withinRange(() => add(a, b));
}

function minus(x: Value, y: Value): NumberValue | RegoSet {
  if (typeof x === 'number' && typeof y === 'number') {
    const rest = x - y;
    if (isSafe(rest) && isSafe(x) && isSafe(y)) return rest;
  }
  if (isNumber(x) && isNumber(y)) return withinRange(() => subtract(x, y));
  if (isSet(x) && isSet(y)) return difference(x, y);
  if (!isNumber(x) && !isSet(x)) throw operandTypeError(1, x, 'number', 'set');
  throw operandTypeError(2, y, isNumber(y) ? 'set' : 'number');
}

/** Digits of a product beyond which it is refused: squaring a few dozen times would take all memory. */
const maxDigits = 1_000_000;

function mul(x: Value, y: Value): NumberValue {
  if (typeof x === 'number' && typeof y === 'number') {
    const product = x * y;
    if (isSafe(product) && isSafe(x) && isSafe(y)) return product === 0 ? 0 : product;
  }
  const a = numberOperand(x, 1);
  const b = numberOperand(y, 2);
  if (a instanceof ExactNumber && b instanceof ExactNumber && a.size + b.size > maxDigits) {
    throw new BuiltinError('number out of range');
  }
  return withinRange(() => multiply(a, b));
}

function div(x: Value, y: Value): NumberValue {
  if (typeof x === 'number' && typeof y === 'number' && y !== 0 && isSafe(x) && isSafe(y) && x % y === 0) return x / y || 0;
  const a = numberOperand(x, 1);
  const b = numberOperand(y, 2);
  if (isZero(b)) throw new BuiltinError('divide by zero');
  return withinRange(() => divide(a, b));
}

/** The sign is the dividend's. */
function rem(x: Value, y: Value): NumberValue {
  if (typeof x === 'number' && typeof y === 'number' && y !== 0 && isSafe(x) && isSafe(y)) return x % y || 0;
  const a = withinRange(() => integerOf(numberOperand(x, 1)));
  const b = withinRange(() => integerOf(numberOperand(y, 2)));
  if (a === undefined || b === undefined) throw new BuiltinError('modulo on floating-point number');
  if (b === 0n) throw new BuiltinError('modulo by zero');
  countIntegers(a, b, unitsOfQuotient);
  return numberFromInteger(a % b);
}

function isZero(n: NumberValue): boolean {
  return typeof n === 'number' ? n === 0 : n.decimal.digits === 0n;
}

/** A function of one number that leaves whole doubles alone. */
function onFractions(compute: (n: NumberValue) => NumberValue): (x: Value) => NumberValue {
  return (x) => {
    if (typeof x === 'number' && isSafe(x)) return x;
    const n = numberOperand(x, 1);
    return withinRange(() => compute(n));
  };
}

function abs(x: Value): NumberValue {
  if (typeof x === 'number' && isSafe(x)) return Math.abs(x);
  const n = numberOperand(x, 1);
  return withinRange(() => absolute(n));
}

function range(from: bigint, to: bigint, step: bigint, context: BuiltinContext): NumberValue[] {
  const down = from > to;
  const size = (down ? from - to : to - from) / step + 1n;
  const length = Number(size);
  checkElements(length);
  const last = from + (down ? -step : step) * (size - 1n);
  const exact = !isSafe(Number(from)) || !isSafe(Number(last)) || !isSafe(Number(step));
  const numbers: NumberValue[] = [];
  const start = Number(from);
  const by = down ? -Number(step) : Number(step);
  for (let i = 0; i < length; i++) {
    if ((i & 1023) === 1023) context.tick(1024);
    if (exact) context.tick(20);
    numbers.push(exact ? numberFromInteger(from + (down ? -step : step) * BigInt(i)) : start + i * by);
  }
  return numbers;
}

function numbersRange(from: Value, to: Value, context: BuiltinContext): NumberValue[] {
  return range(bigIntegerOperand(from, 1), bigIntegerOperand(to, 2), 1n, context);
}

function numbersRangeStep(from: Value, to: Value, step: Value, context: BuiltinContext): NumberValue[] {
  const a = bigIntegerOperand(from, 1);
  const b = bigIntegerOperand(to, 2);
  const by = bigIntegerOperand(step, 3);
  // The name stands in the reference's message as well as before it.
  if (by <= 0n) throw new BuiltinError('numbers.range_step: step must be a positive integer');
  return range(a, b, by, context);
}

/** A number from 0 up to, not including, `n`; the same for the same operands throughout an evaluation. */
function randIntn(text: Value, n: Value, context: BuiltinContext): NumberValue {
  const seed = stringOperand(text, 1);
  const below = Math.abs(intOperand(n, 2));
  if (below === 0) return 0;
  const key = `rand.intn ${seed}-${below}`;
  let drawn = context.memory.get(key) as number | undefined;
  if (drawn === undefined) context.memory.set(key, (drawn = Math.floor(context.random() * below)));
  return isSafe(drawn) ? drawn : numberFromInteger(BigInt(drawn));
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
  builtin('rand.intn', [arg('str', { type: 'string' }), arg('n', number)], number, randIntn, { ...own, nondeterministic: true, cost: linear(1) }),
];
