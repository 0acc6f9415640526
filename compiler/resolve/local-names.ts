/** Names for generated variables. */
import { isWildcard } from '../ast/names.js';

/**
 * Starts the names of variables for the values of a query's expressions; no author can write it.
 */
export const captureMark = '#';

/** As `captureMark`, where the variable stays out of answers, as a wildcard does. */
export const hiddenCaptureMark = '$term';

/** Whether a variable has the value of a query's expression. */
export function isCapture(name: string): boolean {
  return name.startsWith(captureMark) || name.startsWith(hiddenCaptureMark);
}

/** Whether a variable was made by a stage. */
export function isGeneratedName(name: string): boolean {
  return name.startsWith('__local');
}

/**
 * The name under which solutions show a variable: the written one. Undefined for a wildcard,
 * declared or not, and for a variable that a stage made.
 * @param names generated name → written name
 */
export function shownName(name: string, names: ReadonlyMap<string, string>): string | undefined {
  const written = isGeneratedName(name) ? names.get(name) : name;
  return written === undefined || isWildcard(written) ? undefined : written;
}

/** Makes `__local0__`, `__local1__`, … and maps them to the written names. */
export class LocalNames {
  readonly #names = new Map<string, string>();
  readonly #prefix: string;
  readonly #taken: ReadonlySet<string>;
  readonly #starts: number[] = [];
  #next = 0;

  /** A name that stands in `text` is left out. */
  constructor(prefix: string, text: string) {
    this.#prefix = prefix;
    this.#taken = new Set(text.includes(prefix) ? text.match(/__local\w*/g) : []);
  }

  /** Generated name → written name. */
  get names(): ReadonlyMap<string, string> {
    return this.#names;
  }

  /** The number of the next name when each stage began. */
  get starts(): readonly number[] {
    return this.#starts;
  }

  /** Notes that stages begin. */
  beginStages(count = 1): void {
    for (let i = 0; i < count; i++) this.#starts.push(this.#next);
  }

  /** A new name; `written` is the variable that it stands for, if any. */
  make(written?: string): string {
    let name: string;
    do name = `${this.#prefix}${this.#next++}__`;
    while (this.#taken.has(name));
    if (written !== undefined) this.#names.set(name, written);
    return name;
  }

  /**
   * A name for the key that `some x in xs` leaves out. The reference makes a name, and then another
   * one that replaces it as if it had been written: traces show the first.
   */
  makeKey(): string {
    const name = this.make();
    return this.#prefix === '__local' ? this.make(name) : name;
  }

  /** Whether the text has the name, though it looks like one of these. */
  isTaken(name: string): boolean {
    return this.#taken.has(name);
  }

  /** The written name of a variable. */
  written(name: string): string {
    return this.#names.get(name) ?? name;
  }
}
