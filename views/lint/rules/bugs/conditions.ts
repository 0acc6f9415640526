/** Conditions that say nothing. */

import type { Expr, RefTerm, Term } from '../../../../compiler/index.js';
import { equalTerms, forEachChild } from '../../../../compiler/index.js';
import type { LintRule } from '../../frame/lint-rule.js';
import type { Place } from '../../frame/place.js';
import { comparisons, isBinary, isScalar, nameOf } from '../tree.js';

export const conditionRules: readonly LintRule[] = [
  {
    name: 'constant-condition',
    category: 'bugs',
    finds: 'The condition is constant',
    isFixable: true,
    visit: ({ report }) => ({
      expr: (expr, place) => {
        if (!isConstant(expr) || isOperand(place)) return;
        report(expr.kind === 'term' ? expr.term.loc : expr.loc);
      },
    }),
  },
  {
    name: 'if-empty-object',
    category: 'bugs',
    isOff: true,
    finds: 'The braces behind if are an empty object, not a body',
    visit: ({ report }) => ({
      link: (link) => {
        const object = soleObject(link.body);
        if (link.head.hasIf && object?.type === 'object' && object.entries.length === 0) report(link.loc);
      },
    }),
  },
  {
    name: 'if-object-literal',
    category: 'bugs',
    finds: 'The braces behind if are an object, which always holds',
    visit: ({ report }) => ({
      link: (link) => {
        const object = soleObject(link.body);
        if (link.head.hasIf && object) report(object.loc);
      },
    }),
  },
  {
    name: 'not-equals-in-loop',
    category: 'bugs',
    finds: 'The != holds as soon as one element differs',
    visit: ({ report }) => ({
      call: (call, place) => {
        if (nameOf(call) !== 'neq') return;
        if (
          call.args.some((arg) => arg.type === 'ref' && place.outputsOf(arg).some(({ name }) => name.startsWith('$')))
        )
          report(call.operator.loc);
      },
    }),
  },
  {
    name: 'redundant-existence-check',
    category: 'bugs',
    finds: 'The ref is used beside this check, which finds out the same',
    isFixable: true,
    visit: ({ report }) => ({
      expr: (expr, place) => {
        if (isRedundantCheck(expr, place)) report(expr.loc);
      },
    }),
  },
  {
    name: 'redundant-loop-count',
    category: 'bugs',
    finds: 'The loop below is empty anyway where the count is zero',
    visit: ({ report }) => ({
      expr: (expr, { body, index }) => {
        const counted = countedTerm(expr);
        const next = body?.[index + 1];
        if (counted === undefined || next?.kind !== 'some') return;
        const [symbol] = next.symbols;
        const loop = symbol?.type === 'call' ? symbol.args.at(-1) : undefined;
        if (loop && equalTerms(loop, counted.args[0]!)) report(counted.loc);
      },
    }),
  },
];

/** A scalar or a text with values, a comparison of scalars, or `and` and `or` of such. */
function isConstant(expr: Expr): boolean {
  if (expr.kind === 'term') return isScalar(expr.term) || expr.term.type === 'templatestring';
  if (expr.kind === 'and' || expr.kind === 'or')
    return [expr.lhs, expr.rhs].every((body) => body.length === 1 && isConstant(body[0]!));
  return isBinary(expr, ...comparisons) && expr.args.every(isScalar);
}

/** Whether an expression is the whole of one side of `and` or `or`, which cannot do without it. */
function isOperand({ body, up }: Place): boolean {
  const around = up?.node;
  if (around?.type !== 'expr' || (around.kind !== 'and' && around.kind !== 'or')) return false;
  return body === around.lhs || body === around.rhs;
}

function soleObject(body: readonly Expr[]): Term | undefined {
  const [expr] = body;
  if (body.length !== 1 || expr?.kind !== 'term' || expr.negated) return undefined;
  return expr.term.type === 'object' ? expr.term : undefined;
}

/** The call of `count` in `count(x) > 0` and `count(x) != 0`. */
function countedTerm(expr: Expr): Extract<Term, { type: 'call' }> | undefined {
  if (!isBinary(expr, 'gt', 'neq') || expr.negated) return undefined;
  const [left, right] = expr.args;
  if (left.type !== 'call' || nameOf(left) !== 'count' || left.args.length !== 1) return undefined;
  return right.type === 'number' && right.text === '0' ? left : undefined;
}

/** A bare ref, or argument, that the expression beside it or the head uses too. */
function isRedundantCheck(expr: Expr, place: Place): boolean {
  if (expr.kind !== 'term' || expr.negated || expr.with.length > 0 || place.body === undefined) return false;
  const { term } = expr;
  if (term.type === 'var') return isArgument(term.name, place);
  if (term.type !== 'ref' || place.outputsOf(term).length > 0) return false;
  const { value } = place.link.head;
  if (place.body === place.link.body && value && equalTerms(value, term)) return true;
  return [place.body[place.index - 1], place.body[place.index + 1]].some((other) => other && usesRef(other, term));
}

function isArgument(name: string, { rule, scope }: Place): boolean {
  return (rule.head.args?.length ?? 0) > 0 && scope?.names.get(name)?.[0]?.kind === 'argument';
}

/** Whether an expression reads a ref, or something below it, in order to hold. */
function usesRef(expr: Expr, ref: RefTerm): boolean {
  if (expr.negated || expr.with.length > 0 || (expr.kind !== 'call' && expr.kind !== 'term' && expr.kind !== 'some'))
    return false;
  let found = false;
  const visit = (term: Term): void => {
    if (term.type === 'arraycomprehension' || term.type === 'setcomprehension' || term.type === 'objectcomprehension')
      return;
    if (term.type === 'ref' && isPrefix(ref, term)) found = true;
    forEachChild(term, (child) => {
      if (child.type !== 'expr') visit(child as Term);
    });
  };
  const terms = expr.kind === 'call' ? expr.args : expr.kind === 'term' ? [expr.term] : expr.symbols;
  terms.forEach(visit);
  return found;
}

function isPrefix(short: RefTerm, long: RefTerm): boolean {
  return short.terms.length <= long.terms.length && short.terms.every((term, i) => equalTerms(term, long.terms[i]!));
}
