import { equal } from './equal.js';
import { Composite, entryText, type Key, keyOf, objectKeyText } from './hash.js';
import { checkMembers, uncheckedSize } from './memory.js';
import { roughHash } from './rough-hash.js';
import type { PlainObject, Value } from './value.js';
import { ValueClass } from './value-class.js';
import { countWork } from './work.js';

/** Up to so many texts are found in a list as soon as in a Map, which takes longer to make. */
const maxFew = 8;

/** Units for finding a key. */
const unitsPerEntry = 5;

/** An object whose keys may be any values. Immutable once it is visible outside of its builder. */
export class RegoObject extends Composite {
  /** The keys and their values while these are a few texts; empty as soon as there is a Map. */
  #names: string[] = [];
  #parts: Value[] = [];
  #values: Map<Key, Value> | undefined;
  /**
   * The keys that differ from their Map key (exact numbers, composites, strings that start with
   * NUL).
   */
  #keys: Map<Key, Value> | undefined;
  #hasOnlyTexts = true;
  /** The cached order of keys (see `sortedKeys`); a new key drops it. */
  sorted: readonly Value[] | undefined;

  constructor(entries?: Iterable<readonly [Value, Value]>) {
    super();
    if (entries !== undefined) for (const [key, value] of entries) this.set(key, value);
  }

  get size(): number {
    return this.#values === undefined ? this.#names.length : this.#values.size;
  }

  get(key: Value): Value | undefined {
    if (this.#values !== undefined) return this.#values.get(keyOf(key));
    const at = typeof key === 'string' ? this.#names.indexOf(key) : -1;
    return at < 0 ? undefined : this.#parts[at];
  }

  /** Only for the object's builder. */
  set(key: Value, value: Value): this {
    const values = this.#values ?? this.#valuesFor(key, value);
    if (values === undefined) return this;
    const mapKey = keyOf(key);
    const { size } = values;
    if (size >= uncheckedSize && !values.has(mapKey)) checkMembers(size + 1);
    values.set(mapKey, value);
    if (values.size === size) return this;
    this.sorted = undefined;
    if (typeof key !== 'string') this.#hasOnlyTexts = false;
    if (mapKey !== key) (this.#keys ??= new Map()).set(mapKey, key);
    return this;
  }

  /** Sets a text among a few others; answers the Map for a key that is none, or one too many. */
  #valuesFor(key: Value, value: Value): Map<Key, Value> | undefined {
    const [names, parts] = [this.#names, this.#parts];
    if (typeof key === 'string') {
      const at = names.indexOf(key);
      if (at >= 0) parts[at] = value;
      else if (names.length < maxFew) {
        names.push(key);
        parts.push(value);
        this.sorted = undefined;
      }
      if (at >= 0 || names.at(-1) === key) return undefined;
    }
    this.#values = new Map();
    [this.#names, this.#parts] = [[], []];
    for (const [i, name] of names.entries()) this.set(name, parts[i]!);
    return this.#values;
  }

  /** Keys in insertion order; see `sortedKeys` for the language's order. */
  keys(): IterableIterator<Value> {
    if (this.#values === undefined) return this.#names.values();
    const others = this.#keys;
    const keys = this.#values.keys();
    return others === undefined ? keys : keys.map((key) => others.get(key) ?? key);
  }

  /** Visits the entries in insertion order; false, without any, if a key is no string. */
  eachText(visit: (key: string, value: Value) => void): boolean {
    const values = this.#values;
    if (values === undefined) for (let i = 0; i < this.#names.length; i++) visit(this.#names[i]!, this.#parts[i]!);
    else if (this.#hasOnlyTexts) for (const [mapKey, value] of values) visit((this.#keys?.get(mapKey) ?? mapKey) as string, value);
    return this.#hasOnlyTexts;
  }

  values(): IterableIterator<Value> {
    return (this.#values ?? this.#parts).values();
  }

  keyText(): string {
    const names: string[] = [];
    const others: string[] = [];
    // Only strings by `get`: to hash other keys again would double the work with each level of
    // nested keys.
    if (this.#values === undefined) names.push(...this.#names);
    else
      for (const [mapKey, value] of this.#values) {
        const key = this.#keys?.get(mapKey) ?? mapKey;
        if (typeof key === 'string') names.push(key);
        else others.push(entryText(key, value));
      }
    return objectKeyText(names, (name) => this.get(name)!, others);
  }

  /** The same as for a plain object with equal entries. */
  roughHash(levels: number): number {
    let hash = 0;
    for (const value of this.values()) hash += roughHash(value, levels);
    countWork(this.size);
    return hash | 0;
  }

  equals(other: Value): boolean {
    if (other instanceof ValueClass && !(other instanceof RegoObject)) return false;
    const object = other instanceof RegoObject ? other : new RegoObject(Object.entries(other as PlainObject));
    countWork(unitsPerEntry * object.size);
    if (object.size !== this.size) return false;
    if (this.#values === undefined) return this.#names.every((name, i) => isEqual(object.get(name), this.#parts[i]!));
    const others = object.#values;
    for (const [mapKey, value] of this.#values) {
      // Keys are not hashed again, see `keyText`. Few keys are texts, which are not hashed.
      const found = others === undefined ? object.get(this.#keys?.get(mapKey) ?? mapKey) : others.get(mapKey);
      if (!isEqual(found, value)) return false;
    }
    return true;
  }
}

function isEqual(found: Value | undefined, value: Value): boolean {
  return found !== undefined && equal(found, value);
}
