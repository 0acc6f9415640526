import { Composite, type Key, keyOf, keyText, objectKeyText } from './hash.js';
import { checkMembers } from './memory.js';
import type { Value } from './value.js';

/** An object that may have keys other than strings. Immutable once it is visible outside of what built it. */
export class RegoObject extends Composite {
  readonly #values = new Map<Key, Value>();
  /** The keys that are not their own Map key (numbers with a text of their own, composites, strings that start with NUL). */
  #keys: Map<Key, Value> | undefined;
  /** Keys in the language's order, once someone asked (see `sortedKeys`); a new key forgets it. */
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

  has(key: Value): boolean {
    return this.#values.has(keyOf(key));
  }

  /** Only for whoever builds the object. */
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

  /** Keys in the order they came; see `sortedKeys` for the language's. */
  *keys(): IterableIterator<Value> {
    const others = this.#keys;
    if (others === undefined) yield* this.#values.keys();
    else for (const key of this.#values.keys()) yield others.get(key) ?? key;
  }

  values(): IterableIterator<Value> {
    return this.#values.values();
  }

  keyText(): string {
    const entries: string[] = [];
    // Not by `get`: to hash each key once more would double the work with each level of keys in keys.
    for (const [mapKey, value] of this.#values) entries.push(`${keyText(this.#keys?.get(mapKey) ?? mapKey)}:${keyText(value)}`);
    return objectKeyText(entries);
  }
}
