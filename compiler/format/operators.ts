/** Operators: calls that are written with a sign. */

import type { CallTerm, Term } from '../ast/nodes.js';
import { printRef } from '../ast/print.js';

/** Built-ins with a sign. */
const signs: ReadonlyMap<string, string> = new Map([
  ['internal.member_3', 'in'],
  ['internal.member_2', 'in'],
  ['equal', '=='],
  ['neq', '!='],
  ['lt', '<'],
  ['gt', '>'],
  ['lte', '<='],
  ['gte', '>='],
  ['or', '|'],
  ['and', '&'],
  ['plus', '+'],
  ['minus', '-'],
  ['mul', '*'],
  ['div', '/'],
  ['rem', '%'],
]);

/** The sign of a call that was written with one. */
export function infixOf(call: CallTerm): string | undefined {
  const name = printRef(call.operator.terms);
  return call.args.length === (name === 'internal.member_3' ? 3 : 2) ? signs.get(name) : undefined;
}

/** Whether a name is that of an operator with two operands. */
export function isFixed(name: string): boolean {
  return signs.get(name) !== undefined && signs.get(name) !== 'in';
}

/** How close a sign binds. */
export function closenessOf(sign: string): number {
  if (sign === '=' || sign === ':=') return -1;
  if (sign === 'in') return 0;
  return sign === '|' ? 2 : sign === '&' ? 3 : '+-'.includes(sign) ? 4 : '*/%'.includes(sign) ? 5 : 1;
}

export function closeness(term: Term): number {
  const sign = term.type === 'call' ? infixOf(term) : undefined;
  return sign === undefined || (sign === 'in' && (term as CallTerm).args.length === 3) ? 9 : closenessOf(sign);
}
