/**
 * The language's total order: null < boolean < number < string < array < object < set. Equality
 * agrees with it.
 */

import { compareNumbers, ExactNumber, safeIntegerOf } from './numbers/number.js';
import { RegoObject } from './object.js';
import { RegoSet } from './set.js';
import { insertionSort } from './sorting/insertion-sort.js';
import { type ArrayValue, isNumber, type ObjectValue, type PlainObject, typeName, type Value } from './value.js';
import { countWork } from './work.js';

/** Units for sorting the keys of an object before its comparison. */
const unitsPerObject = 20;

/** Units for finding a key or a member. */
const unitsPerEntry = 5;

const rank = { null: 0, boolean: 1, number: 2, string: 3, array: 4, object: 5, set: 6 } as const;

/** Negative, zero or positive, as `a` sorts before, with or after `b`. */
export function compare(a: Value, b: Value): number {
  if (a === b) return 0;
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  const type = typeName(a);
  const other = typeName(b);
  if (type !== other) return rank[type] - rank[other];
  switch (type) {
    case 'null':
    // Numbers are compared above.
    case 'number':
      return 0;
    case 'boolean':
      return a === false ? -1 : 1;
    case 'string':
      return compareStrings(a as string, b as string);
    case 'array':
      return compareArrays(a as ArrayValue, b as ArrayValue);
    case 'object':
      return compareObjects(a as ObjectValue, b as ObjectValue);
    case 'set':
      return compareArrays(sortedMembers(a as RegoSet), sortedMembers(b as RegoSet));
  }
}

/**
 * Strings sort by code point; JavaScript compares code units, which differs for surrogates compared
 * to U+E000 and above.
 */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  let i = length > block ? equalBlocks(a, b, length) : 0;
  while (i < length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  if (i === length) return a.length - b.length;
  const x = a.charCodeAt(i);
  const y = b.charCodeAt(i);
  if (x < 0xd800 || y < 0xd800) return x - y;
  const xIsSurrogate = x < 0xe000;
  const yIsSurrogate = y < 0xe000;
  return xIsSurrogate === yIsSurrogate ? x - y : xIsSurrogate ? 1 : -1;
}

const block = 4096;

/** The number of equal code units at the start of long strings, in whole blocks. */
function equalBlocks(a: string, b: string, length: number): number {
  let i = 0;
  for (; i + block <= length && a.slice(i, i + block) === b.slice(i, i + block); i += block) countWork(block >> 5);
  return i;
}

/** Work on long lists is counted after this number of elements. */
const elementsPerCount = 1024;

