/** The variables that an expression binds, given the bound ones. */

import type { Body, CallExpr, Expr, RefTerm, Term } from '../ast/nodes.js';
import { varsOf } from '../ast/vars.js';
import { addVars, isEquality, wasAssignment } from '../resolve/declared.js';
import { addPatternVars, type Bound, isBound, isRefBound } from './bound.js';
import { safetyVars } from './safety-vars.js';
import { unify } from './unify.js';

export type Arity = (operator: RefTerm) => number | undefined;

/**
 * The variables that a body binds, one expression after another in the order in which they stand.
 */
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

/**
 * The case that is by far the most frequent: a constant, a comprehension or a ref without variables
 * has a value.
 */
function bindsAtOnce(term: Term, bound: Bound): boolean {
  if (term.type !== 'ref') return bindsAlways.has(term.type);
  const [head] = term.terms as readonly [Term];
  if (head.type !== 'var' || !isBound(head.name, bound)) return false;
  for (let i = 1; i < term.terms.length; i++) if (term.terms[i]!.type !== 'string') return false;
  return true;
}

/** `:=` binds from right to left only. */
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

const matchable = { skipRefHead: true, skipSets: true, skipObjectKeys: true, skipClosures: true };

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
        // Not `b` of `a[b[i]]`: a ref does not bind its head. Nor variables of terms that cannot
        // be patterns.
        else for (const name of varsOf(part, matchable)) outputs.add(name);
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
