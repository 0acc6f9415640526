/** Sums and products. */
import { multiplyAll, sumAll } from '../../../numbers/float.js';
import type { NumberValue } from '../../../numbers/number.js';
import { countIntegers, integerOf, numberFromInteger, unitsOfProduct } from '../../../numbers/number.js';
import type { RegoSet } from '../../../set.js';
import { countWork } from '../../../work.js';
import { BuiltinError } from '../../builtin-errors.js';
import { withinRange } from '../../limits.js';
import { elementsOf, membersOf } from '../../value-operands.js';

/** The members of a set are numbers, as its declared type says. */
type Numbers = readonly NumberValue[] | RegoSet;

function numbersOf(collection: Numbers): readonly NumberValue[] {
  return membersOf(collection) as readonly NumberValue[];
}

export function sum(collection: Numbers): NumberValue {
  // Partial sums stay exact as long as the sum of the sizes is safe.
  let total = 0;
  let size = 0;
  for (const member of elementsOf(collection)) {
    if (typeof member !== 'number' || !Number.isInteger(member)) {
      size = Number.NaN;
      break;
    }
    total += member;
    size += Math.abs(member);
  }
  if (size <= Number.MAX_SAFE_INTEGER) return total;
  const numbers = numbersOf(collection);
  return withinRange(() => {
    const integers = integersOf(numbers);
    return integers === undefined ? sumAll(numbers) : numberFromInteger(sumOf(integers));
  });
}

function sumOf(integers: readonly bigint[]): bigint {
  let total = 0n;
  for (const n of integers) {
    countIntegers(total, n, 1);
    total += n;
  }
  return total;
}

/** Units for a number that is not a whole double. */
const unitsPerNumber = 20;

function integersOf(numbers: readonly NumberValue[]): bigint[] | undefined {
  const integers: bigint[] = [];
  for (const n of numbers) {
    countWork(unitsPerNumber);
    const integer = integerOf(n);
    if (integer === undefined) return undefined;
    integers.push(integer);
  }
  return integers;
}

/** A product of more digits than this is refused: it would take seconds and gigabytes. */
const maxProductBits = 4_000_000;

export function product(collection: Numbers): NumberValue {
  let total = 1;
  for (const member of elementsOf(collection)) {
    total *= typeof member === 'number' && Number.isSafeInteger(member) ? member : Number.NaN;
    if (!Number.isSafeInteger(total)) break;
  }
  if (Number.isSafeInteger(total)) return total === 0 ? 0 : total;
  const numbers = numbersOf(collection);
  return withinRange(() => {
    const integers = integersOf(numbers);
    if (integers === undefined) return multiplyAll(numbers);
    let bits = 0;
    for (const n of integers) bits += n.toString(16).length * 4;
    if (bits > maxProductBits) throw new BuiltinError('number out of range');
    return numberFromInteger(productOf(integers, 0, integers.length));
  });
}

/** The product by halves: factors of like size multiply much faster than a long and a short one. */
function productOf(integers: readonly bigint[], start: number, end: number): bigint {
  if (end - start > 16) {
    const middle = (start + end) >> 1;
    const left = productOf(integers, start, middle);
    const right = productOf(integers, middle, end);
    countIntegers(left, right, unitsOfProduct);
    return left * right;
  }
  let total = 1n;
  for (let i = start; i < end; i++) total *= integers[i]!;
  return total;
}