function compareArrays(a: ArrayValue, b: ArrayValue): number {
  countWork();
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    if (i % elementsPerCount === elementsPerCount - 1) countWork(elementsPerCount);
    const order = compare(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareObjects(a: ObjectValue, b: ObjectValue): number {
  countWork(unitsPerObject);
  const keys = sortedKeys(a);
  const others = sortedKeys(b);
  const length = Math.min(keys.length, others.length);
  for (let i = 0; i < length; i++) {
    countWork(unitsPerEntry);
    const order = compare(keys[i]!, others[i]!) || compare(valueAt(a, keys[i]!), valueAt(b, others[i]!));
    if (order !== 0) return order;
  }
  return keys.length - others.length;
}

/** The value at a key that an object has. */
export function valueAt(object: ObjectValue, key: Value): Value {
  return object instanceof RegoObject ? object.get(key)! : object[key as string]!;
}

/** The number of an object's keys. */
export function objectSize(object: ObjectValue): number {
  return object instanceof RegoObject ? object.size : (keysOfLarge.get(object) ?? Object.keys(object)).length;
}

/** The keys of an object, in no particular order; see `sortedKeys`. */
export function objectKeys(object: ObjectValue): Iterable<Value> {
  return object instanceof RegoObject ? object.keys() : (keysOfLarge.get(object) ?? Object.keys(object));
}

/** The keys of an object with their values, in no particular order; see `sortedEntries`. */
export function objectEntries(object: ObjectValue): Iterable<[Value, Value]> {
  return object instanceof RegoObject ? object.entries() : Object.entries(object);
}

/**
 * The value at a key, undefined if there is none. Only own keys count: `constructor` and
 * `__proto__` are keys like any other.
 */
export function objectGet(object: ObjectValue, key: Value): Value | undefined {
  if (object instanceof RegoObject) return object.get(key);
  return typeof key === 'string' && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Key and value of each entry, in the language's order. */
export function* sortedEntries(object: ObjectValue): IterableIterator<[Value, Value]> {
  for (const key of sortedKeys(object)) yield [key, valueAt(object, key)];
}

// Keys are kept only for large objects: V8 takes 0.3 µs for each one to list them. Documents are
// immutable, so they stay valid; code that writes into an object (the VM and the store) drops them
// first.
const keysOfLarge = new WeakMap<PlainObject, readonly string[]>();
/** The kept lists of keys that are in the language's order. */
const inOrder = new WeakSet<readonly string[]>();
const large = 32;

/**
 * The keys of an object in the language's order. `check` is called with the number of keys of a
 * large object before they are sorted; it may throw.
 */
export function sortedKeys(object: ObjectValue, check?: (keys: number) => void): readonly Value[] {
  if (object instanceof RegoObject) return (object.sorted ??= sortValues([...object.keys()]));
  const known = keysOfLarge.get(object);
  if (known !== undefined && inOrder.has(known)) return known;
  const keys = known ?? Object.keys(object);
  if (keys.length < large) return orderOf(keys);
  keepKeys(object, keys);
  check?.(keys.length);
  const sorted = sortStrings([...keys]);
  keepSortedKeys(object, sorted);
  return sorted;
}

/** The keys of a small object, and the same in order. */
interface Order {
  readonly keys: readonly string[];
  readonly sorted: readonly string[];
}

/**
 * Objects of a document often have the same keys: the last ones are kept with their order. Names of
 * properties are texts of their own; keys in a Map might keep the longer texts they were cut from.
 */
const orders: (Order | undefined)[] = new Array<undefined>(128).fill(undefined);
const maxKeptLength = 64;

/** The keys of a small plain object in the language's order. */
function orderOf(keys: readonly string[]): readonly string[] {
  const { length } = keys;
  if (length < 2) return keys;
  const slot = (length + 7 * keys[0]!.length + 31 * keys[length - 1]!.length) % orders.length;
  const known = orders[slot];
  if (known !== undefined && isSameList(known.keys, keys)) return known.sorted;
  const sorted = sortStrings([...keys]);
  if (keys.every((key) => key.length <= maxKeptLength)) orders[slot] = { keys, sorted };
  return sorted;
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** The keys of a plain object, in no particular order. */
export function plainKeys(object: PlainObject): readonly string[] {
  const known = keysOfLarge.get(object);
  if (known !== undefined) return known;
  const keys = Object.keys(object);
  if (keys.length >= large) keepKeys(object, keys);
  return keys;
}

/** Keeps the distinct keys of a large object, in any order. */
export function keepKeys(object: PlainObject, keys: readonly string[]): void {
  keysOfLarge.set(object, keys);
}

/** Keeps the keys of a large object, in the language's order. */
export function keepSortedKeys(object: PlainObject, keys: readonly string[]): void {
  inOrder.add(keys);
  keysOfLarge.set(object, keys);
}

/** The kept keys of an object, if they are in the language's order. */
export function keptSortedKeys(object: PlainObject): readonly string[] | undefined {
  const known = keysOfLarge.get(object);
  return known !== undefined && inOrder.has(known) ? known : undefined;
}

/** Drops the kept keys of a document before a change in place. */
export function dropKeys(object: PlainObject): void {
  keysOfLarge.delete(object);
}

/** The members of a set in the language's order. */
export function sortedMembers(set: RegoSet): readonly Value[] {
  return (set.sorted ??= sortValues(set.toArray()));
}

/** Sorts values in the language's order, in place. */
function sortValues(values: Value[]): Value[] {
  if (values.length < 2) return values;
  if (values.every((value) => typeof value === 'string')) return sortStrings(values as string[]);
  countSort(values.length);
  const keys = commonKeys(values);
  if (keys === undefined) return values.sort(compare);
  if (values.length > fewRows) return sortRows(values as PlainObject[], keys);
  return values.sort((a, b) => compareByKeys(a as PlainObject, b as PlainObject, keys));
}

/**
 * The sorted keys of plain objects that all have the same keys, in the same order: to sort the keys
 * for each comparison takes longer than the comparison.
 */
function commonKeys(values: readonly Value[]): readonly string[] | undefined {
  let keys: readonly string[] | undefined;
  for (const value of values) {
    if (typeName(value) !== 'object' || value instanceof RegoObject) return undefined;
    const found = Object.keys(value as PlainObject);
    keys ??= found;
    if (!isSameList(found, keys)) return undefined;
  }
  return keys && sortStrings([...keys]);
}

function compareByKeys(a: PlainObject, b: PlainObject, keys: readonly string[]): number {
  for (const key of keys) {
    countWork(unitsPerEntry);
    const order = compare(a[key]!, b[key]!);
    if (order !== 0) return order;
  }
  return 0;
}

/** To list the columns of fewer rows takes longer than it saves. */
const fewRows = 16;

/** The values of rows at one key. */
interface Column {
  readonly values: readonly Value[];
  /** Whether JavaScript orders them as the language does: all are numbers of its own, or texts. */
  readonly isNative: boolean;
}

/**
 * Sorts objects that have the same keys, in place, column by column: a look-up by a key that varies
 * takes longer than a comparison, and most comparisons end at the first column.
 */
function sortRows(rows: PlainObject[], keys: readonly string[]): PlainObject[] {
  const columns: Column[] = [];
  const order = (i: number, j: number): number => {
    for (let k = 0; k < keys.length; k++) {
      const { values, isNative } = (columns[k] ??= columnOf(rows, keys[k]!));
      const [a, b] = [values[i]!, values[j]!];
      if (a === b) continue;
      if (isNative) return a < b ? -1 : 1;
      const found = compare(a, b);
      if (found !== 0) return found;
    }
    return 0;
  };
  const sorted = Array.from(rows.keys())
    .sort(order)
    .map((i) => rows[i]!);
  for (let i = 0; i < sorted.length; i++) rows[i] = sorted[i]!;
  return rows;
}

function columnOf(rows: readonly PlainObject[], key: string): Column {
  countWork(unitsPerEntry * rows.length);
  const values = rows.map((row) => row[key]!);
  const isNative =
    values.every((value) => typeof value === 'number') ||
    values.every((value) => typeof value === 'string' && !isUnusual(value));
  return { values, isNative };
}

/** Units for one comparison of a sort. */
const unitsPerComparison = 5;

/** Sorts of up to this size take no longer than counting them. */
const maxUncountedSort = 64;

/** Counts the cost of a native sort. */
export function countSort(length: number): void {
  if (length > maxUncountedSort) countWork(unitsPerComparison * length * Math.ceil(Math.log2(length)));
}

const mayOrderOtherwise = /[\ud800-\uffff]/;

/**
 * The characters of shorter strings are tested one by one. The pattern matches no Latin-1 string,
 * which V8 knows without a look at the characters.
 */
const shortString = 8;

/** Whether JavaScript may order a string otherwise than the language does. */
function isUnusual(text: string): boolean {
  if (text.length > shortString) return mayOrderOtherwise.test(text);
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0xd800) return true;
  return false;
}

/** The most strings that are sorted by insertion: the native sort takes twice the time. */
const maxInserted = 24;

/** Sorts strings by code point, in place. */
export function sortStrings(strings: string[]): string[] {
  let ordered = true;
  let usual = true;
  for (let i = 0; i < strings.length; i++) {
    // Most objects are sorted already.
    if (ordered && i > 0 && strings[i - 1]! > strings[i]!) ordered = false;
    if (usual && isUnusual(strings[i]!)) usual = false;
  }
  if (ordered && usual) return strings;
  if (!ordered) countSort(strings.length);
  if (!usual) return strings.sort(compareStrings);
  return strings.length > maxInserted ? strings.sort() : insertionSort(strings);
}

/**
 * Looks up a key: the value of an object's key, an array's element, a set's member; undefined if
 * there is none and for scalars. A number key never finds a string key.
 */
export function lookup(source: Value, key: Value): Value | undefined {
  if (typeof source !== 'object' || source === null) return undefined;
  if (Array.isArray(source)) return elementAt(source, key);
  // A number is shown as it was asked for.
  if (source instanceof RegoSet) return source.has(key) ? key : undefined;
  if (source instanceof ExactNumber) return undefined;
  return objectGet(source as ObjectValue, key);
}

/** The value behind several keys, each looked up in the value of the one before. */
export function lookupPath(source: Value | undefined, keys: readonly Value[]): Value | undefined {
  let value = source;
  for (let i = 0; i < keys.length && value !== undefined; i++) value = lookup(value, keys[i]!);
  return value;
}

function elementAt(array: ArrayValue, key: Value): Value | undefined {
  if (typeof key === 'number') return array[key];
  if (!(key instanceof ExactNumber)) return undefined;
  const index = safeIntegerOf(key);
  return index === undefined ? undefined : array[index];
}

/** An object of entries: a plain one if all keys are strings. */
export function makeObject(entries: Iterable<readonly [Value, Value]>): ObjectValue {
  const list = [...entries];
  if (list.every(([key]) => typeof key === 'string')) return Object.fromEntries(list as [string, Value][]);
  return new RegoObject(list);
}
