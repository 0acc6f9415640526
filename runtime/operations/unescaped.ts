/**
 * What a function has made and given nobody: it alone may change that in place. Only functions that might come to change something else keep track
 * (see `program/ownership-flow.ts`), each call in a register of its own; before such a function changes what is not its own, it makes a copy.
 */

import type { Meter } from '../evaluation/meter.js';
import { objectSize } from '../values/compare.js';
import { ExactNumber } from '../values/numbers/number.js';
import { RegoObject } from '../values/object.js';
import { RegoSet } from '../values/set.js';
import { isArray, isObject, type PlainObject, type Value } from '../values/value.js';
import { unitsPerCopy, withAnyKeys } from './insert.js';

type Register = Value | undefined;
type Own = WeakSet<object>;

/** What the register of a function that keeps track holds; nothing else looks into it. */
export function newOwn(): Value {
  return new WeakSet<object>() as unknown as Value;
}

function ownOf(register: Register): Own {
  return register as unknown as Own;
}

/** Takes note of what the function has just made, an object of any keys where that is wanted; answers it. */
export function own(register: Register, made: Register, any: boolean): Register {
  if (typeof made !== 'object' || made === null) return made;
  const value = any && isPlain(made) ? withAnyKeys(made) : made;
  ownOf(register).add(value);
  return value;
}

/** From now on others may have a value and all that is in it. Each thing made is given away once, so that this takes no longer than making it did. */
export function giveAway(register: Register, value: Register): void {
  if (typeof value !== 'object' || value === null) return;
  const all = ownOf(register);
  if (!all.delete(value)) return;
  const pending: object[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    // Members of sets and keys were given away when they became that.
    if (next instanceof RegoSet) continue;
    const values = isArray(next as Value) ? (next as Value[]) : next instanceof RegoObject ? next.values() : Object.values(next);
    for (const inner of values) if (typeof inner === 'object' && inner !== null && all.delete(inner)) pending.push(inner);
  }
}

/** What may be changed in place of a value: the value if it is the function's own, else a copy of it, without what is in it. */
export function copyUnlessOwn(register: Register, value: Register, any: boolean, meter: Meter): Register {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  const all = ownOf(register);
  if (all.has(value)) return value;
  meter.tick(sizeOf(value) * (isArray(value) ? 1 : unitsPerCopy));
  const copy = copyOf(value, any);
  all.add(copy as object);
  return copy;
}

function copyOf(value: Value & object, any: boolean): Value {
  if (isArray(value)) return value.slice();
  if (value instanceof RegoSet) return new RegoSet(value);
  if (value instanceof RegoObject) return new RegoObject([...value.keys()].map((key) => [key, value.get(key)!] as const));
  return any ? withAnyKeys(value as PlainObject) : { ...(value as PlainObject) };
}

function sizeOf(value: Value): number {
  if (isArray(value)) return value.length;
  return value instanceof RegoSet ? value.size : isObject(value) ? objectSize(value) : 1;
}

function isPlain(value: object): value is PlainObject {
  return !isArray(value as Value) && !(value instanceof RegoSet) && !(value instanceof RegoObject) && !(value instanceof ExactNumber);
}
