/**
 * Indexes of objects of the base documents by a value inside their elements, as those of arrays.
 * They are apart from these, so that a module has them only if it scans such an object.
 */

import { type ArrayValue, changesOf, type PlainObject, type Value, ValueClass, valueAt } from '../../values/index.js';
import { ArrayIndex, minIndexed, type Reader, readerOf, type Spread, scansBeforeIndex } from './array-indexes.js';

/**
 * The keys of an object's elements by their value at a path, once they are known. An object that
 * the store writes in place keeps its identity, so an index is of one number of changes.
 */
export class ObjectIndex {
  readonly changes: number;
  /** How often an index was asked for. */
  scans = 0;
  isBuilt = false;
  readonly #keys: readonly string[];
  readonly #positions: ArrayIndex;

  constructor(keys: readonly string[], changes: number) {
    this.#keys = keys;
    this.changes = changes;
    this.#positions = new ArrayIndex(keys.length);
  }

  /** The number of values. */
  get size(): number {
    return this.#positions.size;
  }

  /** The keys of the elements that have a value, in order. */
  positionsOf(wanted: Value | undefined): readonly string[] {
    const keys = this.#keys;
    return this.#positions.positionsOf(wanted).map((position) => keys[position]!);
  }

  build(object: PlainObject, read: Reader, spread?: (array: ArrayValue) => Spread): void {
    const values = this.#keys.map((key) => valueAt(object, key));
    this.#positions.build(values, read, spread);
    this.isBuilt = true;
  }
}

/** Indexes by path, which is of one program, and by object. */
const paths = new WeakMap<readonly string[], WeakMap<PlainObject, ObjectIndex>>();

/**
 * The index of an object of the base documents, given its keys in order; undefined for another
 * value, and where a scan is as fast.
 */
export function objectIndex(
  object: unknown,
  keys: readonly Value[],
  path: readonly string[],
  read?: Reader,
  spread?: (array: ArrayValue) => Spread,
): ObjectIndex | undefined {
  if (keys.length < minIndexed || typeof object !== 'object' || object instanceof ValueClass) return undefined;
  const plain = object as PlainObject;
  let indexes = paths.get(path);
  if (indexes === undefined) paths.set(path, (indexes = new WeakMap()));
  const changes = changesOf(plain);
  let index = indexes.get(plain);
  if (index?.changes !== changes) indexes.set(plain, (index = new ObjectIndex(keys as readonly string[], changes)));
  if (index.isBuilt) return index;
  if (index.scans++ < scansBeforeIndex) return undefined;
  index.build(plain, read ?? readerOf(path), spread);
  return index;
}
