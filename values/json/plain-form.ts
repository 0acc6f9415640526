/** Values as plain JSON data for hosts. */

import { sortedKeys, sortedMembers } from '../compare.js';
import { ExactNumber } from '../numbers/number.js';
import type { RegoObject } from '../object.js';
import { RegoSet } from '../set.js';
import { isWellFormed, jsonString } from '../text/well-formed.js';
import { objectsInherit, type PlainObject, setOwn, type Value } from '../value.js';
import { ValueClass } from '../value-class.js';
import { areStrings, type Json, jsonEntries, maxWritten, TooManyValues } from './json.js';

/**
 * A value as plain JSON data: sets become sorted arrays, keys that are not strings their JSON text,
 * exact numbers the nearest double, texts as JSON has them. Plain parts are shared, not copied.
 * Throws a JsonError if there are more values than could ever be written.
 */
export function toPlain(value: Value): Json {
  return new PlainForm(false).of(value);
}

/** A value as plain JSON, copied: the caller may change it. */
export function plainCopy(value: Value): Json {
  return new PlainForm(true).of(value);
}

class PlainForm {
  /** The values that may still be written. */
  #left = maxWritten;
  /** Whether the result shares nothing with the value. */
  readonly #copies: boolean;
  #inherits: boolean | undefined;

  constructor(copies: boolean) {
    this.#copies = copies;
  }

  of(value: Value): Json {
    if (--this.#left < 0) throw new TooManyValues(`more than ${maxWritten} values`);
    if (typeof value === 'string') return jsonString(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return this.#array(value);
    if (!(value instanceof ValueClass)) return this.#object(value as PlainObject);
    // Two calls a level, with few variables: sets of thousands of levels need the stack.
    return value instanceof RegoSet ? this.#set(value) : this.#ofClass(value);
  }

  #ofClass(value: Value): Json {
    if (value instanceof ExactNumber) return value.toJSON();
    const object = value as RegoObject;
    const keys = sortedKeys(object);
    if (areStrings(keys)) return this.#entries(keys, object);
    return this.#named([...jsonEntries(object)]);
  }

  #set(set: RegoSet): Json {
    const plain: Json[] = [];
    if (set.size === 0) return plain;
    const members = sortedMembers(set);
    for (let i = 0; i < members.length; i++) plain.push(this.of(members[i]!));
    return plain;
  }

  /** In the order of the keys: objects with the same ones share their hidden class. */
  #entries(keys: readonly string[], object: RegoObject): Json {
    const plain: { [key: string]: Json } = {};
    for (const key of keys) setOwn(plain, jsonString(key), this.of(object.get(key)!));
    return plain;
  }

  #array(array: readonly Value[]): Json {
    let plain = this.#copies ? (array.slice() as Json[]) : undefined;
    for (let i = 0; i < array.length; i++) {
      const member = this.of(array[i]!);
      if (member !== array[i]) (plain ??= array.slice() as Json[])[i] = member;
    }
    return plain ?? (array as readonly Json[]);
  }

  #object(object: PlainObject): Json {
    let plain = this.#copies ? ({ ...object } as { [key: string]: Json }) : undefined;
    // A loop over properties is faster than a list of their names, but also finds inherited ones.
    const inherits = (this.#inherits ??= objectsInherit());
    for (const key in object) {
      if (inherits && !Object.hasOwn(object, key)) continue;
      if (!isWellFormed(key)) return this.#named(Object.entries(object));
      const value = object[key]!;
      const member = this.of(value);
      if (member !== value) setOwn((plain ??= { ...object } as { [key: string]: Json }), key, member);
    }
    return plain ?? (object as { readonly [key: string]: Json });
  }

  /** An object of which a key may be no text of JSON. */
  #named(entries: readonly (readonly [string, Value])[]): Json {
    return Object.fromEntries(entries.map(([key, member]) => [jsonString(key), this.of(member)]));
  }
}
