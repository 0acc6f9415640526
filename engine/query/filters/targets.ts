/** The targets of filters, and the operators that each target has. */

import type { TextMatch } from './condition.js';

export type SqlDialect = 'postgresql' | 'mysql' | 'sqlserver' | 'sqlite';
export type UcastVariant = 'all' | 'minimal' | 'linq' | 'prisma';

/** Features that a target may lack, beside built-ins. */
export type Feature = 'not' | 'field-ref' | 'existence-ref';

type FilterBuiltin = 'in' | TextMatch;

interface Abilities {
  /** The name in messages. */
  readonly label: string;
  readonly features: ReadonlySet<Feature>;
  readonly builtins: ReadonlySet<FilterBuiltin>;
}

export type FilterLanguage =
  | ({ readonly kind: 'sql'; readonly dialect: SqlDialect } & Abilities)
  | ({ readonly kind: 'ucast'; readonly dialect: UcastVariant } & Abilities);

const text: readonly FilterBuiltin[] = ['startswith', 'endswith', 'contains'];

function sql(dialect: SqlDialect, builtins: readonly FilterBuiltin[]): FilterLanguage {
  const features = new Set<Feature>(['not', 'field-ref', 'existence-ref']);
  return { kind: 'sql', dialect, label: `SQL (${dialect})`, features, builtins: new Set(builtins) };
}

function ucast(
  dialect: UcastVariant,
  label: string,
  features: readonly Feature[],
  builtins: readonly FilterBuiltin[],
): FilterLanguage {
  return { kind: 'ucast', dialect, label, features: new Set(features), builtins: new Set(builtins) };
}

const all: readonly FilterLanguage[] = [
  sql('postgresql', ['in', ...text]),
  sql('mysql', ['in', ...text]),
  sql('sqlserver', ['in', ...text]),
  // `LIKE` of SQLite ignores case.
  sql('sqlite', ['in']),
  ucast('all', 'UCAST (all)', ['not', 'field-ref'], ['in', ...text]),
  ucast('minimal', 'UCAST', [], []),
  ucast('linq', 'UCAST (LINQ)', [], ['in']),
  ucast('prisma', 'UCAST (prisma)', ['not', 'existence-ref'], ['in', ...text]),
];

/** Targets by name: `sql+postgresql`, `ucast+all`, … */
export const targets: ReadonlyMap<string, FilterLanguage> = new Map(
  all.map((target) => [`${target.kind}+${target.dialect}`, target]),
);
