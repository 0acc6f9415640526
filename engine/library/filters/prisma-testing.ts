/** What a `where` object of Prisma means for a row without nulls. */

import type { Json } from '../../index.js';

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
        return Object.entries(value as Where).every(([operator, operand]) => compare(operator, row[key]!, operand as Json));
    }
  });
}

function compare(operator: string, a: Json, b: Json): boolean {
  switch (operator) {
    case 'equals':
      return a === b;
    case 'not':
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
    case 'startsWith':
      return (a as string).startsWith(b as string);
    case 'endsWith':
      return (a as string).endsWith(b as string);
    case 'contains':
      return (a as string).includes(b as string);
    default:
      throw new Error(`${operator} is no operator`);
  }
}
