import { Composite, entryText, type Key, keyOf, objectKeyText } from './hash.js';
import { checkMembers } from './memory.js';
import type { Value } from './value.js';

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

  /** Only for the object's builder. */
  set(key: Value, value: Value): this {
    const mapKey = keyOf(key);
    if (!this.#values.has(mapKey)) {
      checkMembers(this.#values.size + 1);
      this.sorted = undefined;
      if (mapKey !== key) (this.#keys ??= new Map()).set(mapKey, key);
    }
    this.#values.set(mapKey, value);
    return this;
  }

  /** Keys in insertion order; see `sortedKeys` for the language's order. */
  *keys(): IterableIterator<Value> {
    const others = this.#keys;
    if (others === undefined) yield* this.#values.keys();
    else for (const key of this.#values.keys()) yield others.get(key) ?? key;
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
}
