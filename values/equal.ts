import { Composite } from './hash.js';
import { compareNumbers, ExactNumber } from './numbers/number.js';
import type { ArrayValue, PlainObject, Value } from './value.js';
import { ValueClass } from './value-class.js';
import { countWork } from './work.js';

/** Units for finding a key. */
const unitsPerEntry = 5;

/** Work on long arrays is counted after this number of elements. */
const elementsPerCount = 1024;

/** Whether two values are equal: numbers by value, objects and sets without regard to order. */
export function equal(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    // A double may equal an exact number of the same value: 1 == 1.0.
    if (a instanceof ExactNumber) return typeof b === 'number' && compareNumbers(a, b) === 0;
    if (b instanceof ExactNumber) return typeof a === 'number' && compareNumbers(a, b) === 0;
    return false;
  }
  if (Array.isArray(a)) return Array.isArray(b) && equalArrays(a as ArrayValue, b as ArrayValue);
  if (Array.isArray(b)) return false;
  if (a instanceof ValueClass) {
    if (a instanceof Composite) return a.equals(b);
    return a instanceof ExactNumber && b instanceof ExactNumber && compareNumbers(a, b) === 0;
  }
  if (b instanceof ValueClass) return b instanceof Composite && b.equals(a);
  return equalObjects(a as PlainObject, b as PlainObject);
}

function equalArrays(a: ArrayValue, b: ArrayValue): boolean {
  countWork();
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (i % elementsPerCount === elementsPerCount - 1) countWork(elementsPerCount);
    if (!equal(a[i]!, b[i]!)) return false;
  }
  return true;
}

/**
 * In a loop by `for … in` this costs nothing, unlike `Object.hasOwn`, and the loop takes half the
 * time of one over a list of keys.
 */
export const isOwn = Object.prototype.hasOwnProperty;

function equalObjects(a: PlainObject, b: PlainObject): boolean {
  countWork();
  let size = 0;
  for (const key in a) {
    if (!isOwn.call(a, key)) continue;
    countWork(unitsPerEntry);
    size++;
    if (!isOwn.call(b, key)) return false;
    const [value, other] = [a[key]!, b[key]!];
    if (value !== other && !equal(value, other)) return false;
  }
  for (const key in b) if (isOwn.call(b, key)) size--;
  return size === 0;
}
