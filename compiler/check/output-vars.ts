/** The variables that an expression binds, given the bound ones. */

import type { Body, CallExpr, Expr, RefTerm, Term } from '../ast/nodes.js';
import { varsOf } from '../ast/vars.js';
import { addVars, isEquality, wasAssignment } from '../resolve/expression-kinds.js';
import { addPatternVars, type Bound, hasBoundVars, isBound, isRefBound } from './bound.js';
import { bindByUnification } from './bound-by-unification.js';
import { safetyVars } from './safety-vars.js';

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
  for (const key of term.terms.slice(1)) if (key.type !== 'string') return false;
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
  const iterated = iteratedBy(expr.args, basis);
  if (iterated === undefined) return none;
  const outputs = new Set(iterated);
  bindByUnification({ has: (name) => outputs.has(name) || isBound(name, basis) }, lhs, rhs, outputs);
  return outputs;
}

function outputsOfCall({ args }: CallExpr, arity: number | undefined, bound: Bound): ReadonlySet<string> {
  if (arity === undefined) return none;
  const outputs = iteratedBy(args, bound);
  if (outputs === undefined) return none;
  if (arity >= args.length) return outputs;
  // Heads of refs count, too: the result of a call does not bind the variables of its operands.
  for (const name of safetyVars(args.slice(0, arity))) if (!outputs.has(name) && !isBound(name, bound)) return none;
  const all = new Set(outputs);
  for (const arg of args.slice(arity)) addPatternVars(arg, all);
  return all;
}

/** The variables that refs with bound heads iterate over; none if the refs cannot be evaluated. */
function outputsOfTerms(terms: readonly Term[], bound: Bound): ReadonlySet<string> {
  return iteratedBy(terms, bound) ?? none;
}

/**
 * The variables that refs iterate over; undefined if a key of a ref has a set, or an object's key,
 * with a variable that nothing before it binds: such terms cannot be patterns.
 */
function iteratedBy(terms: readonly Term[], bound: Bound): ReadonlySet<string> | undefined {
  const search = new IterationSearch(bound);
  search.visitAll(terms);
  return search.isEvaluable ? (search.outputs ?? none) : undefined;
}

const matchable = { skipRefHead: true, skipSets: true, skipObjectKeys: true, skipClosures: true };

/** Visits terms in the order of their evaluation. */
class IterationSearch {
  readonly #bound: Bound;
  outputs: Set<string> | undefined;
  isEvaluable = true;

  constructor(bound: Bound) {
    this.#bound = bound;
  }

  visitAll(terms: readonly Term[]): void {
    for (const term of terms) this.#visit(term);
  }

  #visit(term: Term): void {
    switch (term.type) {
      case 'ref':
        if (isRefBound(term, this.#bound)) this.#ref(term);
        return;
      case 'array':
      case 'set':
        this.visitAll(term.items);
        return;
      case 'object':
        for (const { key, value } of term.entries) {
          this.#visit(key);
          this.#visit(value);
        }
        return;
      case 'call':
        this.visitAll(term.args);
        return;
      default:
        return;
    }
  }

  #ref({ terms }: RefTerm): void {
    const [head, ...keys] = terms;
    this.#visit(head);
    for (const key of keys) {
      if (key.type !== 'string') this.#key(key, (this.outputs ??= new Set()));
    }
  }

  /** A key is a pattern: its parts are matched in order. */
  #key(key: Term, outputs: Set<string>): void {
    switch (key.type) {
      case 'var':
        outputs.add(key.name);
        return;
      case 'array':
        for (const item of key.items) this.#key(item, outputs);
        return;
      case 'object':
        for (const entry of key.entries) {
          this.#expectBound(entry.key);
          this.#key(entry.value, outputs);
        }
        return;
      case 'set':
        this.#expectBound(key);
        return;
      default:
        // Not `b` of `a[b[i]]`: a ref does not bind its head.
        this.#visit(key);
        for (const name of varsOf(key, matchable)) outputs.add(name);
    }
  }

  #expectBound(term: Term): void {
    this.#visit(term);
    const { outputs } = this;
    if (!hasBoundVars(term, { has: (name) => outputs?.has(name) === true || this.#bound.has(name) }))
      this.isEvaluable = false;
  }
}
