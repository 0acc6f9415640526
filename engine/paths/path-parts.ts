/** Parts of documents by path, and documents put together. */
import { indexOfText } from '../../ir-schema/index.js';
import { merge } from '../../runtime/index.js';
import { type ArrayValue, isArray, isObject, lookup, type Value } from '../../values/index.js';

/**
 * The part of a value at a path. A segment that is a whole number, `1.0` included but not `1e0`,
 * indexes arrays; in other collections digits are a number, or else the text.
 */
export function partOf(value: Value | undefined, path: readonly string[]): Value | undefined {
  let part = value;
  for (const segment of path) {
    if (part === undefined) return undefined;
    part = isArray(part) ? elementOf(part, segment) : memberOf(part, segment);
  }
  return part;
}

function elementOf(array: ArrayValue, segment: string): Value | undefined {
  const index = indexOfText(segment);
  return index === undefined ? undefined : array[index];
}

function memberOf(value: Value, segment: string): Value | undefined {
  // Most segments are names.
  const byNumber = segment < ':' && /^[+-]?\d{1,15}$/.test(segment) ? lookup(value, Number(segment)) : undefined;
  return byNumber === undefined ? lookup(value, segment) : byNumber;
}

/**
 * The result of entrypoints at a path over the other document there: two objects merge; otherwise
 * the entrypoints' result wins.
 */
export function inFrontOf(other: Value | undefined, planned: Value | undefined): Value | undefined {
  // Null is a result.
  if (planned === undefined) return other;
  return other !== undefined && isObject(planned) && isObject(other) ? merge(planned, other) : planned;
}
