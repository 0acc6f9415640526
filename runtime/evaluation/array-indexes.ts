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
  readonly indexes: Map<readonly string[], Positions | number>;
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
type Reader = (element: Value) => Value | undefined;

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
    let byPath = this.#arrays.get(array);
    // An array that a function is still building may have grown.
    if (byPath?.length !== array.length) this.#arrays.set(array, (byPath = { length: array.length, indexes: new Map() }));
    let index = byPath.indexes.get(path) ?? 0;
    if (typeof index === 'number') {
      if (index < scansBeforeIndex) {
        byPath.indexes.set(path, index + 1);
        return undefined;
      }
      byPath.indexes.set(path, (index = indexBy(array, read)));
    }
    return index;
  }
}

function valueAt(element: Value, path: readonly string[]): Value | undefined {
  let value: Value | undefined = element;
  for (let i = 0; i < path.length && value !== undefined; i++) value = lookup(value, path[i]!);
  return value;
}

/** Units for an element. */
const unitsPerElement = 5;

function indexBy(array: ArrayValue, read: Reader): Positions {
  countWork(unitsPerElement * array.length);
  const index = new Map<Key, number[]>();
  for (let i = 0; i < array.length; i++) {
    const value = read(array[i]!);
    if (value === undefined) continue;
    const key = keyOf(value);
    const positions = index.get(key);
    if (positions === undefined) index.set(key, [i]);
    else positions.push(i);
  }
  return index;
}
