/**
 * Indexes of arrays by a value inside their elements. An index is built once an array was scanned
 * twice for such a value.
 */

import { lookup } from '../values/compare.js';
import type { Key } from '../values/hash.js';
import { keyOf } from '../values/hash.js';
import type { ArrayValue, Value } from '../values/value.js';
import { countWork } from '../values/work.js';

/** The positions of elements, in order, by their value at a path. */
export type Positions = ReadonlyMap<Key, readonly number[]>;

interface ByPath {
  /** Of the array, when it was indexed. */
  readonly length: number;
  /** By path: how often it was asked for, then its index. */
  readonly indexes: Map<readonly string[], ArrayIndex | number>;
}

interface ArrayIndex {
  readonly positions: Positions;
  /** The first position of each value; undefined where an element has no scalar at the path. */
  readonly groups: readonly number[] | undefined;
}

/** Shorter arrays are scanned as fast. */
export const minIndexed = 8;
/** Scans of an array for the same path before an index pays. */
const scansBeforeIndex = 2;

const noPositions: readonly number[] = [];

/** The positions of the elements that have a value; none have `undefined`. */
export function positionsOf(index: Positions, wanted: Value | undefined): readonly number[] {
  return (wanted === undefined ? undefined : index.get(keyOf(wanted))) ?? noPositions;
}

/** Looks up the value at the path of an index. */
export type Reader = (element: Value) => Value | undefined;

/** The indexes of one evaluation, or of an engine's data. */
export class ArrayIndexes {
  readonly #arrays: Pick<WeakMap<ArrayValue, ByPath>, 'get' | 'set'>;

  /**
   * @param lasting whether the indexes outlast an evaluation: then those of data that is gone must
   * go too. A weak map takes longer.
   */
  constructor(lasting = true) {
    this.#arrays = lasting ? new WeakMap() : new Map();
  }

  /**
   * The positions of the elements whose value at `path` equals `wanted`, in order; undefined where
   * a scan is as fast.
   */
  positions(array: ArrayValue, path: readonly string[], wanted: Value): readonly number[] | undefined {
    const index = this.index(array, path);
    return index === undefined ? undefined : positionsOf(index, wanted);
  }

  /** The index of an array by a path; undefined where a scan is as fast. */
  index(array: ArrayValue, path: readonly string[], read: Reader = (element) => valueAt(element, path)): Positions | undefined {
    if (array.length < minIndexed) return undefined;
    const { indexes } = this.#of(array);
    const index = indexes.get(path) ?? 0;
    if (typeof index === 'object') return index.positions;
    if (index < scansBeforeIndex) {
      indexes.set(path, index + 1);
      return undefined;
    }
    return built(array, path, read, indexes).positions;
  }

  /**
   * The positions of the first elements with each value at a path, in order; undefined where an
   * element has no scalar there. Builds the index: for loops beside others that will use it.
   */
  groups(array: ArrayValue, path: readonly string[], read: Reader = (element) => valueAt(element, path)): readonly number[] | undefined {
    if (array.length < minIndexed) return undefined;
    const { indexes } = this.#of(array);
    const index = indexes.get(path);
    return (typeof index === 'object' ? index : built(array, path, read, indexes)).groups;
  }

  #of(array: ArrayValue): ByPath {
    let byPath = this.#arrays.get(array);
    // An array that a function is still building may have grown.
    if (byPath?.length !== array.length) this.#arrays.set(array, (byPath = { length: array.length, indexes: new Map() }));
    return byPath;
  }
}

function built(array: ArrayValue, path: readonly string[], read: Reader, indexes: Map<readonly string[], ArrayIndex | number>): ArrayIndex {
  const index = indexBy(array, read);
  indexes.set(path, index);
  return index;
}

function valueAt(element: Value, path: readonly string[]): Value | undefined {
  let value: Value | undefined = element;
  for (let i = 0; i < path.length && value !== undefined; i++) value = lookup(value, path[i]!);
  return value;
}

/** Units for an element. */
const unitsPerElement = 5;

function indexBy(array: ArrayValue, read: Reader): ArrayIndex {
  countWork(unitsPerElement * array.length);
  const index = new Map<Key, number[]>();
  const groups: number[] = [];
  let areScalars = true;
  for (let i = 0; i < array.length; i++) {
    const value = read(array[i]!);
    // Numbers of other forms are no doubles: equal ones may be written in different ways.
    if (value === undefined || (typeof value === 'object' && value !== null)) areScalars = false;
    if (value === undefined) continue;
    const key = keyOf(value);
    const positions = index.get(key);
    if (positions === undefined) {
      index.set(key, [i]);
      groups.push(i);
    } else positions.push(i);
  }
  return { positions: index, groups: areScalars ? groups : undefined };
}
