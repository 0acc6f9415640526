/** count, sum, product, max, min, sort, all, any. */

import { compare, countSort, objectSize, sortedMembers, sortStrings } from '../../values/compare.js';
import { multiplyAll, sumAll } from '../../values/numbers/float.js';
import { countIntegers, integerOf, type NumberValue, numberFromInteger, unitsOfProduct } from '../../values/numbers/number.js';
import { RegoSet } from '../../values/set.js';
import { codePoints } from '../../values/text/code-points.js';
import { any, anyOf, array, boolean, number, object, set, string } from '../../values/type.js';
import { isArray, isNumber, isObject, isSet, type Value } from '../../values/value.js';
import { countText, countWork } from '../../values/work.js';
import { arg, builtin } from '../builtin.js';
import { counted, linear } from '../cost.js';
import { BuiltinError, operandElementError, operandTypeError } from '../errors.js';
import { withinRange } from '../value-operands.js';

const own = { checksOperands: true } as const;
const collection = anyOf(array(any), set(any));
const numbersType = anyOf(array(number), set(number));

/** The members of an array or a set, the set's in order. */
function membersOf(operand: Value, ...expected: readonly string[]): readonly Value[] {
  if (isArray(operand)) return operand;
  if (isSet(operand)) return sortedMembers(operand);
  throw operandTypeError(1, operand, ...expected);
}

function count(operand: Value): number {
  if (isArray(operand)) return operand.length;
  if (typeof operand === 'string') {
    countText(operand.length);
    return codePoints(operand);
  }
  if (isSet(operand)) return operand.size;
  if (isObject(operand)) {
    const size = objectSize(operand);
    countWork(size);
    return size;
  }
  throw operandTypeError(1, operand, 'array', 'object', 'set', 'string');
}

function numbersOf(operand: Value): readonly NumberValue[] {
  const members = membersOf(operand, 'set', 'array');
  for (const member of members) {
    if (!isNumber(member)) throw operandElementError(1, isSet(operand) ? 'set' : 'array', member, 'number');
  }
  return members as readonly NumberValue[];
}

function sum(operand: Value): NumberValue {
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

function product(operand: Value): NumberValue {
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

function max(operand: Value): Value | undefined {
  if (isSet(operand)) return operand.size === 0 ? undefined : extreme([...operand], 1);
  return extreme(membersOf(operand, 'set', 'array'), 1);
}

function min(operand: Value): Value | undefined {
  if (isSet(operand)) return operand.size === 0 ? undefined : extreme([...operand], -1);
  return extreme(membersOf(operand, 'set', 'array'), -1);
}

/** Of equal values the last: 1 and 1.0 are equal, but print differently. */
function extreme(values: readonly Value[], sign: 1 | -1): Value | undefined {
  let best = values[0];
  for (let i = 1; i < values.length; i++) {
    const value = values[i]!;
    if (typeof value === 'number' && typeof best === 'number') {
      if (sign > 0 ? value > best : value < best) best = value;
    } else if (compare(value, best!) * sign >= 0) best = value;
  }
  return best;
}

function sort(operand: Value): readonly Value[] {
  if (operand instanceof RegoSet) return sortedMembers(operand);
  const values = membersOf(operand, 'set', 'array');
  countSort(values.length);
  if (values.every((value) => typeof value === 'number')) return sortDoubles(values);
  if (values.every((value) => typeof value === 'string')) return sortStrings([...values]);
  return [...values].sort(compare);
}

/** As typed numbers they sort several times faster than by comparison. */
function sortDoubles(values: readonly number[]): number[] {
  const sorted = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) sorted[i] = values[i]!;
  sorted.sort();
  const answer: number[] = [];
  for (let i = 0; i < sorted.length; i++) answer.push(sorted[i]!);
  return answer;
}

// biome-ignore format: a table
export const aggregates = [
  builtin('count',   [arg('collection', anyOf(string, array(any), object(any, any), set(any)))], number, count, { ...own, cost: counted }),
  builtin('sum',     [arg('collection', numbersType)], number, sum, { ...own, cost: linear(1) }),
  builtin('product', [arg('collection', numbersType)], number, product, { ...own, cost: linear(1) }),
  builtin('max',     [arg('collection', collection)], any, max, { ...own, cost: linear(1) }),
  builtin('min',     [arg('collection', collection)], any, min, { ...own, cost: linear(1) }),
  builtin('sort',    [arg('collection', collection)], array(any), sort, { ...own, cost: counted }),
  builtin('all',     [arg('collection', collection)], boolean, (operand) => membersOf(operand, 'array', 'set').every((v) => v === true), { ...own, deprecated: true, cost: linear(0.2) }),
  builtin('any',     [arg('collection', collection)], boolean, (operand) => membersOf(operand, 'array', 'set').includes(true), { ...own, deprecated: true, cost: linear(0.2) }),
];
