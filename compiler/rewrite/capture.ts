/**
 * A query's expressions rewritten so that they bind their values: a query has a solution where
 * its expressions are defined, even if they are false.
 */

import { callExpr, operatorRef, termExpr, varTerm } from '../ast/make.js';
import type { Body, CallExpr, Expr, Ref, Term } from '../ast/nodes.js';
import { walk } from '../ast/walk.js';
import { BuiltinTable, builtinName } from '../resolve/builtin-table.js';
import type { Compiled } from '../resolve/compiled.js';
import { hiddenCaptureMark } from '../resolve/local-names.js';
import { childOf, type RuleTree } from '../resolve/tree.js';

/**
 * A query that captures: `values` has the variable of each expression that was rewritten, by its
 * position in the query as given.
 */
export interface Captured {
  readonly body: Body;
  readonly values: ReadonlyMap<number, string>;
}

interface CaptureOptions {
  /** The variable for the expression at a position; wildcards by default, which no plan answers. */
  readonly variable?: (position: number) => string;
  /** The full ref of a function that a package or an import makes known by a shorter one. */
  readonly resolve?: (operator: Ref) => readonly Term[];
}

/**
 * Rewrites a parsed query: `1 == 2` binds false instead of failing. Where the query has several
 * expressions or iterates, the value of an expression must still not be false, as in a rule's
 * body.
 */
export function captureValues(query: Body, compiled: Compiled, options: CaptureOptions = {}): Captured {
  const { variable = (position) => `${hiddenCaptureMark}${position}`, resolve = (operator) => operator } = options;
  const table = new BuiltinTable(compiled.options.capabilities, compiled.options.builtins);
  const filters = query.length > 1 || query.some((expr) => iterates(expr, table));
  const values = new Map<number, string>();
  const body: Expr[] = [];
  const tests: Expr[] = [];
  query.forEach((expr, i) => {
    const name = variable(i);
    const captured = expr.negated ? undefined : capture(expr, name, table, compiled.ruleTree, resolve);
    body.push(captured ?? expr);
    if (captured === undefined) return;
    values.set(i, name);
    if (filters) tests.push({ ...termExpr(expr.loc, varTerm(expr.loc, name)), generated: true });
  });
  return { body: [...body, ...tests], values };
}

function capture(
  expr: Expr,
  name: string,
  table: BuiltinTable,
  rules: RuleTree,
  resolve: NonNullable<CaptureOptions['resolve']>,
): Expr | undefined {
  const { loc } = expr;
  if (expr.kind === 'term')
    return { ...callExpr(loc, operatorRef(loc, 'eq'), [expr.term, varTerm(loc, name)]), with: expr.with };
  if (expr.kind !== 'call' || isEquality(expr)) return undefined;
  const { operator, args } = expr;
  const builtin = table.of(operator);
  if (builtin !== undefined && builtin.result === undefined) return undefined;
  const arity = builtin === undefined ? functionArity(resolve(operator.terms), rules) : builtin.args.length;
  return arity === args.length ? { ...expr, args: [...args, varTerm(loc, name)] } : undefined;
}

function isEquality({ operator }: CallExpr): boolean {
  const name = builtinName(operator.terms);
  return name === 'eq' || name === 'assign';
}

function functionArity(terms: readonly Term[], rules: RuleTree): number | undefined {
  let node: RuleTree | undefined = rules;
  for (const term of terms.slice(1)) node = node && childOf(node, term);
  return node?.rules[0]?.rule.head.args?.length;
}

/** Whether an expression runs over a document, comprehensions not counted. */
function iterates(expr: Expr, table: BuiltinTable): boolean {
  let found = false;
  walk(expr, (node) => {
    if (found || node.type.endsWith('comprehension')) return false;
    if (node.type === 'ref')
      found = table.of(node)?.relation === true || node.terms.some((term, i) => i > 0 && term.type === 'var');
    return !found;
  });
  return found;
}
