/** Small questions about expressions that several stages ask. */

import type { Body, CallExpr, Expr, Node, RefTerm, Term } from '../ast/nodes.js';
import { forEachChild } from '../ast/walk.js';

/** Whether an operator is the built-in of one word. */
export function isOperator({ terms }: RefTerm, name: string): boolean {
  const head = terms[0];
  return terms.length === 1 && head.type === 'var' && head.name === name;
}

/** A call of two operands. */
interface BinaryCall extends CallExpr {
  readonly args: readonly [Term, Term];
}

/** `x := y`, before it is rewritten. */
export function isAssignment(expr: Expr): expr is BinaryCall {
  return expr.kind === 'call' && expr.args.length === 2 && isOperator(expr.operator, 'assign');
}

/** A unification of two operands; assignments are among them once they are rewritten. */
export function isEquality(expr: Expr): expr is BinaryCall {
  return expr.kind === 'call' && expr.args.length === 2 && isOperator(expr.operator, 'eq');
}

/** Whether a unification was written as an assignment: the operator keeps its place in the text. */
export function wasAssignment({ operator: { loc } }: CallExpr): boolean {
  return loc.source.text.startsWith(':=', loc.start) && loc.end === loc.start + 2;
}

/** The document `input` or `data` alone. */
export function rootName(term: Term): 'data' | 'input' | undefined {
  if (term.type !== 'ref' || term.terms.length !== 1) return undefined;
  const head = term.terms[0];
  return head.type === 'var' && (head.name === 'data' || head.name === 'input') ? head.name : undefined;
}

export function isComprehension({ type }: Term): boolean {
  return type === 'arraycomprehension' || type === 'setcomprehension' || type === 'objectcomprehension';
}

/** Adds all variables in a node. */
export function addVars(node: Node, names: Set<string>): void {
  switch (node.type) {
    case 'var':
      names.add(node.name);
      return;
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return;
    case 'ref':
      for (const term of node.terms) addVars(term, names);
      return;
    default:
      forEachChild(node, (child) => addVars(child, names));
  }
}

/**
 * The variables that a body declares by `:=` and `some`, those of the bodies of `every` among them
 * but not those of comprehensions.
 */
export function varsDeclaredIn(body: Body, names: Set<string> = new Set()): Set<string> {
  for (const expr of body) {
    switch (expr.kind) {
      case 'call':
        if (isAssignment(expr)) addVars(expr.args[0], names);
        break;
      case 'some':
        for (const symbol of expr.symbols) addSymbol(symbol, names);
        break;
      case 'every':
      case 'not':
        varsDeclaredIn(expr.body, names);
        break;
      case 'and':
      case 'or':
        varsDeclaredIn(expr.lhs, names);
        varsDeclaredIn(expr.rhs, names);
    }
  }
  return names;
}

/** `x` and `x in xs`; the collection declares nothing. */
function addSymbol(symbol: Term, names: Set<string>): void {
  if (symbol.type !== 'call') addVars(symbol, names);
  else for (const pattern of symbol.args.slice(0, -1)) addVars(pattern, names);
}

/** Whether a term has refs or comprehensions in it, which need evaluation. */
export function requiresEval(term: Term): boolean {
  switch (term.type) {
    case 'ref':
    case 'arraycomprehension':
    case 'setcomprehension':
    case 'objectcomprehension':
      return true;
    case 'array':
    case 'set':
      return term.items.some(requiresEval);
    case 'object':
      return term.entries.some(({ key, value }) => requiresEval(key) || requiresEval(value));
    case 'call':
      return true;
    default:
      return false;
  }
}
