/** Whole numbers between two. */

import { checkElements } from '../../../values/memory.js';
import { type NumberValue, numberFromInteger } from '../../../values/numbers/number.js';
import type { Value } from '../../../values/value.js';
import type { BuiltinContext } from '../../context.js';
import { BuiltinError } from '../../errors.js';
import { bigIntegerOperand } from '../../value-operands.js';

function range(from: bigint, to: bigint, step: bigint, context: BuiltinContext): NumberValue[] {
  const down = from > to;
  const size = (down ? from - to : to - from) / step + 1n;
  const length = Number(size);
  checkElements(length);
  const last = from + (down ? -step : step) * (size - 1n);
  const exact = !Number.isSafeInteger(Number(from)) || !Number.isSafeInteger(Number(last)) || !Number.isSafeInteger(Number(step));
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

export function numbersRange(from: Value, to: Value, context: BuiltinContext): NumberValue[] {
  return range(bigIntegerOperand(from, 1), bigIntegerOperand(to, 2), 1n, context);
}

export function numbersRangeStep(from: Value, to: Value, step: Value, context: BuiltinContext): NumberValue[] {
  const a = bigIntegerOperand(from, 1);
  const b = bigIntegerOperand(to, 2);
  const by = bigIntegerOperand(step, 3);
  // The name stands in the reference's message as well as before it.
  if (by <= 0n) throw new BuiltinError('numbers.range_step: step must be a positive integer');
  return range(a, b, by, context);
}
