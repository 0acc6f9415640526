/**
 * `not` without `import future.keywords.not`: calls in an expression, and refs and comprehensions
 * that are parts of it, are evaluated before it. So `not f(input.x)` is undefined if `input.x` is
 * undefined.
 */

import { sortedTermEntries } from '../../compiler/ast/compare-terms.js';
import type { Expr, Term } from '../../compiler/ast/nodes.js';
import { operatorName } from './names.js';

/** The terms of an expression that are evaluated before the rest is negated. */
export function termsBeforeNegation(expr: Expr): readonly Term[] {
  if (expr.kind === 'term') return partsOfWhole(expr.term);
  if (expr.kind !== 'call') return [];
  const name = operatorName(expr.operator.terms);
  return expr.args.flatMap(name === 'eq' || name === 'equal' ? partsOfWhole : partsOf);
}

/**
 * A ref or comprehension that is a whole expression, or a side of an equation, is not evaluated
 * before it.
 */
function partsOfWhole(term: Term): readonly Term[] {
  switch (term.type) {
    case 'ref': {
      const [head, ...path] = term.terms as readonly [Term, ...Term[]];
      return [...(head.type === 'var' ? [] : [head]), ...path.flatMap(partsOf)];
    }
    case 'arraycomprehension':
    case 'setcomprehension':
    case 'objectcomprehension':
      return [];
    default:
      return partsOf(term);
  }
}

function partsOf(term: Term): readonly Term[] {
  switch (term.type) {
    case 'array':
    case 'set':
      return term.items.flatMap(partsOf);
    case 'object':
      return sortedTermEntries(term.entries).flatMap(({ key, value }) => [...partsOf(key), ...partsOf(value)]);
    case 'null':
    case 'boolean':
    case 'number':
    case 'string':
    case 'var':
      return [];
    default:
      return [term];
  }
}
