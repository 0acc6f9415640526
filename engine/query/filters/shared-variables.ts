/** Variables that are left in a residual query: each stands for an unknown or a constant. */

import type { Body, Expr, RefTerm, Term } from '../../../compiler/index.js';
import {
  functionName,
  isLiteral,
  isRootName,
  mapExprChildren,
  mapTermChildren,
  refTerm,
  varsOf,
} from '../../../compiler/index.js';

/**
 * The body without variables that connect its expressions: `x = input.t.a; input.t.b < x` becomes
 * `input.t.b < input.t.a`. A variable that occurs once stays: its equation says that the other side
 * exists.
 */
export function withoutSharedVariables(body: Body): Body {
  let rest = body;
  for (const expr of body) {
    const equation = rest.includes(expr) ? equationOf(expr) : undefined;
    if (equation === undefined) continue;
    const { name, term } = equation;
    const users = rest.filter((other) => other !== expr && mentions(other, name));
    if (users.length === 0) continue;
    // Negated expressions hold too where the column does not exist.
    const isImplied = users.some(({ negated }) => !negated);
    rest = rest
      .filter((other) => other !== expr || !isImplied)
      .map((other) => (users.includes(other) ? (replaced(other, name, term) as Expr) : other));
  }
  return rest;
}

/** `x = term` and `term = x`, where `x` may be put in place of the term. */
function equationOf(expr: Expr): { readonly name: string; readonly term: Term } | undefined {
  if (expr.kind !== 'call' || expr.negated || expr.with.length > 0 || functionName(expr.operator) !== 'eq')
    return undefined;
  const [a, b] = expr.args as [Term, Term];
  for (const [variable, term] of [
    [a, b],
    [b, a],
  ] as const) {
    if (!isVariable(variable) || !(term.type === 'ref' || term.type === 'var' || isLiteral(term))) continue;
    if (!varsOf(term).has(variable.name)) return { name: variable.name, term };
  }
  return undefined;
}

export function isVariable(term: Term): term is Term & { readonly type: 'var' } {
  return term.type === 'var' && !isRootName(term.name);
}

function mentions(expr: Expr, name: string): boolean {
  return varsOf(expr, { skipOperators: true }).has(name);
}

function replaced(node: Expr, name: string, by: Term): Expr {
  const term = (inner: Term): Term => {
    if (inner.type === 'var') return inner.name === name ? by : inner;
    const mapped = mapTermChildren(inner, mapper);
    return mapped.type === 'ref' ? flat(mapped) : mapped;
  };
  const mapper = { term, body: (body: Body) => body.map((expr) => mapExprChildren(expr, mapper)) };
  return mapExprChildren(node, mapper);
}

/** A ref that begins with a ref is one ref. */
function flat(ref: RefTerm): RefTerm {
  const [head, ...path] = ref.terms;
  return head?.type === 'ref' ? refTerm(ref.loc, [...head.terms, ...path]) : ref;
}
