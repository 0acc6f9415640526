/**
 * Indexes of arrays by a value inside their elements. An index is built once an array was scanned
 * twice for such a value.
 */

import { lookup } from '../values/compare.js';
import type { Key } from '../values/hash.js';
import { keyOf } from '../values/hash.js';
import type { ArrayValue, Value } from '../values/value.js';

type Positions = ReadonlyMap<Key, readonly number[]>;

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

/** The indexes of one evaluation, or of an engine's data. */
export class ArrayIndexes {
  // Weak, so that an engine drops indexes of data that is gone.
  readonly #arrays = new WeakMap<ArrayValue, ByPath>();

  /**
   * The positions of the elements whose value at `path` equals `wanted`, in order; undefined where
   * a scan is as fast.
   */
  positions(array: ArrayValue, path: readonly string[], wanted: Value): readonly number[] | undefined {
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
      byPath.indexes.set(path, (index = indexBy(array, path)));
    }
    return index.get(keyOf(wanted)) ?? noPositions;
  }
}

function indexBy(array: ArrayValue, path: readonly string[]): Positions {
  const index = new Map<Key, number[]>();
  array.forEach((element, position) => {
    let value: Value | undefined = element;
    for (const key of path) value = value === undefined ? undefined : lookup(value, key);
    if (value === undefined) return;
    const key = keyOf(value);
    const positions = index.get(key);
    if (positions === undefined) index.set(key, [position]);
    else positions.push(position);
  });
  return index;
}
