/**
 * The solutions of a query in the order in which they are found, each as often as it is found. A
 * plan's results are a set, so the solutions get numbers.
 */

import type { CallExpr, CompiledQuery, Expr } from '../../compiler/index.js';
import { callExpr, functionName, operatorRef, varTerm } from '../../compiler/index.js';
import { type Builtin, builtin, number, type PlainObject, type Value } from '../../values/index.js';

/** Policies and queries cannot name this variable. */
const variable = '#solution';

/** Goes on from one evaluation to the next: numbers need only differ within one. */
let count = 0;

/** Numbers solutions. Only queries changed by `numbered` call it; policies cannot. */
export const solutionNumber: Builtin = builtin('internal.solution', [], number, () => count++);

/** A compiled query whose solutions are told apart by a number. */
export function numbered(query: CompiledQuery): CompiledQuery {
  // A query has an expression.
  const { loc } = query.body[0]!;
  const call: CallExpr = {
    ...callExpr(loc, operatorRef(loc, solutionNumber.name), [varTerm(loc, variable)]),
    generated: true,
  };
  return { ...query, body: [...query.body, call] };
}

/** Whether an expression is the call that `numbered` adds. */
export function isSolutionNumber(expr: Expr | undefined): boolean {
  return expr?.kind === 'call' && functionName(expr.operator) === solutionNumber.name;
}

/** The variables of numbered solutions, in order. */
export function inOrder(solutions: readonly Value[]): readonly PlainObject[] {
  const list = solutions as readonly PlainObject[];
  const sorted = list.length < 2 ? list : list.toSorted((a, b) => (a[variable] as number) - (b[variable] as number));
  return sorted.map((solution) => Object.fromEntries(Object.entries(solution).filter(([name]) => name !== variable)));
}
