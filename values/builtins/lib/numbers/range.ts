/** Whole numbers between two. */

import { checkElements } from '../../../memory.js';
import { type NumberValue, numberFromInteger } from '../../../numbers/number.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';
import type { Integer } from '../../value-operands.js';

function range(from: bigint, to: bigint, step: bigint, context: BuiltinContext): NumberValue[] {
  const down = from > to;
  const size = (down ? from - to : to - from) / step + 1n;
  const length = Number(size);
  checkElements(length);
  const last = from + (down ? -step : step) * (size - 1n);
  const exact =
    !Number.isSafeInteger(Number(from)) || !Number.isSafeInteger(Number(last)) || !Number.isSafeInteger(Number(step));
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

/** A range of numbers that doubles hold, without big integers. */
function shortRange(from: number, to: number, context: BuiltinContext): NumberValue[] {
  const length = Math.abs(to - from) + 1;
  checkElements(length);
  const numbers: NumberValue[] = [];
  for (let i = 0; i < length; i++) {
    if ((i & 1023) === 1023) context.tick(1024);
    numbers.push(from > to ? from - i : from + i);
  }
  return numbers;
}

export function numbersRange(from: Integer, to: Integer, context: BuiltinContext): NumberValue[] {
  if (typeof from === 'number' && typeof to === 'number') return shortRange(from, to, context);
  return range(BigInt(from), BigInt(to), 1n, context);
}

export function numbersRangeStep(from: Integer, to: Integer, step: bigint, context: BuiltinContext): NumberValue[] {
  // The reference's message contains the name of the built-in, besides beginning with it.
  if (step <= 0n) throw new BuiltinError('numbers.range_step: step must be a positive integer');
  return range(BigInt(from), BigInt(to), step, context);
}
