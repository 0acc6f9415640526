/** count, sum, product, max, min, sort, all, any. */
import { compare, countSort, objectSize, sortedMembers, sortStrings } from '../../values/compare.js';
import { RegoSet } from '../../values/set.js';
import { codePoints } from '../../values/text/code-points.js';
import { any, anyOf, array, boolean, number, object, set, string } from '../../values/type.js';
import { isArray, isObject, isSet, type Value } from '../../values/value.js';
import { countText, countWork } from '../../values/work.js';
import { arg, builtin } from '../builtin.js';
import { counted, linear } from '../cost.js';
import { operandTypeError } from '../errors.js';
import { membersOf, product, sum } from '../lib/numbers/totals.js';

const own = { checksOperands: true } as const;

const collection = anyOf(array(any), set(any));

const numbersType = anyOf(array(number), set(number));

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
