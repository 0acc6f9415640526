/** Where two collections differ. */
import { compare, lookup, objectKeys } from '../../values/compare.js';
import { isArray, isObject, isSet, type Value } from '../../values/value.js';
import type { Explaining } from './explaining.js';
import type { Difference } from './explanation.js';

/** So many places are shown. */
const mostDifferences = 8;

/** A place in two values; one of them has none there. */
interface Place {
  readonly at: readonly Value[];
  readonly left: Value | undefined;
  readonly right: Value | undefined;
}

/**
 * The first places at which two arrays, objects or sets differ: entries that one of them lacks, and
 * entries with other values. Members of a set have no place: those that one set lacks.
 * @param leftPath the place of the left value in the input, if it is there
 */
export function differencesOf(explaining: Explaining, left: Value, right: Value, leftPath?: readonly Value[]): readonly Difference[] {
  const found: Difference[] = [];
  for (const { at, left: a, right: b } of places([], left, right)) {
    if (found.length === mostDifferences) break;
    found.push({
      at: at.map((key) => keyText(explaining, key)).join(''),
      ...(a !== undefined && { left: explaining.shown(a, leftPath && [...leftPath, ...at]) }),
      ...(b !== undefined && { right: explaining.shown(b) }),
    });
  }
  return found;
}

/** Deeper places are not told apart. */
const mostKeys = 20;

function* places(at: readonly Value[], left: Value, right: Value): Generator<Place> {
  if (at.length >= mostKeys) {
    if (compare(left, right) !== 0) yield { at, left, right };
  } else if (isSet(left) && isSet(right)) {
    for (const member of left) if (!right.has(member)) yield { at, left: member, right: undefined };
    for (const member of right) if (!left.has(member)) yield { at, left: undefined, right: member };
  } else if (isArray(left) && isArray(right)) {
    for (let i = 0; i < Math.max(left.length, right.length); i++) yield* entry([...at, i], left[i], right[i]);
  } else if (isObject(left) && isObject(right)) {
    for (const key of objectKeys(left)) yield* entry([...at, key], lookup(left, key), lookup(right, key));
    for (const key of objectKeys(right)) {
      if (lookup(left, key) === undefined) yield { at: [...at, key], left: undefined, right: lookup(right, key) };
    }
  } else if (compare(left, right) !== 0) yield { at, left, right };
}

function* entry(at: readonly Value[], left: Value | undefined, right: Value | undefined): Generator<Place> {
  if (left !== undefined && right !== undefined) yield* places(at, left, right);
  else yield { at, left, right };
}

function keyText(explaining: Explaining, key: Value): string {
  return typeof key === 'string' && /^[A-Za-z_]\w*$/.test(key) ? `.${explaining.told(key)}` : `[${explaining.short(key)}]`;
}
