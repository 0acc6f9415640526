/** Clients choose paths: a value for a longer path is made for each request. */
const longestPath = 1024;

/** Equals no path that a caller may give, not even undefined. */
const noPath = Symbol('no path');

/** Values by path, such as prepared decisions. A full cache is emptied. */
export class PathCache<T> {
  readonly #most: number;
  readonly #values = new Map<string, T>();
  /** The last of them: many callers ask for one path only. */
  #lastPath: string | typeof noPath = noPath;
  #last: T | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /** The value of a path, which `make` makes at first; it may throw. */
  at(path: string, make: (path: string) => T): T {
    return path === this.#lastPath ? this.#last! : this.#other(path, make);
  }

  /** In a method of its own, so that `at` is short enough for V8 to inline. */
  #other(path: string, make: (path: string) => T): T {
    // A caller without types may give anything: `make` refuses it.
    if (typeof path !== 'string' || path.length > longestPath) return make(path);
    const value = this.#values.get(path) ?? this.#add(path, make(path));
    this.#lastPath = path;
    this.#last = value;
    return value;
  }

  #add(path: string, value: T): T {
    if (this.#values.size >= this.#most) this.#values.clear();
    this.#values.set(path, value);
    return value;
  }

  clear(): void {
    this.#values.clear();
    this.#lastPath = noPath;
    this.#last = undefined;
  }
}
