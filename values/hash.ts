import { ExactNumber, numberKey } from './numbers/number.js';
import { insertionSort } from './sorting/insertion-sort.js';
import type { Value } from './value.js';
import { ValueClass } from './value-class.js';
import { countText, countWork } from './work.js';

/** The key of a value in a Map: values are equal exactly if their keys are the same. */
export type Key = string | number | boolean | null;

/** The base class of sets and of objects with any keys. */
export abstract class Composite extends ValueClass {
  /** A text that is the same for equal values only. */
  abstract keyText(): string;
  /** See `rough-hash.ts`; `levels` are those inside of the value. */
  abstract roughHash(levels: number): number;
  /** Whether another object or set is equal. */
  abstract equals(other: Value): boolean;
}

/** Units for building a collection's key text. */
const unitsPerValue = 40;

/** Units for building a text and sorting it among others. */
const unitsPerText = 50;

/** Counts the cost of the key text of an object or a set with `size` entries. */
export function countEntries(size: number): void {
  countWork(size * unitsPerText);
}

// A key with this prefix represents a value other than that string.
const escapePrefix = '\u0000';

/** The Map key of a value. Strings, doubles, booleans and null are their own. */
export function keyOf(value: Value): Key {
  if (typeof value === 'string') return value.charCodeAt(0) === 0 ? `${escapePrefix}s${value}` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof ExactNumber) {
    const key = numberKey(value);
    return typeof key === 'number' ? key : `${escapePrefix}n${key}`;
  }
  return `${escapePrefix}c${keyText(value)}`;
}

/**
 * A text that is the same for equal values only; objects and sets use an internal order. A string
 * begins with its length, which takes less time than to escape it.
 */
export function keyText(value: Value): string {
  if (typeof value === 'string') {
    countText(value.length);
    return `"${value.length}:${value}`;
  }
  if (typeof value !== 'object' || value === null) return value === 0 ? '0' : String(value);
  if (value instanceof ExactNumber) return String(numberKey(value));
  countWork(unitsPerValue);
  if (value instanceof Composite) return value.keyText();
  if (Array.isArray(value)) {
    let text = '[';
    countWork(value.length);
    for (const element of value) text += `${keyText(element)},`;
    return `${text}]`;
  }
  return objectKeyText(Object.keys(value), (key) => (value as Record<string, Value>)[key]!);
}

/** The text of an object from its string keys and their values, and the texts of other entries. */
export function objectKeyText(keys: string[], valueAt: (key: string) => Value, others: string[] = []): string {
  countEntries(keys.length + others.length);
  let text = '{';
  for (const key of inKeyOrder(keys)) text += entryText(key, valueAt(key));
  return `${text}${others.sort().join('')}}`;
}

/** The text of an entry of an object. */
export function entryText(key: Value, value: Value): string {
  return `${keyText(key)}:${keyText(value)},`;
}

/** Up to this length a list is sorted in place faster than by `sort`. */
const short = 8;

/** Sorts keys, as all texts of objects have them. */
function inKeyOrder(keys: string[]): string[] {
  return keys.length > short ? keys.sort() : insertionSort(keys);
}
