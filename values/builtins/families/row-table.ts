/** Built-ins by name, of which a family is loaded when one of its rows is looked up. */

import type { Builtin } from '../builtin.js';

/** Some rows, and their names without loading them. */
export interface Family {
  readonly rows: () => readonly Builtin[];
  /** The names of the rows, in their order, with white space between them. */
  readonly names: string;
  /** The names of deprecated rows. */
  readonly deprecated?: string;
}

/** The names in a text with white space between them. */
export function namesIn(text: string): readonly string[] {
  return text.match(/\S+/g) ?? [];
}

/** A row, or the function that loads its family, by name. */
type Rows = Map<string, Builtin | Family['rows']>;

/**
 * A map that knows the names of all rows and loads the rows themselves on demand: a command uses
 * few families, and loading all of them is a part of its start that can be measured.
 */
export class RowTable implements ReadonlyMap<string, Builtin> {
  readonly #makeRows: () => Rows;
  #made: Rows | undefined;
  readonly #findDeprecated: () => readonly string[];

  private constructor(makeRows: () => Rows, findDeprecated: () => readonly string[]) {
    this.#makeRows = makeRows;
    this.#findDeprecated = findDeprecated;
  }

  static of(families: readonly Family[]): RowTable {
    const rows = () =>
      new Map(families.flatMap(({ rows, names }) => namesIn(names).map((name) => [name, rows] as const)));
    return new RowTable(rows, () => namesIn(families.map(({ deprecated = '' }) => deprecated).join(' ')));
  }

  /** Made when first asked: plans without built-ins never do. */
  get #rows(): Rows {
    return (this.#made ??= this.#makeRows());
  }

  /** The same rows and some more, which replace rows of their names. */
  with(more: readonly Builtin[]): RowTable {
    const rows = new Map(this.#rows);
    for (const row of more) rows.set(row.name, row);
    const replaced = new Set(more.map(({ name }) => name));
    const deprecated = more.filter((row) => row.deprecated === true).map(({ name }) => name);
    const all = [...this.deprecated.filter((name) => !replaced.has(name)), ...deprecated];
    return new RowTable(
      () => rows,
      () => all,
    );
  }

  /** The names of deprecated rows. */
  get deprecated(): readonly string[] {
    return this.#findDeprecated();
  }

  get size(): number {
    return this.#rows.size;
  }

  has(name: string): boolean {
    return this.#rows.has(name);
  }

  get(name: string): Builtin | undefined {
    const found = this.#rows.get(name);
    if (typeof found !== 'function') return found;
    for (const row of found()) if (this.#rows.get(row.name) === found) this.#rows.set(row.name, row);
    return this.#rows.get(name) as Builtin;
  }

  keys(): MapIterator<string> {
    return this.#rows.keys();
  }

  values(): MapIterator<Builtin> {
    return this.#loaded().values();
  }

  entries(): MapIterator<[string, Builtin]> {
    return this.#loaded().entries();
  }

  [Symbol.iterator](): MapIterator<[string, Builtin]> {
    return this.entries();
  }

  forEach(visit: (row: Builtin, name: string, table: ReadonlyMap<string, Builtin>) => void): void {
    for (const [name, row] of this) visit(row, name, this);
  }

  #loaded(): Map<string, Builtin> {
    for (const name of this.#rows.keys()) this.get(name);
    return this.#rows as Map<string, Builtin>;
  }
}
