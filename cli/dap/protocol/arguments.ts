/** The arguments of a request, checked as they are read: a client may send anything. */

/** A request that cannot be done, with a sentence for the user. */
export class ArgumentError extends Error {}

/** The elements of a list that are read at most. */
const longestList = 10_000;

export class RequestArguments {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #place: string;

  /** @param place names them in errors: "launch", "setBreakpoints.breakpoints[1]" */
  constructor(values: unknown, place: string) {
    if (values !== undefined && values !== null && (typeof values !== 'object' || Array.isArray(values)))
      throw new ArgumentError(`${place}: the arguments must be an object`);
    this.#values = (values ?? {}) as Readonly<Record<string, unknown>>;
    this.#place = place;
  }

  /** Equal texts for equal arguments. */
  toJSON(): unknown {
    return this.#values;
  }

  /** The value of a name as the client sent it; undefined if there is none, or null. */
  raw(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? (this.#values[name] ?? undefined) : undefined;
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  text(name: string): string | undefined {
    return this.#of(name, 'a string', (value) => typeof value === 'string');
  }

  neededText(name: string): string {
    return this.text(name) ?? this.#missing(name);
  }

  flag(name: string): boolean | undefined {
    return this.#of(name, 'true or false', (value) => typeof value === 'boolean');
  }

  /** A whole number of at least `least`. */
  count(name: string, least = 0): number | undefined {
    return this.#of(
      name,
      `a whole number of at least ${least}`,
      (value) => Number.isSafeInteger(value) && (value as number) >= least,
    );
  }

  neededCount(name: string, least = 0): number {
    return this.count(name, least) ?? this.#missing(name);
  }

  /** A number with a sign. */
  offset(name: string): number | undefined {
    return this.#of(name, 'a whole number', Number.isSafeInteger);
  }

  /** The objects of a list; empty if there is none. */
  list(name: string): readonly RequestArguments[] {
    return this.#list(name).map((value, i) => new RequestArguments(value, `${this.#place}.${name}[${i}]`));
  }

  texts(name: string): readonly string[] {
    const list = this.#list(name);
    for (const value of list) if (typeof value !== 'string') throw this.#wrong(name, 'a list of strings');
    return list as readonly string[];
  }

  /** An object in the arguments; empty if there is none. */
  inner(name: string): RequestArguments {
    return new RequestArguments(this.raw(name), `${this.#place}.${name}`);
  }

  #list(name: string): readonly unknown[] {
    const list = this.#of<readonly unknown[]>(name, `a list of at most ${longestList}`, (value) => {
      return Array.isArray(value) && value.length <= longestList;
    });
    return list ?? [];
  }

  #of<T>(name: string, wanted: string, fits: (value: unknown) => boolean): T | undefined {
    const value = this.raw(name);
    if (value !== undefined && !fits(value)) throw this.#wrong(name, wanted);
    return value as T | undefined;
  }

  #wrong(name: string, wanted: string): ArgumentError {
    return new ArgumentError(`${this.#place}: "${name}" must be ${wanted}`);
  }

  #missing(name: string): never {
    throw new ArgumentError(`${this.#place}: "${name}" is missing`);
  }
}
