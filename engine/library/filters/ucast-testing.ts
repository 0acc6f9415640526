/** What a condition tree of UCAST means for a row. */

import type { Json } from '../../index.js';

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
  return compare(operator, row[nameOf(field)]!, isReference(value) ? row[nameOf(value.field)]! : value);
}

function isReference(value: Json): value is { readonly field: string } {
  return typeof value === 'object' && value !== null && 'field' in value;
}

function nameOf(field: string): string {
  return field.slice(field.indexOf('.') + 1);
}

function compare(operator: string, a: Json, b: Json): boolean {
  switch (operator) {
    case 'eq':
      return a === b;
    case 'ne':
      return a !== b;
    case 'lt':
      return (a as number) < (b as number);
    case 'lte':
      return (a as number) <= (b as number);
    case 'gt':
      return (a as number) > (b as number);
    case 'gte':
      return (a as number) >= (b as number);
    case 'in':
      return (b as Json[]).includes(a);
    case 'startswith':
      return (a as string).startsWith(b as string);
    case 'endswith':
      return (a as string).endsWith(b as string);
    case 'contains':
      return (a as string).includes(b as string);
    default:
      throw new Error(`${operator} is no operator`);
  }
}
