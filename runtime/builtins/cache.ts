import type { Cache, Caches } from './context.js';

/** Keeps the `size` entries used last. */
export class LruCache<T> implements Cache<T> {
  readonly #entries = new Map<string, T>();
  readonly #size: number;

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
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#size) this.#entries.delete(this.#entries.keys().next().value!);
  }

  delete(key: string): void {
    this.#entries.delete(key);
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
