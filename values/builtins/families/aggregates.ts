/** count, sum, product, max, min, sort, all, any. */
import { compare, countSort, objectSize, sortedMembers, sortStrings } from '../../compare.js';
import type { RegoSet } from '../../set.js';
import { codePoints } from '../../text/code-points.js';
import { any, anyOf, array, boolean, number, object, set, string } from '../../type.js';
import { type ArrayValue, isArray, isSet, type ObjectValue, type Value } from '../../value.js';
import { countText, countWork } from '../../work.js';
import { arg, builtin } from '../builtin.js';
import { counted, linear } from '../cost.js';
import { product, sum } from '../lib/numbers/totals.js';
import { checked } from '../read-operands.js';
import { elementsOf, membersOf } from '../value-operands.js';

const countable = anyOf(string, array(any), object(any, any), set(any));

const anyCollection = anyOf(array(any), set(any));

const numberCollection = anyOf(array(number), set(number));

const collection = [arg('collection', anyCollection, checked(anyCollection, 'set', 'array'))] as const;

const numbers = [arg('collection', numberCollection, checked(numberCollection, 'set', 'array'))] as const;

function count(collection: string | ArrayValue | RegoSet | ObjectValue): number {
  if (isArray(collection)) return collection.length;
  if (typeof collection === 'string') {
    countText(collection.length);
    return codePoints(collection);
  }
  if (isSet(collection)) return collection.size;
  const size = objectSize(collection);
  countWork(size);
  return size;
}

function max(collection: ArrayValue | RegoSet): Value | undefined {
  return extreme(elementsOf(collection), 1);
}

function min(collection: ArrayValue | RegoSet): Value | undefined {
  return extreme(elementsOf(collection), -1);
}

/** The least or greatest value, the last of equal ones: 1 and 1.0 print differently. */
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

function sort(values: ArrayValue | RegoSet): readonly Value[] {
  if (isSet(values)) return sortedMembers(values);
  countSort(values.length);
  if (values.every((value) => typeof value === 'number')) return sortDoubles(values);
  if (values.every((value) => typeof value === 'string')) return sortStrings([...values]);
  return [...values].sort(compare);
}

/** Typed numbers sort several times faster than by comparison. */
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
  builtin('count',   [arg('collection', countable, checked(countable, 'array', 'object', 'set', 'string'))], number, count, { cost: counted }),
  builtin('sum',     numbers, number, sum, { cost: linear(1) }),
  builtin('product', numbers, number, product, { cost: linear(1) }),
  builtin('max',     collection, any, max, { cost: linear(1) }),
  builtin('min',     collection, any, min, { cost: linear(1) }),
  builtin('sort',    collection, array(any), sort, { cost: counted }),
  builtin('all',     [arg('collection', anyCollection)], boolean, (values) => membersOf(values).every((v) => v === true), { deprecated: true, cost: linear(0.2) }),
  builtin('any',     [arg('collection', anyCollection)], boolean, (values) => membersOf(values).includes(true), { deprecated: true, cost: linear(0.2) }),
];
