/**
 * Indexes of values that are not in the elements of an array themselves: of members of collections
 * in them, for a loop inside of a loop, and of the elements at some positions only. They are apart
 * from other indexes, so that a module has them only if it needs them.
 */

import { type ArrayValue, countWork, isObject, isSet, sortedKeys, type Value, valueAt } from '../../values/index.js';
import { type ArrayIndex, type ArrayIndexes, type Reader, readerOf, type Spread } from './array-indexes.js';

/** Spreads an array into the members of the collections at a path in its elements. */
export function spreadBy(path: readonly string[]): (array: ArrayValue) => Spread {
  const read = readerOf(path);
  return (array) => {
    countWork(array.length);
    const elements: Value[] = [];
    const positions: number[] = [];
    for (let i = 0; i < array.length; i++) {
      for (const member of membersOf(read(array[i]!))) {
        elements.push(member);
        positions.push(i);
      }
    }
    return [elements, positions];
  };
}

/** With fewer values of the elements for each member, a scan is as fast. */
const valuesPerMember = 8;

/**
 * The places of the elements whose value is a member of a collection, in order; undefined where a
 * scan is as fast.
 */
export function placesOfMembers(index: ArrayIndex, collection: Value | undefined): readonly Value[] | undefined {
  const members = membersOf(collection);
  if (members.length * valuesPerMember > index.size && index.size > 0) return undefined;
  countWork(members.length);
  const found = new Set<number>();
  for (const member of members) for (const one of index.positionsOf(member)) found.add(one);
  countWork(found.size);
  return index.placesAt([...found].sort((a, b) => a - b));
}

function membersOf(value: Value | undefined): readonly Value[] {
  if (Array.isArray(value)) return value;
  if (value === undefined) return [];
  if (isSet(value)) return value.members;
  return isObject(value) ? sortedKeys(value).map((key) => valueAt(value, key)) : [];
}

/**
 * The index of the elements at the given positions of an array; undefined where a scan is as fast.
 * @param positions are those that an index has for a value
 */
export function narrowed(
  indexes: ArrayIndexes,
  positions: readonly number[],
  array: ArrayValue,
  path: readonly string[],
  read?: Reader,
): ArrayIndex | undefined {
  return indexes.index(positions, path, read, () => elementsAt(positions, array));
}

/** The first of such positions for each value at a path, see `ArrayIndexes.groups`. */
export function narrowedGroups(
  indexes: ArrayIndexes,
  positions: readonly number[],
  array: ArrayValue,
  path: readonly string[],
  read?: Reader,
): readonly number[] | undefined {
  return indexes.groups(positions, path, read, () => elementsAt(positions, array));
}

function elementsAt(positions: readonly number[], array: ArrayValue): Spread {
  return [positions.map((position) => array[position]!), positions];
}
