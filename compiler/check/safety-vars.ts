/** The variables that a node needs to be bound where it stands. */

import type { Body, Expr, Node, RefTerm } from '../ast/nodes.js';
import { forEachChild } from '../ast/walk.js';
import { isEquality } from '../resolve/expression-kinds.js';
import { isGeneratedName } from '../resolve/local-names.js';

/** Takes the names of variables, perhaps one more than once. */
export interface NameSink {
  add(name: string): unknown;
}

/**
 * Adds the variables that matter for safety: neither names of functions nor variables of closures.
 */
export function addSafetyVars(node: Node, names: NameSink): void {
  switch (node.type) {
    case 'var':
      names.add(node.name);
      return;
    case 'arraycomprehension':
    case 'setcomprehension':
    case 'objectcomprehension':
      return;
    case 'call':
      addAll(node.operator.terms.slice(1), names);
      addAll(node.args, names);
      return;
    case 'with':
      if (node.target.type === 'ref') addAll(node.target.terms.slice(1), names);
      // A ref as value names a function, or will be bound before the expression.
      if (node.value.type === 'ref' && !isLocalRef(node.value)) addAll(node.value.terms.slice(1), names);
      else addSafetyVars(node.value, names);
      return;
    case 'expr':
      addSafetyVarsOfExpr(node, names);
      if (node.with.length > 0) addAll(node.with, names);
      return;
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return;
    case 'ref':
      addAll(node.terms, names);
      return;
    case 'array':
    case 'set':
      addAll(node.items, names);
      return;
    case 'object':
      for (const { key, value } of node.entries) {
        addSafetyVars(key, names);
        addSafetyVars(value, names);
      }
      return;
    default:
      forEachChild(node, (child) => addSafetyVars(child, names));
  }
}

function addAll(nodes: readonly Node[], names: NameSink): void {
  for (const node of nodes) addSafetyVars(node, names);
}

function isLocalRef({ terms }: RefTerm): boolean {
  const head = terms[0];
  return head.type === 'var' && isGeneratedName(head.name);
}

function addSafetyVarsOfExpr(expr: Expr, names: NameSink): void {
  switch (expr.kind) {
    case 'term':
      addSafetyVars(expr.term, names);
      return;
    case 'call':
      addAll(expr.operator.terms.slice(1), names);
      addAll(expr.args, names);
      return;
    case 'some':
      for (const symbol of expr.symbols) addSafetyVars(symbol, names);
      return;
    case 'every':
      addSafetyVars(expr.domain, names);
      return;
    case 'not':
      if (!expr.explicit) addOperandVars(expr.body, names);
      return;
    case 'and':
    case 'or':
      if (!expr.explicitLhs) addOperandVars(expr.lhs, names);
      if (!expr.explicitRhs) addOperandVars(expr.rhs, names);
  }
}

/** An operand without braces binds only the outputs moved out of its calls. */
function addOperandVars(body: Body, names: NameSink): void {
  const needs = new Set<string>();
  for (const expr of body) addSafetyVars(expr, needs);
  for (const expr of body) {
    if (!expr.generated || expr.kind !== 'call') continue;
    const output = expr.args.at(isEquality(expr) ? 0 : -1);
    if (output?.type === 'var') needs.delete(output.name);
  }
  for (const name of needs) names.add(name);
}

/** The variables of a node that matter for safety. */
export function safetyVars(node: Node | readonly Node[]): Set<string> {
  const names = new Set<string>();
  if (Array.isArray(node)) for (const each of node) addSafetyVars(each, names);
  else addSafetyVars(node as Node, names);
  return names;
}
