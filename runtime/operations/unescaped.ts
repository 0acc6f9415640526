/**
 * Tracking of values that a function made and that have not escaped: it alone may mutate them in
 * place. Only functions that may mutate an escaped value track theirs (see
 * `lowering/facts/escape-analysis.ts`), each call in a register of its own. Before such a function
 * mutates an escaped value, it makes a copy.
 */

import type { PlainObject, Value } from '../../values/index.js';
import { ExactNumber, isArray, isObject, objectEntries, objectSize, RegoObject, RegoSet } from '../../values/index.js';
import type { Meter } from '../evaluation/meter.js';
import { unitsPerCopy, withAnyKeys } from './insert.js';

type Register = Value | undefined;
type Tracked = WeakSet<object>;

/** The content of a tracker's register. No other instruction reads it. */
export function newTracker(): Value {
  return new WeakSet<object>() as unknown as Value;
}

function trackedBy(register: Register): Tracked {
  return register as unknown as Tracked;
}

/**
 * Tracks a value that the function has just made; answers it, or an object of any keys with the
 * same entries where one is needed.
 */
export function track(register: Register, made: Register, any: boolean): Register {
  if (typeof made !== 'object' || made === null) return made;
  const value = any && isPlain(made) ? withAnyKeys(made) : made;
  trackedBy(register).add(value);
  return value;
}

/**
 * A value escapes, with all values in it. Each value escapes once, so this takes no longer than
 * making the values did.
 */
export function markEscaped(register: Register, value: Register): void {
  if (typeof value !== 'object' || value === null) return;
  const all = trackedBy(register);
  if (!all.delete(value)) return;
  const pending: object[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    // Members of sets and keys of objects escaped when they were added.
    if (next instanceof RegoSet) continue;
    const values = isArray(next as Value)
      ? (next as Value[])
      : next instanceof RegoObject
        ? next.values()
        : Object.values(next);
    for (const inner of values)
      if (typeof inner === 'object' && inner !== null && all.delete(inner)) pending.push(inner);
  }
}

/** The value if it has not escaped, else a shallow copy that may be mutated in its place. */
export function copyIfEscaped(register: Register, value: Register, any: boolean, meter: Meter): Register {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  const all = trackedBy(register);
  if (all.has(value)) return value;
  meter.tick(sizeOf(value) * (isArray(value) ? 1 : unitsPerCopy));
  const copy = copyOf(value, any);
  all.add(copy as object);
  return copy;
}

function copyOf(value: Value & object, any: boolean): Value {
  if (isArray(value)) return value.slice();
  if (value instanceof RegoSet) return new RegoSet(value);
  if (value instanceof RegoObject) return new RegoObject(objectEntries(value));
  return any ? withAnyKeys(value as PlainObject) : { ...(value as PlainObject) };
}

function sizeOf(value: Value): number {
  if (isArray(value)) return value.length;
  return value instanceof RegoSet ? value.size : isObject(value) ? objectSize(value) : 1;
}

function isPlain(value: object): value is PlainObject {
  return (
    !isArray(value as Value) &&
    !(value instanceof RegoSet) &&
    !(value instanceof RegoObject) &&
    !(value instanceof ExactNumber)
  );
}
