/** Data filters of the library: options and results. */
import type { FilterHint, PrismaWhere, SqlDialect, UcastVariant } from '../../engine/index.js';
import type { Json } from '../../values/index.js';

/** A dialect of SQL, a variant of UCAST, or Prisma. */
export type FilterTarget = SqlDialect | `ucast+${UcastVariant}` | 'prisma';

/** Names in the database by table: `$self` is the table's, others are those of columns. */
export interface FilterMappings {
  readonly [table: string]: { readonly [column: string]: string };
}

export interface FilterOptions<Target extends FilterTarget = FilterTarget> {
  readonly target: Target;
  /** The known input, such as the user: any JSON value. */
  readonly input?: unknown;
  /** The tables, such as `input.orders`. Default: the unknowns of `compile:` annotations. */
  readonly unknowns?: readonly string[] | undefined;
  /**
   * Names in the database, where they differ from those in the policy:
   * `{ pets: { $self: 'shop.animals', name: 'title' } }`.
   */
  readonly mappings?: FilterMappings | undefined;
  /**
   * The rule of the masks: a path (`data.shop.masks`), or a name in the rule's package. Default:
   * the one that an annotation names.
   */
  readonly maskRule?: string | undefined;
  /** For Prisma: the table whose rows are searched, where the rule names several. */
  readonly table?: string | undefined;
  /**
   * For SQL: how placeholders are written. `?` is for libraries that count them, such as Knex;
   * question marks in names are then `\?`. Default: as the dialect's drivers have them.
   */
  readonly placeholders?: 'dialect' | '?' | undefined;
  /** The most milliseconds that it takes. */
  readonly timeMs?: number | undefined;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

interface Filtered {
  /** The rows that the rule allows: some (by the condition), all or none. */
  readonly rows: 'some' | 'all' | 'none';
  /** Values that replace columns, by table and column; absent without a rule of masks. */
  readonly masks?: Json;
  /** Names in the policy that are nearly those of unknowns. */
  readonly hints: readonly FilterHint[];
}

export interface SqlFilter extends Filtered {
  /** The condition, with its values written into it. */
  readonly where: string;
  /** The condition with placeholders for its values, and the values. */
  readonly text: string;
  readonly values: readonly (string | number)[];
  /** The text around the values, for functions that are template tags. */
  readonly fragments: readonly string[];
}

export interface UcastFilter extends Filtered {
  /** The condition as a tree; absent where no rows are allowed, empty where each is. */
  readonly condition?: Json;
}

export interface PrismaFilter extends Filtered {
  readonly where: PrismaWhere;
}

/** The filter for a target. */
export type FilterFor<Target extends FilterTarget> = Target extends 'prisma'
  ? PrismaFilter
  : Target extends SqlDialect
    ? SqlFilter
    : UcastFilter;
