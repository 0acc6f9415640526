/** Which variables an expression binds, given those that are bound already. */

import type { Body, CallExpr, Expr, Node, RefTerm, Term } from '../ast/nodes.js';
import { varsOf } from '../ast/vars.js';
import { forEachChild } from '../ast/walk.js';
import { addVars, isEquality, wasAssignment } from '../resolve/declared.js';
import { isGenerated } from '../resolve/local-names.js';
import { addPatternVars, type Bound, isBound, isRefBound } from './bound.js';
import { unify } from './unify.js';

export type Arity = (operator: RefTerm) => number | undefined;

/** Takes the names of variables, perhaps one more than once. */
export interface NameSink {
  add(name: string): unknown;
}

/** Adds the variables that matter for safety: not the names of functions, not what closures hold. */
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
      addFrom(node.operator.terms, 1, names);
      addFrom(node.args, 0, names);
      return;
    case 'with':
      if (node.target.type === 'ref') addFrom(node.target.terms, 1, names);
      // A ref as value names a function, or stands for what will be bound before.
      if (node.value.type === 'ref' && !isLocalRef(node.value)) addFrom(node.value.terms, 1, names);
      else addSafetyVars(node.value, names);
      return;
    case 'expr':
      addSafetyVarsOfExpr(node, names);
      if (node.with.length > 0) addFrom(node.with, 0, names);
      return;
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return;
    case 'ref':
      addFrom(node.terms, 0, names);
      return;
    case 'array':
    case 'set':
      addFrom(node.items, 0, names);
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

function addFrom(nodes: readonly Node[], start: number, names: NameSink): void {
  for (let i = start; i < nodes.length; i++) addSafetyVars(nodes[i]!, names);
}

function isLocalRef({ terms }: RefTerm): boolean {
  const head = terms[0]!;
  return head.type === 'var' && isGenerated(head.name);
}

function addSafetyVarsOfExpr(expr: Expr, names: NameSink): void {
  switch (expr.kind) {
    case 'term':
      addSafetyVars(expr.term, names);
      return;
    case 'call':
      addFrom(expr.operator.terms, 1, names);
      addFrom(expr.args, 0, names);
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

/** An operand without braces binds nothing but what was moved out of its calls. */
function addOperandVars(body: Body, names: NameSink): void {
  const needs = new Set<string>();
  for (const expr of body) addSafetyVars(expr, needs);
  for (const expr of body) {
    if (!expr.generated || expr.kind !== 'call') continue;
    const call: CallExpr = expr;
    const output = isEquality(expr) ? call.args[0]! : call.args[call.args.length - 1]!;
    if (output.type === 'var') needs.delete(output.name);
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

/** The variables that a body binds, one expression after another in the order in which they stand. */
export function outputsOfBody(body: Body, arity: Arity, bound: Bound): Set<string> {
  const outputs = new Set<string>();
  const now: Bound = { has: (name) => outputs.has(name) || bound.has(name) };
  for (const expr of body) for (const name of outputsOf(expr, arity, now)) outputs.add(name);
  return outputs;
}

const none: ReadonlySet<string> = new Set();

/** The variables that an expression binds; may hold some that are bound already. */
export function outputsOf(expr: Expr, arity: Arity, bound: Bound): ReadonlySet<string> {
  if (expr.negated) return none;
  if (expr.with.length > 0) {
    for (const name of safetyVars(expr.with)) if (!isBound(name, bound)) return none;
  }
  switch (expr.kind) {
    case 'term':
      return outputsOfTerms([expr.term], bound);
    case 'call': {
      const call: CallExpr = expr;
      return isEquality(expr) ? outputsOfEquality(call, bound) : outputsOfCall(call, arity(call.operator), bound);
    }
    case 'every':
      return outputsOfTerms([expr.domain], bound);
    default:
      return none;
  }
}

const bindsAlways: ReadonlySet<Term['type']> = new Set([
  'string',
  'number',
  'boolean',
  'arraycomprehension',
  'setcomprehension',
  'objectcomprehension',
]);

/** The case that is by far the most frequent: a constant, a comprehension or a ref without variables has a value. */
function bindsAtOnce(term: Term, bound: Bound): boolean {
  if (term.type !== 'ref') return bindsAlways.has(term.type);
  const [head] = term.terms as readonly [Term];
  if (head.type !== 'var' || !isBound(head.name, bound)) return false;
  for (let i = 1; i < term.terms.length; i++) if (term.terms[i]!.type !== 'string') return false;
  return true;
}

/** What is written with `:=` binds from right to left only. */
export function outputsOfEquality(expr: CallExpr, bound: Bound): ReadonlySet<string> {
  const [lhs, rhs] = expr.args as readonly [Term, Term];
  if (lhs.type === 'var' && bindsAtOnce(rhs, bound)) return new Set<string>().add(lhs.name);
  let basis = bound;
  if (wasAssignment(expr)) {
    const targets = new Set<string>();
    addVars(lhs, targets);
    basis = { has: (name) => !targets.has(name) && bound.has(name) };
  }
  const outputs = new Set(outputsOfTerms(expr.args, basis));
  unify({ has: (name) => outputs.has(name) || isBound(name, basis) }, lhs, rhs, outputs);
  return outputs;
}

function outputsOfCall({ args }: CallExpr, arity: number | undefined, bound: Bound): ReadonlySet<string> {
  if (arity === undefined) return none;
  const outputs = outputsOfTerms(args, bound);
  if (arity >= args.length) return outputs;
  const inputs = new Set<string>();
  for (let i = 0; i < arity; i++) addPatternVars(args[i]!, inputs);
  for (const name of inputs) if (!outputs.has(name) && !isBound(name, bound)) return none;
  const all = new Set(outputs);
  for (let i = arity; i < args.length; i++) addPatternVars(args[i]!, all);
  return all;
}

/** The variables that refs with bound heads iterate over. */
function outputsOfTerms(terms: readonly Term[], bound: Bound): ReadonlySet<string> {
  return iterated(terms, bound, undefined) ?? none;
}

/** As `outputsOfTerms`, added to some that are found already. */
function iterated(terms: readonly Term[], bound: Bound, found: Set<string> | undefined): Set<string> | undefined {
  let outputs = found;
  for (let i = 0; i < terms.length; i++) outputs = iteratedBy(terms[i]!, bound, outputs);
  return outputs;
}

function iteratedBy(term: Term, bound: Bound, found: Set<string> | undefined): Set<string> | undefined {
  switch (term.type) {
    case 'ref': {
      if (!isRefBound(term, bound)) return found;
      let outputs = found;
      for (let i = 1; i < term.terms.length; i++) {
        const part = term.terms[i]!;
        if (part.type === 'string') continue;
        outputs ??= new Set();
        if (part.type === 'var') outputs.add(part.name);
        // Not `b` of `a[b[i]]`: a ref does not bind what it looks into.
        else for (const name of varsOf(part, { skipRefHead: true })) outputs.add(name);
        outputs = iteratedBy(part, bound, outputs);
      }
      return iteratedBy(term.terms[0]!, bound, outputs);
    }
    case 'array':
    case 'set':
      return iterated(term.items, bound, found);
    case 'object': {
      let outputs = found;
      for (const { key, value } of term.entries) outputs = iteratedBy(value, bound, iteratedBy(key, bound, outputs));
      return outputs;
    }
    case 'call':
      return iterated(term.args, bound, found);
    default:
      return found;
  }
}
