import type { Cache, Caches } from './builtin-context.js';

/**
 * Characters of all keys that a cache keeps. An entry is made of its key's text, as a compiled
 * pattern is, so this bounds the memory.
 */
const maxKeyLength = 2_000_000;

/**
 * Keeps the `size` entries used last, or fewer where their keys are long; the newest entry in any
 * case.
 */
export class LruCache<T> implements Cache<T> {
  readonly #entries = new Map<string, T>();
  readonly #size: number;
  #keyLength = 0;

  constructor(size: number) {
    this.#size = size;
  }

  get(key: string): T | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: T): void {
    this.delete(key);
    this.#entries.set(key, value);
    this.#keyLength += key.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#size && (this.#keyLength <= maxKeyLength || oldest === key)) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    if (this.#entries.delete(key)) this.#keyLength -= key.length;
  }
}

/** One engine's caches. */
export class CacheSet implements Caches {
  readonly #caches = new Map<string, LruCache<unknown>>();

  of<T>(name: string, size: number): Cache<T> {
    let cache = this.#caches.get(name);
    if (cache === undefined) this.#caches.set(name, (cache = new LruCache(size)));
    return cache as Cache<T>;
  }
}
