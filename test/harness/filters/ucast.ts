/** Evaluates a condition tree of UCAST for a row. */

import type { Json } from '../../../library/index.js';
import { compareBy } from './comparisons.js';

type Row = Readonly<Record<string, Json>>;

interface Node {
  readonly operator: string;
  readonly field: string;
  readonly value: Json;
}

/** The empty condition always holds. */
export function holds(condition: Json, row: Row): boolean {
  const { operator, field, value } = condition as unknown as Node;
  if (operator === undefined) return true;
  const conditions = value as Json[];
  if (operator === 'and') return conditions.every((part) => holds(part, row));
  if (operator === 'or') return conditions.some((part) => holds(part, row));
  if (operator === 'not') return !holds(conditions[0]!, row);
  return compareBy(operators, operator, row[nameOf(field)]!, isReference(value) ? row[nameOf(value.field)]! : value);
}

function isReference(value: Json): value is { readonly field: string } {
  return typeof value === 'object' && value !== null && 'field' in value;
}

function nameOf(field: string): string {
  return field.slice(field.indexOf('.') + 1);
}

const operators = {
  eq: 'equal',
  ne: 'unequal',
  lt: 'less',
  lte: 'atMost',
  gt: 'greater',
  gte: 'atLeast',
  in: 'oneOf',
  startswith: 'startsWith',
  endswith: 'endsWith',
  contains: 'contains',
} as const;
