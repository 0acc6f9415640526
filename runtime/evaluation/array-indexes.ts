/**
 * Indexes of arrays by a value inside their elements. An index is built once an array was scanned
 * twice for such a value. `object-indexes.ts` has those of objects.
 */

import {
  type ArrayValue,
  countWork,
  isComposite,
  type Key,
  keyOf,
  lookupPath,
  type Value,
} from '../../values/index.js';

type Positions = ReadonlyMap<Key, readonly number[]>;

/** Shared by the indexes that are not built: many never are, and each map takes time. */
const noIndex: Positions = new Map();

/**
 * The places of a collection's elements by their value at a path, once they are known: positions in
 * an array, keys of an object, members of a set. An object that the store writes in place keeps its
 * identity, so its index is of one number of changes.
 */
export class ArrayIndex {
  /** The number of elements, when they were indexed or scanned first. */
  readonly length: number;
  /** The keys or members; undefined of an array. */
  readonly keys: readonly Value[] | undefined;
  readonly changes: number;
  /** The length of the array when it was indexed; -1 before. */
  indexedLength = -1;
  /** How often an index was asked for. */
  scans = 0;
  /** The number of values. */
  size = 0;
  /**
   * The first position of each value in an array; undefined where an element has no scalar at the
   * path.
   */
  groups: readonly number[] | undefined;
  /** The positions of elements, in order. */
  #positions = noIndex;
  /** Whether each string is its own key: none begins as keys of other values do. */
  #areOwnKeys = true;

  constructor(length: number, keys?: readonly Value[], changes = 0) {
    this.length = length;
    this.keys = keys;
    this.changes = changes;
  }

  /** The places of the elements that have a value, in the order of all. */
  placesOf(wanted: Value | undefined): readonly Value[] {
    return this.placesAt(this.positionsOf(wanted));
  }

  /** The places at some positions in the list of all places. */
  placesAt(positions: readonly number[]): readonly Value[] {
    const { keys } = this;
    return keys === undefined ? positions : positions.map((position) => keys[position]!);
  }

  /** The positions of the elements that have a value; none have `undefined`. */
  positionsOf(wanted: Value | undefined): readonly number[] {
    if (wanted === undefined) return noPositions;
    return this.#positions.get(typeof wanted === 'string' && this.#areOwnKeys ? wanted : keyOf(wanted)) ?? noPositions;
  }

  build(array: ArrayValue, read: Reader, spread?: (array: ArrayValue) => Spread): void {
    const [elements, positions] = spread?.(array) ?? [array];
    countWork(unitsPerElement * elements.length);
    const index = new Map<Key, number[]>();
    const groups: number[] = [];
    let areScalars = true;
    for (let i = 0; i < elements.length; i++) {
      const position = positions === undefined ? i : positions[i]!;
      const value = read(elements[i]!);
      if (value === undefined) {
        areScalars = false;
        continue;
      }
      // Numbers of other forms are no doubles: equal ones may be written in different ways.
      if (typeof value === 'object' && value !== null) areScalars = false;
      const key = keyOf(value);
      if (key !== value) this.#areOwnKeys = false;
      const known = index.get(key);
      if (known === undefined) {
        index.set(key, [position]);
        groups.push(position);
      } else if (known[known.length - 1] !== position) known.push(position);
    }
    this.#positions = index;
    this.size = index.size;
    this.groups = areScalars && this.keys === undefined ? groups : undefined;
    this.indexedLength = this.length;
  }
}

type Keyed<K extends object, V> = Pick<WeakMap<K, V>, 'get' | 'set'>;

type IndexedArrays = Keyed<ArrayValue, ArrayIndex>;
/** Indexes by the object or the list of a set's members. */
export type IndexedObjects = Keyed<object, ArrayIndex>;

/** Shorter arrays are scanned as fast. */
export const minIndexed = 8;
/** Shorter arrays are looked through for a member. */
export const minListed = 64;
/** Fewer elements that an index has found are scanned as fast for a second value. */
export const minNarrowed = 16;
/** Scans of an array for the same path before an index pays. */
export const scansBeforeIndex = 2;

const noPositions: readonly number[] = [];

/** Looks up the value at the path of an index. */
export type Reader = (element: Value) => Value | undefined;

/** Elements that an index has in place of those of its array, with their positions in this. */
export type Spread = readonly [elements: readonly Value[], positions?: readonly number[]];

