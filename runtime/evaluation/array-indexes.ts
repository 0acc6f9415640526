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

interface ArrayIndex {
  readonly positions: Positions;
  /** The first position of each value; undefined where an element has no scalar at the path. */
  readonly groups: readonly number[] | undefined;
}

/** An array that is scanned for a value at one path. */
interface ScannedArray {
  /** Of the array, when it was indexed or scanned first. */
  readonly length: number;
  /** How often an index was asked for. */
  scans: number;
  index: ArrayIndex | undefined;
}

type Keyed<K extends object, V> = Pick<WeakMap<K, V>, 'get' | 'set'>;

type ScannedArrays = Keyed<ArrayValue, ScannedArray>;

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
  readonly #lasting: boolean;
  readonly #paths: Keyed<readonly string[], ScannedArrays>;
  /** Those of the last path: most loops that run again and again ask for one. */
  #lastPath: readonly string[] | undefined;
  #lastArrays: ScannedArrays | undefined;

  /**
   * @param lasting whether the indexes outlast an evaluation: then those of data that is gone must
   * go too. A weak map takes longer.
   */
  constructor(lasting = true) {
    this.#lasting = lasting;
    this.#paths = lasting ? new WeakMap() : new Map();
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
    const scanned = this.#of(array, path);
    if (scanned.index !== undefined) return scanned.index.positions;
    if (scanned.scans < scansBeforeIndex) {
      scanned.scans++;
      return undefined;
    }
    return (scanned.index = indexBy(array, read)).positions;
  }

  /**
   * The positions of the first elements with each value at a path, in order; undefined where an
   * element has no scalar there. Builds the index: for loops beside others that will use it.
   */
  groups(array: ArrayValue, path: readonly string[], read: Reader = (element) => valueAt(element, path)): readonly number[] | undefined {
    if (array.length < minIndexed) return undefined;
    return (this.#of(array, path).index ??= indexBy(array, read)).groups;
  }

  #of(array: ArrayValue, path: readonly string[]): ScannedArray {
    const arrays = path === this.#lastPath ? this.#lastArrays! : this.#byPath(path);
    let scanned = arrays.get(array);
    // An array that a function is still building may have grown.
    if (scanned?.length !== array.length) arrays.set(array, (scanned = { length: array.length, scans: 0, index: undefined }));
    return scanned;
  }

  #byPath(path: readonly string[]): ScannedArrays {
    let arrays = this.#paths.get(path);
    if (arrays === undefined) this.#paths.set(path, (arrays = this.#lasting ? new WeakMap() : new Map()));
    this.#lastPath = path;
    this.#lastArrays = arrays;
    return arrays;
  }
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
