/**
 * A persistent map: a change makes another version. Versions share their common entries, so a
 * version costs its changes, not its size.
 */

/**
 * Iterators by the names that users' releases of TypeScript have for them: `MapIterator` is newer
 * than some.
 */
type Entries<V> = ReturnType<ReadonlyMap<string, V>['entries']>;
type Keys = ReturnType<ReadonlyMap<string, never>['keys']>;
type Values<V> = ReturnType<ReadonlyMap<string, V>['values']>;

/** The entries that a copy may have at next to no cost. */
const copiedUpTo = 100;

/** In order of its keys (by UTF-16 units). */
export class VersionedMap<V> implements ReadonlyMap<string, V> {
  readonly size: number;
  /** Never changed, in order. */
  readonly #base: ReadonlyMap<string, V>;
  /** Differences from the base; undefined for removed entries. There are never many. */
  readonly #changes: ReadonlyMap<string, V | undefined>;
  /** The keys of changes, in order: made at the first walk. */
  #changed: readonly string[] | undefined;

  private constructor(base: ReadonlyMap<string, V>, changes: ReadonlyMap<string, V | undefined>, size: number) {
    this.#base = base;
    this.#changes = changes;
    this.size = size;
  }

  static of<V>(entries: Iterable<readonly [string, V]>): VersionedMap<V> {
    const base = new Map([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
    return new VersionedMap(base, new Map(), base.size);
  }

  /** A map with other values at some keys; undefined takes one out. */
  with(changes: Iterable<readonly [string, V | undefined]>): VersionedMap<V> {
    const all = new Map(this.#changes);
    let { size } = this;
    for (const [key, value] of changes) {
      const before = all.has(key) ? all.get(key) : this.#base.get(key);
      size += Number(value !== undefined) - Number(before !== undefined);
      if (value === undefined && !this.#base.has(key)) all.delete(key);
      else all.set(key, value);
    }
    const next = new VersionedMap(this.#base, all, size);
    // So copies of the changes and, now and then, of all cost as little as they can together, and
    // few values are kept that no version of now has.
    const isSmall = size < copiedUpTo && this.#base.size < copiedUpTo;
    return isSmall || all.size > Math.sqrt(this.#base.size) ? new VersionedMap(new Map(next), new Map(), size) : next;
  }

  get(key: string): V | undefined {
    return this.#changes.size > 0 && this.#changes.has(key) ? this.#changes.get(key) : this.#base.get(key);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  entries(): Entries<V> {
    return this.#changes.size === 0 ? this.#base.entries() : this.#merged();
  }

  *#merged(): Entries<V> {
    this.#changed ??= [...this.#changes.keys()].sort();
    const changed = this.#changed;
    let at = 0;
    for (const [key, value] of this.#base) {
      for (; at < changed.length && changed[at]! <= key; at++) {
        const other = this.#changes.get(changed[at]!);
        if (other !== undefined) yield [changed[at]!, other];
      }
      if (at === 0 || changed[at - 1] !== key) yield [key, value];
    }
    for (; at < changed.length; at++) yield [changed[at]!, this.#changes.get(changed[at]!)!];
  }

  [Symbol.iterator](): Entries<V> {
    return this.entries();
  }

  *keys(): Keys {
    for (const [key] of this.entries()) yield key;
  }

  values(): Values<V> {
    return this.#changes.size === 0 ? this.#base.values() : this.#mergedValues();
  }

  *#mergedValues(): Values<V> {
    for (const [, value] of this.#merged()) yield value;
  }

  forEach(callback: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this.entries()) callback(value, key, this);
  }
}
