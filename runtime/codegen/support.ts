/** The functions and classes that generated code calls by name. */

import type { ObjectValue, PlainObject, Value } from '../../values/index.js';
import {
  checkElements,
  countWork,
  equal,
  isObject,
  isSet,
  lookup,
  RegoObject,
  RegoSet,
  sortedKeys,
  sortedMembers,
  ValueClass,
} from '../../values/index.js';
import type { Evaluation } from '../evaluation/evaluation.js';
import type { Meter } from '../evaluation/meter.js';
import { objectIndex } from '../evaluation/object-indexes.js';
import { noValue } from '../evaluation/rule-memory.js';
import { narrowed, narrowedGroups, placesOfMembers, spreadBy } from '../evaluation/spread.js';
import { isUnordered } from '../operations/any-order.js';
import { baseAt } from '../operations/base-lookup.js';
import { dispatchKey } from '../operations/dispatch-key.js';
import { newRounds } from '../operations/distinct-rounds.js';
import { checkUnique, insert, insertEntry } from '../operations/insert.js';
import { lengthOf } from '../operations/length.js';
import { isMemberIn } from '../operations/membership.js';
import { merge } from '../operations/merge.js';
import { relates } from '../operations/order.js';
import { quickResult } from '../operations/quick-arithmetic.js';
import { copyIfEscaped, markEscaped, newTracker, track } from '../operations/unescaped.js';
import { listedWalk } from '../operations/walk.js';
import { withValueAt } from '../operations/with-value.js';
import { raised } from '../vm/located.js';
import { ArgumentResults } from './memory/argument-results.js';

/** A part of a function that was split returns this where the function goes on. */
export const goOn = Symbol('go on');

/** The source of a scan over a set: its members are their own keys. */
const ofSet = Symbol('set');

type Scanned = typeof ofSet | ObjectValue;

/** The source of a scan over a value other than an array: an object itself; scalars have none. */
function scanned(value: Value | undefined): Scanned | undefined {
  if (value === undefined) return undefined;
  return isSet(value) ? ofSet : isObject(value) ? value : undefined;
}

/** The keys of such a source in order. */
function keysOf(source: Scanned, value: Value): readonly Value[] {
  return source === ofSet ? sortedMembers(value as RegoSet) : sortedKeys(source);
}

/** The keys of a source; those of a set in any order if no errors are looked for. */
function unsortedKeysOf(source: Scanned, value: Value, { strict, reportsFailures }: Evaluation): readonly Value[] {
  return source === ofSet && !strict && !reportsFailures ? (value as RegoSet).members : keysOf(source, value);
}

/** The value at a key of such a source. */
function elementAt(source: Scanned, key: Value): Value | undefined {
  return source === ofSet ? key : valueAt(source, key);
}

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

/** Counts the work of rounds with which the meter is used up; there are none behind it. */
function refilled(meter: Meter, rounds: number): 0 {
  meter.left -= rounds;
  meter.refill();
  return 0;
}

/** The parts of a text between delimiters. Where they are few, the native method takes longer. */
function partsOf(text: string, delimiter: string): Value[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, start)) {
    parts.push(text.slice(start, at));
    start = at + delimiter.length;
  }
  parts.push(text.slice(start));
  return parts;
}

/** The number of parts of a text between delimiters of one unit. */
function countParts(text: string, delimiter: string): number {
  let count = 1;
  for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + 1)) count++;
  return count;
}

/** The part at an index. `count` is the number of parts, or 0 where it is not known. */
function partAt(text: string, delimiter: string, count: number, index: Value): Value | undefined {
  if (count > 0 && index === count - 1) return text.slice(text.lastIndexOf(delimiter) + 1);
  if (!Number.isInteger(index)) return lookup(text.split(delimiter), index);
  if ((index as number) < 0) return undefined;
  let start = 0;
  for (let i = 0; i < (index as number); i++) {
    const at = text.indexOf(delimiter, start);
    if (at < 0) return undefined;
    start = at + 1;
  }
  const end = text.indexOf(delimiter, start);
  return end < 0 ? text.slice(start) : text.slice(start, end);
}

const objectPrototype = Object.prototype;

/** The value at a key, as `lookup` finds it; faster for arrays and plain objects. */
function valueAt(source: Value, key: Value): Value | undefined {
  if (typeof source !== 'object' || source === null) return undefined;
  if (Array.isArray(source)) {
    if (typeof key === 'number') return source[key];
  } else if (typeof key === 'string' && !(source instanceof ValueClass)) {
    const value = (source as PlainObject)[key];
    // Inherited properties are functions, but for `__proto__`.
    if (typeof value !== 'function' && (value as unknown) !== objectPrototype) return value;
  }
  return lookup(source, key);
}

/** The value at a key of a base document, as `baseAt` finds it. */
function baseValueAt(base: Value, key: Value): Value | undefined {
  return typeof key === 'string' && !Array.isArray(base) ? valueAt(base, key) : baseAt(base, key);
}

export const support = {
  noValue,
  objectIndex,
  quickResult,
  checkUnique,
  insert,
  insertEntry,
  lengthOf,
  dispatchKey,
  isMemberIn,
  merge,
  relates,
  copyIfEscaped,
  newRounds,
  partsOf,
  countParts,
  partAt,
  prefixOf,
  narrowed,
  narrowedGroups,
  placesOfMembers,
  spreadBy,
  markEscaped,
  newTracker,
  track,
  withValueAt,
  raised,
  listedWalk,
  baseAt: baseValueAt,
  equal,
  valueAt,
  scanned,
  keysOf,
  unsortedKeysOf,
  isUnordered,
  elementAt,
  checkElements,
  RegoObject,
  RegoSet,
  ValueClass,
  ArgumentResults,
  isObject,
  isSet,
  countWork,
  goOn,
  miss,
  refilled,
};

export type SupportName = keyof typeof support;
