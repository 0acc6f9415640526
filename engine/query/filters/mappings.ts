/** Names of tables and columns in a database, where they differ from those in the policy. */

import { isObject, type PlainObject, type Value } from '../../../values/index.js';
import type { Column } from './condition.js';
import { type FilterLanguage, targets } from './targets.js';

/** A name that a mapping gives may have several parts: `schema.table`. */
export type ColumnIdentifier = readonly string[];

/** A column with the names that a target has for it. */
interface NamedColumn {
  readonly table: ColumnIdentifier;
  readonly name: ColumnIdentifier;
}

/** Names by table: `$self` is its own, `$table` that of a column alone, other keys are columns. */
type Tables = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The mappings are not of the form that `NamedTarget` describes. */
export class MappingError extends Error {}

/** Names of dialects and kinds, under which a request may have mappings of several targets. */
const groups: ReadonlySet<string> = new Set([...targets.values()].flatMap(({ kind, dialect }) => [kind, dialect]));

/**
 * A target and its names.
 * @example new NamedTarget(target, { fruit: { $self: 'shop.fruits', price: 'cost' } })
 */
export class NamedTarget {
  readonly target: FilterLanguage;
  readonly #tables: Tables;
  /** Whether the mappings are this target's own: only then they may name the tables of columns. */
  readonly #own: boolean;

  /** @param mappings tables; or objects of tables by dialect (`mysql`) or kind (`sql`, `ucast`) */
  constructor(target: FilterLanguage, mappings: Value | undefined) {
    const all = withoutNulls(objectOf(mappings ?? {}, 'the mappings'));
    const group = [target.dialect, target.kind].find((name) => Object.hasOwn(all, name));
    const own = group === undefined ? undefined : all[group];
    this.target = target;
    this.#own = own !== undefined;
    this.#tables = own === undefined ? tablesOf(all, groups) : tablesOf(objectOf(own, `${group}`), new Set());
  }

  /** Whether a column is known that is named without its table. */
  hasTableOf(column: string): boolean {
    return this.#tableOf(column) !== undefined;
  }

  /** The names of a column. A column named without its table must have one: see `hasTableOf`. */
  named({ table, name }: Column): NamedColumn {
    const known = table ?? this.#tableOf(name) ?? '';
    const names = this.#tables.get(known);
    return { table: identifier(known, names?.get('$self')), name: identifier(name, names?.get(name)) };
  }

  #tableOf(column: string): string | undefined {
    return this.#own ? this.#tables.get(column)?.get('$table') : undefined;
  }
}

function identifier(name: string, mapped: string | undefined): ColumnIdentifier {
  return mapped === undefined ? [name] : mapped.split('.');
}

function tablesOf(mappings: PlainObject, skipped: ReadonlySet<string>): Tables {
  const tables = Object.entries(withoutNulls(mappings)).filter(([table]) => !skipped.has(table));
  return new Map(tables.map(([table, names]) => [table, namesOf(objectOf(names, table), table)]));
}

function namesOf(names: PlainObject, table: string): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(withoutNulls(names)).map(([name, mapped]) => {
      if (typeof mapped !== 'string') throw new MappingError(`the mapping of ${table}.${name} must be a string`);
      return [name, mapped];
    }),
  );
}

/** Clients in Go write a map without a value as null. */
function withoutNulls(mappings: PlainObject): PlainObject {
  return Object.fromEntries(Object.entries(mappings).filter(([, value]) => value !== null));
}

function objectOf(value: Value, name: string): PlainObject {
  if (value === null || !isObject(value)) throw new MappingError(`the mapping of ${name} must be an object`);
  return value as PlainObject;
}
