/**
 * Checks that a value from a host is JSON, and locates the first part that is not: a Date or a Map
 * would otherwise count as an object without keys.
 */

import type { PlainObject, Value } from '../value.js';
import { ValueClass } from '../value-class.js';
import { isPlainJson } from './quick-check.js';

/** The maximum depth of JSON text. */
const maxDepth = 10_000;

/** The maximum number of path steps in a message. */
const maxPathSteps = 20;

/** The position and the reason of a value that is not JSON. */
export interface JsonFault {
  /** Keys and indexes from the root. */
  readonly path: readonly (string | number)[];
  /** `is a Date: give its toISOString()`. */
  readonly problem: string;
}

/**
 * A value in the form that `JSON.stringify` would write: undefined members are left out. Sets,
 * objects and numbers of the language's own classes are kept. The given value is not changed, and
 * is returned itself if it is JSON already.
 * @param refuse makes the error to throw
 */
export function jsonValue(value: unknown, refuse: (found: JsonFault) => Error): Value {
  try {
    if (isPlainJson(value)) return value as Value;
  } catch (error) {
    // The nesting overflows the stack: the check below uses none.
    if (!(error instanceof RangeError)) throw error;
  }
  const found = inspect(value);
  if (found !== undefined && found !== 'members') throw refuse(found);
  return (found === undefined ? value : withoutUndefined(value as object)) as Value;
}

/** A collection, and the progress of its check. */
interface Frame {
  readonly value: object;
  readonly keys: readonly string[] | undefined;
  at: number;
}

/**
 * The first part that is not JSON; `members` if only undefined members are not. Each object is
 * checked once.
 */
function inspect(root: unknown): JsonFault | 'members' | undefined {
  const done = new Set<object>();
  const open = new Set<object>();
  const frames: Frame[] = [];
  let hasUndefined = false;
  /** Returns the problem of a value itself; a collection is added to the open ones. */
  const enter = (value: unknown, isMember: boolean): string | undefined => {
    if (value === undefined && isMember) {
      hasUndefined = true;
      return undefined;
    }
    const problem = problemOf(value);
    if (
      problem !== undefined ||
      typeof value !== 'object' ||
      value === null ||
      value instanceof ValueClass ||
      done.has(value)
    )
      return problem;
    if (open.has(value)) return 'is an object that holds itself';
    if (frames.length >= maxDepth) return `nests more than ${maxDepth} deep`;
    open.add(value);
    frames.push({ value, keys: Array.isArray(value) ? undefined : Object.keys(value), at: 0 });
    return undefined;
  };
  let problem = enter(root, false);
  while (problem === undefined && frames.length > 0) {
    const frame = frames.at(-1)!;
    const { value, keys } = frame;
    if (frame.at < (keys ?? (value as readonly unknown[])).length) {
      const key = keys === undefined ? frame.at : keys[frame.at]!;
      frame.at++;
      problem = enter((value as Record<string | number, unknown>)[key], keys !== undefined);
    } else {
      frames.pop();
      open.delete(value);
      done.add(value);
    }
  }
  if (problem === undefined) return hasUndefined ? 'members' : undefined;
  return { path: frames.map(({ keys, at }) => (keys === undefined ? at - 1 : keys[at - 1]!)), problem };
}

function problemOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : `is ${value}`;
    case 'bigint':
      return `is a BigInt: give a number, or parseJson("${value}")`;
    case 'object':
      return value === null || Array.isArray(value) || value instanceof ValueClass ? undefined : problemOfObject(value);
    default:
      return typeof value === 'undefined' ? 'is undefined' : `is a ${typeof value}`;
  }
}

const remedies: { readonly [name: string]: string } = {
  Date: ': give its toISOString()',
  Map: ': give Object.fromEntries(map)',
  Set: ': give an array, [...set]',
};

/**
 * Objects of another realm, such as a test runner's, have another prototype, which itself has none.
 */
function problemOfObject(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return undefined;
  const maker = (prototype as { constructor?: unknown }).constructor;
  const name = typeof maker === 'function' ? maker.name : '';
  if (name === '' || name === 'Object') return 'is an object that inherits';
  return `is ${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name}${remedies[name] ?? remedyOf(value, maker)}`;
}

/** An instance of a class is no JSON by itself: it may have members that nobody is to see. */
function remedyOf(value: object, maker: unknown): string {
  // Classes of the language itself, such as Promise, have no plain form to suggest.
  if (typeof maker === 'function' && /\{\s*\[native code\]\s*\}$/.test(Function.prototype.toString.call(maker)))
    return '';
  const hasOwnForm = typeof (value as { toJSON?: unknown }).toJSON === 'function';
  return hasOwnForm
    ? ': give what its toJSON() returns'
    : ': give a plain object, such as { ...it }, or one with the members that policies read';
}

/** A copy without undefined members; a shared object is copied once. */
function withoutUndefined(root: object): unknown {
  const copies = new Map<object, object>();
  const pending: object[] = [];
  const copyOf = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || value instanceof ValueClass) return value;
    let copy = copies.get(value);
    if (copy === undefined) {
      copies.set(value, (copy = Array.isArray(value) ? [] : {}));
      pending.push(value);
    }
    return copy;
  };
  const copied = copyOf(root);
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    const copy = copies.get(value)!;
    if (Array.isArray(value)) for (const element of value) (copy as unknown[]).push(copyOf(element));
    else
      for (const [key, member] of Object.entries(value as PlainObject))
        if (member !== undefined) define(copy, key, copyOf(member));
  }
  return copied;
}

/** Defines an own property, even for `__proto__`. */
function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** `input.user["full name"][0]`; only the first steps of a long path. */
export function placeOf(root: string, path: readonly (string | number)[]): string {
  const steps = path
    .slice(0, maxPathSteps)
    .map((key) => (typeof key === 'string' && /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`));
  return `${root}${steps.join('')}${path.length > maxPathSteps ? '…' : ''}`;
}
