/** Conditions as `where` objects of Prisma. */

import { type Column, type ColumnComparison, columnsOf, type FilterCondition, type TextMatch } from './condition.js';
import { refusedName } from './filter-error.js';
import type { ColumnIdentifier, NamedTarget } from './mappings.js';
import { scalarValue } from './ucast.js';

/** A `where` object; its keys are fields, relations, `AND`, `OR` and `NOT`. */
export interface PrismaWhere {
  readonly [key: string]: unknown;
}

const comparisons: Readonly<Record<ColumnComparison, string>> = {
  eq: 'equals',
  ne: 'not',
  lt: 'lt',
  lte: 'lte',
  gt: 'gt',
  gte: 'gte',
};
const matches: Readonly<Record<TextMatch, string>> = {
  startswith: 'startsWith',
  endswith: 'endsWith',
  contains: 'contains',
};

/**
 * A condition on rows of a table. Columns of other tables are fields of relations of their name.
 * @param table the table whose rows are searched; may be left out where only one is named
 */
export function prismaWhere(condition: FilterCondition, named: NamedTarget, table?: string): PrismaWhere {
  const tables = new Set(columnsOf(condition).map((column) => nameOf(named.named(column).table)));
  if (table === undefined && tables.size > 1) {
    throw refusedName(
      `a filter of several tables (${[...tables].join(', ')}) needs the name of the one that is searched`,
    );
  }
  return new WhereWriter(named, table ?? [...tables][0]).where(condition);
}

class WhereWriter {
  readonly #named: NamedTarget;
  readonly #table: string | undefined;

  constructor(named: NamedTarget, table: string | undefined) {
    this.#named = named;
    this.#table = table;
  }

  where(condition: FilterCondition): PrismaWhere {
    switch (condition.type) {
      case 'constant':
        // No alternatives select no rows.
        return condition.holds ? {} : { OR: [] };
      case 'compare': {
        const { operator, column, value } = condition;
        if (value.type === 'column') throw new Error('the target has no references to fields');
        return this.#field(column, { [comparisons[operator]]: scalarValue(value) });
      }
      case 'in': {
        const values = condition.values.filter(({ type }) => type !== 'null');
        const list = this.#field(condition.column, { in: values.map(scalarValue) });
        return values.length === condition.values.length
          ? list
          : { OR: [this.#field(condition.column, { equals: null }), list] };
      }
      case 'match':
        return this.#field(condition.column, { [matches[condition.operator]]: condition.text });
      case 'exists':
        return this.#field(condition.column, { not: null });
      case 'not':
        return { NOT: this.where(condition.condition) };
      default:
        return { [condition.type.toUpperCase()]: condition.conditions.map((part) => this.where(part)) };
    }
  }

  #field(column: Column, filter: PrismaWhere): PrismaWhere {
    const { table, name } = this.#named.named(column);
    const field = { [checked(nameOf(name))]: filter };
    const relation = nameOf(table);
    // Without `is`, a field of that name would be an operator.
    return relation === this.#table ? field : { [checked(relation)]: { is: field } };
  }
}

function nameOf(identifier: ColumnIdentifier): string {
  return identifier.join('.');
}

/** A name as a key: some keys are operators. */
function checked(name: string): string {
  if (name === 'AND' || name === 'OR' || name === 'NOT')
    throw refusedName(`${name} is an operator of Prisma, not a field`);
  return name;
}
