/** Conditions as SQL. */

import type { ScalarTerm } from '../../../../compiler/index.js';
import { parseNumber } from '../../../../values/index.js';
import type { Column, ColumnComparison, FilterCondition, TextMatch } from '../condition.js';
import { refusedName } from '../filter-error.js';
import type { ColumnIdentifier, NamedTarget } from '../mappings.js';
import type { SqlDialect } from '../targets.js';
import { sqlKeywords } from './keywords.js';
import { escapedPattern, stringLiteral } from './sql-literals.js';

/** A value that may be a parameter of the query. */
export interface SqlValue {
  readonly value: string | number;
  readonly literal: string;
}

/** The text of a condition in parts: its values stand apart. */
export type SqlParts = readonly (string | SqlValue)[];

/** A condition in the dialect of a target. Throws a FilterError for a name that SQL cannot have. */
export function sqlParts(condition: FilterCondition, named: NamedTarget): SqlParts {
  return joinTexts(new SqlWriter(named).condition(condition));
}

/** The condition with its values as literals. */
export function sqlText(parts: SqlParts): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.literal)).join('');
}

const operators: Readonly<Record<ColumnComparison, string>> = {
  eq: '=',
  ne: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
};

const yes = '1 = 1';
const no = '1 = 0';

class SqlWriter {
  readonly #named: NamedTarget;
  readonly #dialect: SqlDialect;

  constructor(named: NamedTarget) {
    if (named.target.kind !== 'sql') throw new Error(`${named.target.label} is not SQL`);
    this.#named = named;
    this.#dialect = named.target.dialect;
  }

  condition(condition: FilterCondition): SqlParts {
    switch (condition.type) {
      case 'constant':
        return [condition.holds ? yes : no];
      case 'compare':
        return this.#comparison(condition);
      case 'in':
        return this.#membership(this.#column(condition.column), condition.values);
      case 'match':
        return [
          `${this.#column(condition.column)} LIKE `,
          this.#text(this.#pattern(condition.operator, condition.text)),
        ];
      case 'exists':
        return [`${this.#column(condition.column)} IS NOT NULL`];
      case 'not':
        return ['NOT ', ...this.condition(condition.condition)];
      default: {
        const parts = condition.conditions.map((part) => this.condition(part));
        return ['(', ...joined(parts, condition.type === 'and' ? ' AND ' : ' OR '), ')'];
      }
    }
  }

  #comparison({ operator, column, value }: FilterCondition & { readonly type: 'compare' }): SqlParts {
    const name = this.#column(column);
    if (value.type === 'null') return [`${name} IS ${operator === 'eq' ? '' : 'NOT '}NULL`];
    return [`${name} ${operators[operator]} `, value.type === 'column' ? this.#column(value) : this.#value(value)];
  }

  /** `IN` never finds a null, and only SQLite has empty lists. */
  #membership(column: string, values: readonly ScalarTerm[]): SqlParts {
    const others = values.filter(({ type }) => type !== 'null');
    const hasNull = others.length < values.length;
    if (others.length === 0)
      return [hasNull ? `${column} IS NULL` : this.#dialect === 'sqlite' ? `${column} IN ()` : no];
    const list = joined(
      others.map((value) => [this.#value(value)]),
      ', ',
    );
    return hasNull ? [`(${column} IS NULL OR ${column} IN (`, ...list, '))'] : [`${column} IN (`, ...list, ')'];
  }

  #pattern(operator: TextMatch, text: string): string {
    const escaped = escapedPattern(text, this.#dialect);
    return `${operator === 'startswith' ? '' : '%'}${escaped}${operator === 'endswith' ? '' : '%'}`;
  }

  #value(term: ScalarTerm): string | SqlValue {
    switch (term.type) {
      case 'string':
        return this.#text(term.value);
      case 'number':
        return numberValue(term.text);
      case 'boolean':
        // SQL Server has bits, and no words for them.
        return this.#dialect === 'sqlserver' ? (term.value ? '1' : '0') : term.value ? 'TRUE' : 'FALSE';
      case 'null':
        return 'NULL';
    }
  }

  #text(value: string): SqlValue {
    return { value, literal: stringLiteral(value, this.#dialect) };
  }

  #column(column: Column): string {
    const { table, name } = this.#named.named(column);
    return columnName(table, name, this.#dialect);
  }
}

/** Numbers that a double would change are no parameters. */
function numberValue(text: string): string | SqlValue {
  const value = parseNumber(text);
  if (value === undefined) throw new Error(`${text} is no number`);
  return typeof value === 'number' ? { value, literal: text } : text;
}

function joined(lists: readonly SqlParts[], separator: string): SqlParts {
  return lists.flatMap((parts, i) => (i === 0 ? parts : [separator, ...parts]));
}

/** The parts with texts that stand side by side put together. */
function joinTexts(parts: SqlParts): SqlParts {
  const found: (string | SqlValue)[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    if (typeof part === 'string' && typeof last === 'string') found[found.length - 1] = last + part;
    else found.push(part);
  }
  return found;
}

/**
 * A column with its table. Names that need no quotes have none, so that they mean the same in
 * databases that fold the case of such names.
 */
function columnName(table: ColumnIdentifier, name: ColumnIdentifier, dialect: SqlDialect): string {
  return [...table, ...name].map((part, i) => (isPlain(part, i, dialect) ? part : quoted(part, dialect))).join('.');
}

function isPlain(name: string, position: number, dialect: SqlDialect): boolean {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return false;
  // PostgreSQL and MySQL take any word for a name after a dot.
  const isFree = position > 0 && (dialect === 'postgresql' || dialect === 'mysql');
  return isFree || !sqlKeywords[dialect].has(name.toUpperCase());
}

function quoted(name: string, dialect: SqlDialect): string {
  if (name.includes('\0')) throw refusedName(`no name in a database has the character 0: ${JSON.stringify(name)}`);
  return dialect === 'mysql' ? `\`${name.replaceAll('`', '``')}\`` : `"${name.replaceAll('"', '""')}"`;
}
