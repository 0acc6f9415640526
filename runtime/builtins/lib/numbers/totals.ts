/** Sums and products. */
import { sortedMembers } from '../../../values/compare.js';
import { multiplyAll, sumAll } from '../../../values/numbers/float.js';
import { countIntegers, integerOf, type NumberValue, numberFromInteger, unitsOfProduct } from '../../../values/numbers/number.js';
import { isArray, isNumber, isSet, type Value } from '../../../values/value.js';
import { countWork } from '../../../values/work.js';
import { BuiltinError, operandElementError, operandTypeError } from '../../errors.js';
import { withinRange } from '../../limits.js';

/** The members of an array or a set, the set's in order. */
export function membersOf(operand: Value, ...expected: readonly string[]): readonly Value[] {
  if (isArray(operand)) return operand;
  if (isSet(operand)) return sortedMembers(operand);
  throw operandTypeError(1, operand, ...expected);
}

function numbersOf(operand: Value): readonly NumberValue[] {
  const members = membersOf(operand, 'set', 'array');
  for (const member of members) {
    if (!isNumber(member)) throw operandElementError(1, isSet(operand) ? 'set' : 'array', member, 'number');
  }
  return members as readonly NumberValue[];
}

export function sum(operand: Value): NumberValue {
  if (isArray(operand) || isSet(operand)) {
    // Partial sums stay exact as long as the sum of the sizes is safe.
    let total = 0;
    let size = 0;
    for (const member of operand) {
      if (typeof member !== 'number' || !Number.isInteger(member)) {
        size = Number.NaN;
        break;
      }
      total += member;
      size += Math.abs(member);
    }
    if (size <= Number.MAX_SAFE_INTEGER) return total;
  }
  const numbers = numbersOf(operand);
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

export function product(operand: Value): NumberValue {
  if (isArray(operand) || isSet(operand)) {
    let total = 1;
    for (const member of operand) {
      total *= typeof member === 'number' && Number.isSafeInteger(member) ? member : Number.NaN;
      if (!Number.isSafeInteger(total)) break;
    }
    if (Number.isSafeInteger(total)) return total === 0 ? 0 : total;
  }
  const numbers = numbersOf(operand);
  return withinRange(() => {
    const integers = integersOf(numbers);
    if (integers === undefined) return multiplyAll(numbers);
    let bits = 0;
    for (const n of integers) bits += n.toString(16).length * 4;
    if (bits > maxProductBits) throw new BuiltinError('number out of range');
    return numberFromInteger(productOf(integers, 0, integers.length));
  });
}

/** By halves: factors of like size multiply much faster than a long one with a short one. */
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
