/** Equalities whose sides can never be equal, as their terms show. */

import type { CallExpr, Expr, ObjectTerm, Term } from '../../../../compiler/index.js';
import { compareTerms, isLiteral, isOperator } from '../../../../compiler/index.js';

export interface Equality extends CallExpr {
  readonly args: readonly [Term, Term];
}

export function isResidualEquality(expr: Expr): expr is Equality {
  return expr.kind === 'call' && expr.args.length === 2 && isOperator(expr.operator, 'eq');
}

/** Whether two terms may be equal for some values of their variables, refs and calls. */
export function canBeEqual(a: Term, b: Term): boolean {
  const [kind, other] = [kindOf(a), kindOf(b)];
  if (kind === undefined || other === undefined) return true;
  if (kind !== other) return false;
  if (isLiteral(a) && isLiteral(b)) return compareTerms(a, b) === 0;
  if (a.type === 'array' && b.type === 'array') {
    return a.items.length === b.items.length && a.items.every((item, i) => canBeEqual(item, b.items[i]!));
  }
  return a.type !== 'object' || b.type !== 'object' || canObjectsBeEqual(a, b);
}

function canObjectsBeEqual(a: ObjectTerm, b: ObjectTerm): boolean {
  if (![...a.entries, ...b.entries].every(({ key }) => isLiteral(key))) return true;
  if (a.entries.length !== b.entries.length) return false;
  return a.entries.every(({ key, value }) => {
    const other = b.entries.find((entry) => compareTerms(entry.key, key) === 0);
    return other !== undefined && canBeEqual(value, other.value);
  });
}

/** The kind of a term's value; undefined where the term does not show it. */
function kindOf({ type }: Term): string | undefined {
  switch (type) {
    case 'arraycomprehension':
      return 'array';
    case 'setcomprehension':
      return 'set';
    case 'objectcomprehension':
      return 'object';
    case 'var':
    case 'ref':
    case 'call':
    case 'templatestring':
      return undefined;
    default:
      return type;
  }
}
