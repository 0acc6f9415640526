/**
 * Conditions on rows: the residual of a policy when the columns of tables are unknown, in the form
 * that every target can express.
 */

import type { ScalarTerm } from '../../../compiler/index.js';

/** A column as the policy names it: `input.<table>.<name>`, or `input.<name>` without a table. */
export interface Column {
  readonly type: 'column';
  readonly table: string | undefined;
  readonly name: string;
}

export type ColumnComparison = 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte';
export type TextMatch = 'startswith' | 'endswith' | 'contains';

/** The column is on the left of every operator. */
export type FilterCondition =
  | { readonly type: 'constant'; readonly holds: boolean }
  | {
      readonly type: 'compare';
      readonly operator: ColumnComparison;
      readonly column: Column;
      readonly value: ScalarTerm | Column;
    }
  | { readonly type: 'in'; readonly column: Column; readonly values: readonly ScalarTerm[] }
  | { readonly type: 'match'; readonly operator: TextMatch; readonly column: Column; readonly text: string }
  | { readonly type: 'exists'; readonly column: Column }
  | { readonly type: 'and' | 'or'; readonly conditions: readonly FilterCondition[] }
  | { readonly type: 'not'; readonly condition: FilterCondition };

export const always: FilterCondition = { type: 'constant', holds: true };
export const neverHolds: FilterCondition = { type: 'constant', holds: false };

/** The conjunction of conditions; constants vanish, a single condition stands for itself. */
export function allOf(conditions: readonly FilterCondition[]): FilterCondition {
  return combined('and', conditions);
}

/** The disjunction of conditions, as `allOf`. */
export function eitherOf(conditions: readonly FilterCondition[]): FilterCondition {
  return combined('or', conditions);
}

function combined(type: 'and' | 'or', conditions: readonly FilterCondition[]): FilterCondition {
  // `true` decides a disjunction and is neutral in a conjunction; `false` the other way round.
  const deciding = type === 'or';
  const parts: FilterCondition[] = [];
  for (const condition of conditions) {
    if (condition.type === 'constant') {
      if (condition.holds === deciding) return condition;
    } else if (condition.type !== type) parts.push(condition);
    else for (const inner of condition.conditions) parts.push(inner);
  }
  const [first, ...others] = parts;
  if (first === undefined) return deciding ? neverHolds : always;
  return others.length === 0 ? first : { type, conditions: parts };
}

export function negationOf(condition: FilterCondition): FilterCondition {
  if (condition.type === 'constant') return condition.holds ? neverHolds : always;
  return { type: 'not', condition };
}

/** The columns that a condition names, with repetitions. */
export function columnsOf(condition: FilterCondition): readonly Column[] {
  switch (condition.type) {
    case 'constant':
      return [];
    case 'and':
    case 'or':
      return condition.conditions.flatMap(columnsOf);
    case 'not':
      return columnsOf(condition.condition);
    case 'compare':
      return condition.value.type === 'column' ? [condition.column, condition.value] : [condition.column];
    default:
      return [condition.column];
  }
}
