/** The functions and classes that generated code calls by name. */
import { positionsOf } from '../evaluation/array-indexes.js';
import { noValue } from '../evaluation/rule-memory.js';
import { integerResult } from '../operations/arithmetic.js';
import { newRounds } from '../operations/distinct-rounds.js';
import { checkUnique, insert } from '../operations/insert.js';
import { lengthOf } from '../operations/length.js';
import { isMember } from '../operations/membership.js';
import { merge } from '../operations/merge.js';
import { relates } from '../operations/order.js';
import { copyIfEscaped, markEscaped, newTracker, track } from '../operations/unescaped.js';
import { withValueAt } from '../operations/with-value.js';
import { equal, lookup, sortedKeys, sortedMembers } from '../values/compare.js';
import { checkElements } from '../values/memory.js';
import { ExactNumber } from '../values/numbers/number.js';
import { RegoObject } from '../values/object.js';
import { RegoSet } from '../values/set.js';
import { isObject, isSet, type PlainObject, type Value } from '../values/value.js';
import { ValueClass } from '../values/value-class.js';
import { countWork } from '../values/work.js';

/** A part of a function that was split returns this where the function goes on. */
export const goOn = Symbol('go on');

/** The source of a scan over a set: its members are their own keys. */
const ofSet = Symbol('set');

/** The value at a key that is no own property of a plain object. */
function miss(source: Value | undefined, key: string): Value | undefined {
  return source instanceof ValueClass ? lookup(source as unknown as Value, key) : undefined;
}

/** The first elements of an array: one, and others that are the same. */
function prefixOf(first: Value, other: Value, count: number): Value[] {
  const array = new Array<Value>(count).fill(other);
  if (count > 0) array[0] = first;
  return array;
}

const objectPrototype = Object.prototype;

/** The value at a key, as `lookup` finds it; faster for arrays and plain objects. */
function valueAt(source: Value, key: Value): Value | undefined {
  if (typeof source !== 'object' || source === null) return undefined;
  if (Array.isArray(source)) return typeof key === 'number' ? source[key] : lookup(source, key);
  if (typeof key !== 'string' || source instanceof ValueClass) return lookup(source, key);
  const value = (source as PlainObject)[key];
  // Inherited properties are functions, but for `__proto__`.
  return typeof value === 'function' || (value as unknown) === objectPrototype ? lookup(source, key) : value;
}

export const support = {
  noValue,
  integerResult,
  checkUnique,
  insert,
  lengthOf,
  isMember,
  merge,
  relates,
  copyIfEscaped,
  newRounds,
  positionsOf,
  prefixOf,
  markEscaped,
  newTracker,
  track,
  withValueAt,
  equal,
  valueAt,
  sortedKeys,
  sortedMembers,
  checkElements,
  ExactNumber,
  RegoObject,
  RegoSet,
  ValueClass,
  isObject,
  isSet,
  countWork,
  goOn,
  ofSet,
  miss,
};

export type SupportName = keyof typeof support;
