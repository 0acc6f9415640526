/** The query of a configuration, as one whose solutions have the decision. */

import { type CompileErrors, type Expr, functionName, parseQuery } from '../../../compiler/index.js';

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

/** The complaints about a query as it was written, without those about the decision's variable. */
export function queryProblem({ diagnostics, message: all }: CompileErrors, text: string): string {
  const own = diagnostics.filter(({ message }) => !message.includes(decisionVariable));
  if (own.length === 0) return all;
  const added = decisionQuery(text).length - text.trim().length;
  const lines = own.map(({ code, message, location }) => {
    if (location === undefined) return `${code}: ${message}`;
    const { row, col } = location;
    return `${row}:${row === 1 ? Math.max(1, col - added) : col}: ${code}: ${message}`;
  });
  return own.length === 1 ? `1 error occurred: ${lines[0]}` : `${own.length} errors occurred:\n${lines.join('\n')}`;
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
