import { ExactNumber, type NumberValue } from './numbers/number.js';
import type { RegoObject } from './object.js';
import { RegoSet } from './set.js';

/**
 * A Rego value. JSON documents are used as the parser made them; numbers that a double cannot hold
 * exactly, sets, and objects with keys other than strings have their own classes. `undefined` is
 * not a value: it is Rego's undefined.
 */
export type Value = null | boolean | string | NumberValue | ArrayValue | ObjectValue | RegoSet;
export type ArrayValue = readonly Value[];
export type PlainObject = { readonly [key: string]: Value };
export type ObjectValue = PlainObject | RegoObject;

export type TypeName = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' | 'set';

export function isString(value: Value): value is string {
  return typeof value === 'string';
}

export function isNumber(value: Value): value is NumberValue {
  return typeof value === 'number' || value instanceof ExactNumber;
}

export function isArray(value: Value): value is ArrayValue {
  return Array.isArray(value);
}

export function isSet(value: Value): value is RegoSet {
  return value instanceof RegoSet;
}

/** Whether it is an object of which every key is a string, and no class of the language. */
export function isPlainObject(value: Value | undefined): value is PlainObject {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The members that have a value. */
export function presentMembers(members: { readonly [name: string]: Value | undefined }): PlainObject {
  return Object.fromEntries(
    Object.entries(members).filter((member): member is [string, Value] => member[1] !== undefined),
  );
}

export function isObject(value: Value): value is ObjectValue {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof RegoSet) &&
    !(value instanceof ExactNumber)
  );
}

/**
 * The name of a value's type, as `type_name` returns it. Throws a TypeError for anything else (a
 * function, a symbol, a bigint).
 */
export function typeName(value: Value): TypeName {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return 'array';
      if (value instanceof RegoSet) return 'set';
      if (value instanceof ExactNumber) return 'number';
      return 'object';
    default:
      throw new TypeError(`a ${typeof value} is not a JSON value`);
  }
}

const empty = {};

/**
 * Whether a script has added properties to `Object.prototype`, which every object then inherits.
 * The loop takes almost no time if there are none.
 */
export function objectsInherit(): boolean {
  for (const _ in empty) return true;
  return false;
}

/**
 * Sets a key of a plain object under construction. Assigning to `__proto__` would set the prototype
 * instead.
 */
export function setOwn<T>(object: { readonly [key: string]: T }, key: string, value: T): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else (object as { [key: string]: T })[key] = value;
}
