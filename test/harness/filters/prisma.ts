/** Evaluates a `where` object of Prisma for a row without nulls. */

import type { Json } from '../../../library/index.js';
import { compareBy } from './comparisons.js';

type Row = Readonly<Record<string, Json>>;
type Where = Readonly<Record<string, unknown>>;

export function selects(where: Where, row: Row): boolean {
  return Object.entries(where).every(([key, value]) => {
    switch (key) {
      case 'AND':
        return (value as Where[]).every((part) => selects(part, row));
      case 'OR':
        return (value as Where[]).some((part) => selects(part, row));
      case 'NOT':
        return !selects(value as Where, row);
      default:
        return Object.entries(value as Where).every(([operator, operand]) => compareBy(operators, operator, row[key]!, operand as Json));
    }
  });
}

const operators = {
  equals: 'equal',
  not: 'unequal',
  lt: 'less',
  lte: 'atMost',
  gt: 'greater',
  gte: 'atLeast',
  in: 'oneOf',
  startsWith: 'startsWith',
  endsWith: 'endsWith',
  contains: 'contains',
} as const;
