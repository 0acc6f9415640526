/** The query of a configuration, as one whose solutions have the decision. */

import type { Expr } from '../../../compiler/index.js';
import { functionName, parseQuery } from '../../../compiler/index.js';

/** Queries of users cannot name it by chance. */
export const decisionVariable = '__envoy_decision';

/**
 * The query with the value of its first expression in `decisionVariable`. Throws CompileErrors for
 * a text that is no query. An assignment, a declaration or a negation is true where it holds.
 */
export function decisionQuery(text: string): string {
  const [first, ...others] = parseQuery(text, { regoVersion: 'v1' });
  return `${decisionVariable} = ${hasValue(first, others.length === 0) ? '' : 'true; '}${text.trim()}`;
}

/**
 * The value of a comparison among several expressions is no decision: it holds, or there is no
 * solution.
 */
function hasValue(expr: Expr | undefined, isAlone: boolean): boolean {
  if (expr === undefined || expr.negated) return false;
  if (expr.kind === 'term') return true;
  return expr.kind === 'call' && isAlone && !['assign', 'eq'].includes(functionName(expr.operator) ?? '');
}
