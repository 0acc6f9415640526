import { indexOfText } from '../../ir-schema/index.js';
import { isArray, isNumber, isObject, lookup, numberText, type Value } from '../../values/index.js';

/**
 * The value at a key of a base document, where keys are texts: a number finds the key that is its
 * literal, and a text the element that it is the index of. A number finds an element by its value,
 * as in other arrays. Only a `with` puts objects with other keys there, which find their own.
 */
export function baseAt(base: Value, key: Value): Value | undefined {
  if (isArray(base) && typeof key === 'string') {
    const index = indexOfText(key);
    return index === undefined ? undefined : base[index];
  }
  const value = lookup(base, key);
  return value === undefined && isNumber(key) && isObject(base) ? lookup(base, numberText(key)) : value;
}
