import { ExactNumber, numberKey, type Value } from '../../values/index.js';

/** A constant by which rules are dispatched: it equals the values that have the same key. */
export type DispatchConstant = string | boolean | number;

/** A value as a key of the constants of a dispatch; undefined where it may equal none. */
export function dispatchKey(value: Value | undefined): DispatchConstant | undefined {
  if (typeof value !== 'object') return value;
  if (!(value instanceof ExactNumber)) return undefined;
  // Other numbers than doubles have keys that are texts.
  const key = numberKey(value);
  return typeof key === 'number' ? key : undefined;
}
