/**
 * Constructors: every node of a kind has the same fields in the same order, which keeps property
 * access fast.
 */

import { nowhere, type Span } from '../source/location.js';
import type {
  Body,
  BooleanTerm,
  CallExpr,
  CallTerm,
  Expr,
  NumberTerm,
  Ref,
  RefTerm,
  StringTerm,
  Term,
  TermExpr,
  VarTerm,
  With,
} from './nodes.js';

const noModifiers: readonly With[] = [];

export function nullTerm(loc: Span): Term {
  return { type: 'null', loc };
}

export function booleanTerm(loc: Span, value: boolean): BooleanTerm {
  return { type: 'boolean', loc, value };
}

export function numberTerm(loc: Span, text: string): NumberTerm {
  return { type: 'number', loc, text };
}

export function stringTerm(loc: Span, value: string): StringTerm {
  return { type: 'string', loc, value };
}

export function varTerm(loc: Span, name: string): VarTerm {
  return { type: 'var', loc, name };
}

export function refTerm(loc: Span, terms: Ref): RefTerm {
  return { type: 'ref', loc, terms };
}

/** The first terms of a ref, its head at least. */
export function refPrefix([head, ...keys]: Ref, length: number): Ref {
  return [head, ...keys.slice(0, length - 1)];
}

export function callTerm(loc: Span, operator: RefTerm, args: readonly Term[]): CallTerm {
  return { type: 'call', loc, operator, args };
}

/** `operatorRef(loc, 'internal.member_2')`: a built-in's name as the ref that calls have. */
export function operatorRef(loc: Span, name: string): RefTerm {
  const [head = '', ...keys] = name.split('.');
  return refTerm(loc, [varTerm(loc, head), ...keys.map((key) => stringTerm(loc, key))]);
}

export function termExpr(loc: Span, term: Term, negated = false): TermExpr {
  return { type: 'expr', kind: 'term', loc, negated, generated: false, with: noModifiers, term };
}

export function callExpr(loc: Span, operator: RefTerm, args: readonly Term[], negated = false): CallExpr {
  return { type: 'expr', kind: 'call', loc, negated, generated: false, with: noModifiers, operator, args };
}

const eq = operatorRef(nowhere, 'eq');

/** An equality that no text has. */
export function equalityExpr(args: readonly [Term, Term], negated = false): CallExpr {
  return callExpr(nowhere, eq, args, negated);
}

/** The expression of a term: a call stands at the top of its expression. */
export function exprOf(loc: Span, term: Term, negated = false): TermExpr | CallExpr {
  return term.type === 'call' ? callExpr(loc, term.operator, term.args, negated) : termExpr(loc, term, negated);
}

/** The fields that all kinds of expressions share. */
export function exprBase(loc: Span): Pick<Expr, 'type' | 'loc' | 'negated' | 'generated' | 'with'> {
  return { type: 'expr', loc, negated: false, generated: false, with: noModifiers };
}

/** The body of a rule that has none in the text. */
export function trueBody(loc: Span): Body {
  return [termExpr(loc, booleanTerm(loc, true))];
}
