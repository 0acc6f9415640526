/**
 * Calls: of functions that are there, with as many operands as they take, and not where there is no
 * result.
 */

import type { CallExpr, Node, Rule, Term } from '../ast/nodes.js';
import { printRef, printTerm } from '../ast/print.js';
import { forEachChild, type Mapper, mapTermChildren, walk } from '../ast/walk.js';
import type { Diagnostic } from '../diagnostics/diagnostics.js';
import { isEquality } from '../resolve/expression-kinds.js';
import { isCapture, isGeneratedName } from '../resolve/local-names.js';
import { arityOf, type Context, report } from '../resolve/working-module.js';
import type { Types } from './rule-types.js';
import { argumentError } from './typing/details.js';
import { Globals, TypeScope } from './typing/env.js';

/** A built-in without a result (`print`) is no value. */
export function checkVoidCalls(nodes: Iterable<Node>, context: Context): void {
  for (const node of nodes)
    walk(node, (inner) => {
      if (inner.type !== 'call') return;
      const known = context.builtins.of(inner.operator);
      if (known && known.result === undefined) report(context, 'usedAsValue', inner.loc, { call: printTerm(inner) });
    });
}

/** The nodes of a rule's link that hold expressions. */
export function partsOf(link: Rule): readonly Node[] {
  return [link.head, ...link.body];
}

/** Reports calls of functions that are not there and calls with too few or too many operands. */
export function checkFunctions(nodes: Iterable<Node>, context: Context): void {
  const visit = (node: Node): void => {
    switch (node.type) {
      case 'var':
      case 'string':
      case 'number':
        return;
      case 'ref':
        for (const term of node.terms) visit(term);
        return;
    }
    if (node.type === 'expr' && node.kind === 'call') {
      if (!checkCall(node, context)) return;
      visit(node.operator);
      for (const arg of node.args) visit(arg);
      for (const modifier of node.with) visit(modifier);
      return;
    }
    forEachChild(node, visit);
  };
  for (const node of nodes) visit(node);
}

function checkCall(expr: CallExpr, context: Context): boolean {
  const { operator, args, loc } = expr;
  // Where the author wrote no `=`, capabilities need not have it.
  if (isEquality(expr) && (expr.generated || isCaptured(expr))) return true;
  const arity = arityOf(context, operator);
  if (arity === undefined) {
    report(context, 'undefinedFunction', loc, { name: writtenRef(operator.terms, context) });
    return false;
  }
  const hasResult = expr.generated;
  if (args.length === arity + 1 || (args.length === arity && !hasResult)) return true;
  const name = writtenRef(operator.terms, context);
  const error = arityError(expr, name, context);
  if (error) context.diagnostics.add(error);
  else report(context, 'arity', loc, { name, want: arity, have: hasResult ? args.length - 1 : args.length });
  return false;
}

/** Whether a call binds the value of a query's expression. */
function isCaptured({ args: [, value] }: CallExpr): boolean {
  return value?.type === 'var' && isCapture(value.name);
}

/** A ref with the variables that the author wrote. */
function writtenRef(terms: readonly Term[], context: Context): string {
  const mapper: Mapper = {
    term: (term) => {
      if (term.type !== 'var') return mapTermChildren(term, mapper);
      return isGeneratedName(term.name) ? { ...term, name: context.locals.written(term.name) } : term;
    },
    body: (body) => body,
  };
  return printRef(terms.map(mapper.term));
}

/** A body's context, with the types of rules if they have been checked: for queries. */
interface CallContext extends Context {
  readonly ruleTypes?: Types | undefined;
}

/**
 * Undefined for a function of which only the number of parameters is known, as that of a policy
 * whose types are not checked yet.
 */
function arityError({ operator, args, loc }: CallExpr, name: string, context: CallContext): Diagnostic | undefined {
  const { ruleTypes } = context;
  const globals = ruleTypes?.globals ?? new Globals(context.builtins);
  const scope = new TypeScope(globals, () => undefined);
  const type = globals.function(operator) ?? scope.typeOfRef(operator);
  if (type?.kind !== 'function') return undefined;
  const have = args.map((arg) => scope.typeOf(arg));
  return argumentError('builtinArity', loc, { name, have, want: type, withResult: false }).diagnostic;
}
