import { equal } from './equal.js';
import { Composite, entryText, type Key, keyOf, objectKeyText } from './hash.js';
import { checkMembers, uncheckedSize } from './memory.js';
import { roughHash } from './rough-hash.js';
import type { PlainObject, Value } from './value.js';
import { ValueClass } from './value-class.js';
import { countWork } from './work.js';

/** Units for finding a key. */
const unitsPerEntry = 5;

/** An object whose keys may be any values. Immutable once it is visible outside of its builder. */
export class RegoObject extends Composite {
  readonly #values = new Map<Key, Value>();
  /**
   * The keys that differ from their Map key (exact numbers, composites, strings that start with
   * NUL).
   */
  #keys: Map<Key, Value> | undefined;
  /** The cached order of keys (see `sortedKeys`); a new key drops it. */
  sorted: readonly Value[] | undefined;

  constructor(entries?: Iterable<readonly [Value, Value]>) {
    super();
    if (entries !== undefined) for (const [key, value] of entries) this.set(key, value);
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: Value): Value | undefined {
    return this.#values.get(keyOf(key));
  }

  /** Adds an entry, for the object's builder alone. */
  set(key: Value, value: Value): this {
    const mapKey = keyOf(key);
    const values = this.#values;
    const { size } = values;
    if (size >= uncheckedSize && !values.has(mapKey)) checkMembers(size + 1);
    values.set(mapKey, value);
    if (values.size === size) return this;
    this.sorted = undefined;
    if (mapKey !== key) (this.#keys ??= new Map()).set(mapKey, key);
    return this;
  }

  /** Keys in insertion order; see `sortedKeys` for the language's order. */
  keys(): IterableIterator<Value> {
    const keys = this.#values.keys();
    const others = this.#keys;
    return others === undefined ? keys : keys.map((key) => others.get(key) ?? key);
  }

  /** Keys and their values in insertion order. */
  entries(): IterableIterator<[Value, Value]> {
    const entries = this.#values.entries();
    const others = this.#keys;
    return others === undefined ? entries : entries.map(([key, value]) => [others.get(key) ?? key, value]);
  }

  values(): IterableIterator<Value> {
    return this.#values.values();
  }

  keyText(): string {
    const names: string[] = [];
    const others: string[] = [];
    // Only strings by `get`: to hash other keys again would double the work with each level of
    // nested keys.
    for (const [mapKey, value] of this.#values) {
      const key = this.#keys?.get(mapKey) ?? mapKey;
      if (typeof key === 'string') names.push(key);
      else others.push(entryText(key, value));
    }
    return objectKeyText(names, (name) => this.get(name)!, others);
  }

  /** A hash that a plain object with equal entries has, too. */
  roughHash(levels: number): number {
    let hash = 0;
    for (const value of this.#values.values()) hash += roughHash(value, levels);
    countWork(this.size);
    return hash | 0;
  }

  equals(other: Value): boolean {
    if (other instanceof ValueClass && !(other instanceof RegoObject)) return false;
    const object = other instanceof RegoObject ? other : new RegoObject(Object.entries(other as PlainObject));
    countWork(unitsPerEntry * object.size);
    if (object.size !== this.size) return false;
    for (const [mapKey, value] of this.#values) {
      const found = object.#values.get(mapKey);
      if (found === undefined || !equal(found, value)) return false;
    }
    return true;
  }
}
