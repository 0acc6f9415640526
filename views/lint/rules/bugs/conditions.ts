/** Conditions that say nothing. */

import type { Expr, ObjectTerm, RefTerm, Rule, Term, TermExpr } from '../../../../compiler/index.js';
import { equalTerms } from '../../../../compiler/index.js';
import type { LintRule } from '../../frame/lint-rule.js';
import type { NodePlace } from '../../frame/place.js';
import {
  comparisons,
  isAnyWildcard,
  isBinary,
  isInterpolated,
  isScalar,
  isStaticRef,
  lacksKeyword,
  nameOf,
} from '../tree.js';

export const conditionRules: readonly LintRule[] = [
  {
    name: 'constant-condition',
    category: 'bugs',
    finds: 'The condition is constant',
    isFixable: true,
    visit: ({ report }) => ({
      expr: (expr, place) => {
        if (!isConstant(expr) || isOperand(place)) return;
        report(expr.kind === 'term' ? expr.term : expr.loc);
      },
    }),
  },
  {
    name: 'if-empty-object',
    category: 'bugs',
    isOff: true,
    finds: 'The braces behind if are an empty object, not a body',
    unless: lacksKeyword('if'),
    visit: ({ report }) => ({
      rule: (rule) => {
        const object = soleObject(rule);
        if (object?.entries.length === 0) report(rule.loc);
      },
    }),
  },
  {
    name: 'if-object-literal',
    category: 'bugs',
    finds: 'The braces behind if are an object, which always holds',
    unless: lacksKeyword('if'),
    visit: ({ report }) => ({
      rule: (rule) => {
        const object = soleObject(rule);
        if (object) report(object);
      },
    }),
  },
  {
    name: 'not-equals-in-loop',
    category: 'bugs',
    finds: 'The != holds as soon as one element differs',
    visit: ({ report }) => ({
      expr: (expr, place) => {
        if (isBinary(expr, 'neq') && !isInterpolated(place) && expr.args.some(loopsByWildcard))
          report(expr.operator.loc);
      },
    }),
  },
  {
    name: 'redundant-existence-check',
    category: 'bugs',
    finds: 'The ref is used beside this check, which finds out the same',
    isFixable: true,
    visit: ({ report }) => ({
      rule: (rule) => {
        if (rule.generatedBody) return;
        rule.body.forEach((expr, i) => {
          if (isRedundantCheck(expr, i, rule)) report((expr as TermExpr).term);
        });
      },
    }),
  },
  {
    name: 'redundant-loop-count',
    category: 'bugs',
    finds: 'The loop below is empty anyway where the count is zero',
    visit: ({ report }) => ({
      rule: ({ body }) => {
        body.forEach((expr, i) => {
          const counted = countedTerm(expr);
          const next = body[i + 1];
          if (counted === undefined || next?.kind !== 'some') return;
          const [symbol] = next.symbols;
          const loop = symbol?.type === 'call' ? symbol.args.at(-1) : undefined;
          if (loop?.type === 'ref' && equalTerms(loop, counted.args[0]!)) report(counted);
        });
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
function isOperand({ body, up }: NodePlace): boolean {
  const around = up?.node;
  if (around?.type !== 'expr' || (around.kind !== 'and' && around.kind !== 'or')) return false;
  return body === around.lhs || body === around.rhs;
}

function soleObject({ body }: Rule): ObjectTerm | undefined {
  const [expr] = body;
  return body.length === 1 && expr?.kind === 'term' && expr.term.type === 'object' ? expr.term : undefined;
}

/** Whether a term is a ref with a wildcard. */
function loopsByWildcard(term: Term): boolean {
  return term.type === 'ref' && term.terms.some(isAnyWildcard);
}

/** The call of `count` in `count(x) > 0` and `count(x) != 0`. */
function countedTerm(expr: Expr): Extract<Term, { type: 'call' }> | undefined {
  if (!isBinary(expr, 'gt', 'neq') || expr.negated) return undefined;
  const [left, right] = expr.args;
  if (left.type !== 'call' || nameOf(left) !== 'count' || left.args.length !== 1) return undefined;
  return right.type === 'number' && right.text === '0' ? left : undefined;
}

/** A bare ref that the call beside it or the head uses too, or a bare argument. */
function isRedundantCheck(expr: Expr, index: number, { head, body }: Rule): boolean {
  if (expr.kind !== 'term' || expr.negated) return false;
  const { term } = expr;
  if (term.type === 'var') return head.args?.some((arg) => arg.type === 'var' && arg.name === term.name) === true;
  if (term.type !== 'ref' || expr.with.length > 0) return false;
  if (head.value?.type === 'ref' && isPrefix(term, head.value)) return true;
  if (!isStaticRef(term)) return false;
  return [body[index - 1], body[index + 1]].some((other) => other !== undefined && callsWith(other, term));
}

/** Whether a call has a ref, or something below it, as an operand. */
function callsWith(expr: Expr, ref: RefTerm): boolean {
  if (expr.kind !== 'call' || expr.negated || expr.with.length > 0) return false;
  return [expr.operator, ...expr.args].some((term) => term.type === 'ref' && isPrefix(ref, term));
}

function isPrefix(short: RefTerm, long: RefTerm): boolean {
  return short.terms.length <= long.terms.length && short.terms.every((term, i) => equalTerms(term, long.terms[i]!));
}