/** The keys of the scalars in an array of a length, once they were asked for often enough. */
interface ScalarsOfArray {
  readonly length: number;
  asked: number;
  keys: ReadonlySet<Key> | undefined;
}

/** The indexes of one evaluation, or of an engine's data. */
export class ArrayIndexes {
  readonly #isLasting: boolean;
  #objects: Keyed<readonly string[], IndexedObjects> | undefined;
  readonly #paths: Keyed<readonly string[], IndexedArrays>;
  readonly #scalars = new WeakMap<ArrayValue, ScalarsOfArray>();
  /** The indexes of the last path: most loops that run again and again ask for one. */
  #lastPath: readonly string[] | undefined;
  #lastArrays: IndexedArrays | undefined;

  /**
   * @param isLasting whether the indexes outlast an evaluation: then those of data that is gone
   * must go too. A weak map takes longer.
   */
  constructor(isLasting = true) {
    this.#isLasting = isLasting;
    this.#paths = isLasting ? new WeakMap() : new Map();
  }

  /** Indexes of objects and sets by the values at a path: see `object-indexes.ts`. */
  objects(path: readonly string[]): IndexedObjects {
    const paths = (this.#objects ??= this.#isLasting ? new WeakMap() : new Map());
    let objects = paths.get(path);
    if (objects === undefined)
      paths.set(path, (objects = this.#isLasting ? new WeakMap<object, ArrayIndex>() : new Map()));
    return objects;
  }

  /**
   * The index of an array by a path; undefined where a scan is as fast.
   * @param array has at least `minIndexed` elements
   * @param spread see `spread.ts`; a path with another one is another path
   */
  index(
    array: ArrayValue,
    path: readonly string[],
    read?: Reader,
    spread?: (array: ArrayValue) => Spread,
  ): ArrayIndex | undefined {
    const known = (path === this.#lastPath ? this.#lastArrays! : this.#byPath(path)).get(array);
    return known !== undefined && known.indexedLength === array.length
      ? known
      : this.#scanned(array, path, read, spread);
  }

  /** The keys of the scalars in an array; undefined where too few were asked for to pay. */
  scalars(array: ArrayValue): ReadonlySet<Key> | undefined {
    let known = this.#scalars.get(array);
    // An array that a function is still building may have grown.
    if (known?.length !== array.length)
      this.#scalars.set(array, (known = { length: array.length, asked: 0, keys: undefined }));
    if (known.keys === undefined && known.asked++ >= scansBeforeIndex) {
      countWork(array.length);
      known.keys = new Set(array.filter((element) => !isComposite(element)).map(keyOf));
    }
    return known.keys;
  }

  /** In a method of its own, so that `index` is short enough for V8 to inline. */
  #scanned(
    array: ArrayValue,
    path: readonly string[],
    read: Reader = readerOf(path),
    spread?: (array: ArrayValue) => Spread,
  ): ArrayIndex | undefined {
    const index = this.#of(array, path);
    if (index.scans < scansBeforeIndex) {
      index.scans++;
      return undefined;
    }
    index.build(array, read, spread);
    return index;
  }

  /**
   * The positions of the first elements with each value at a path, in order; undefined where an
   * element has no scalar there. Builds the index: for loops beside others that will use it.
   */
  groups(
    array: ArrayValue,
    path: readonly string[],
    read?: Reader,
    spread?: (array: ArrayValue) => Spread,
  ): readonly number[] | undefined {
    if (array.length < minIndexed) return undefined;
    const index = this.#of(array, path);
    if (index.indexedLength < 0) index.build(array, read ?? readerOf(path), spread);
    return index.groups;
  }

  #of(array: ArrayValue, path: readonly string[]): ArrayIndex {
    const arrays = path === this.#lastPath ? this.#lastArrays! : this.#byPath(path);
    let index = arrays.get(array);
    // An array that a function is still building may have grown.
    if (index?.length !== array.length) arrays.set(array, (index = new ArrayIndex(array.length)));
    return index;
  }

  #byPath(path: readonly string[]): IndexedArrays {
    let arrays = this.#paths.get(path);
    if (arrays === undefined) this.#paths.set(path, (arrays = this.#isLasting ? new WeakMap() : new Map()));
    this.#lastPath = path;
    this.#lastArrays = arrays;
    return arrays;
  }
}

export const readerOf =
  (path: readonly string[]): Reader =>
  (element) =>
    lookupPath(element, path);

/** Units for an element. */
const unitsPerElement = 5;
