/** `some` and `every`. */

import { exprBase } from '../../ast/make.js';
import { functionName } from '../../ast/names.js';
import type { CallTerm, Expr, Term, VarTerm } from '../../ast/nodes.js';
import * as t from '../tokens.js';
import { Attempt, attempt } from './attempts.js';
import { list } from './lookahead.js';
import type { Parser, RuleBodies } from './rules.js';

function someDeclaration($: Parser): Expr {
  const start = $.CONSUME(t.Some);
  const membership = onlyNames($) ? undefined : attempt($, Attempt.some, () => membershipAhead($));
  if (membership?.type === 'call') {
    membershipOf($, membership, 'expected `x in xs` or `x, y in xs` expression');
    return { ...exprBase($.span(start.startOffset)), kind: 'some', symbols: [membership] };
  }
  const symbols: Term[] = [];
  $.AT_LEAST_ONE_SEP(list.someDeclaration, {
    SEP: t.Comma,
    DEF: () => {
      if (!$.at(t.Identifier)) $.unexpected('expected var');
      symbols.push($.variable($.CONSUME(t.Identifier)));
    },
  });
  return { ...exprBase($.span(start.startOffset)), kind: 'some', symbols };
}

/** A call; undefined for other terms. */
function membershipAhead($: Parser): Term | undefined {
  const term = $.SUBRULE($.expression);
  return term.type === 'call' ? term : undefined;
}

/** Whether a list of names and no membership comes next, without reading it. */
function onlyNames($: Parser): boolean {
  for (let i = 1; ; i += 2) {
    if ($.LA(i).tokenType !== t.Identifier) return false;
    const after = $.LA(i + 1);
    if (after.tokenType === t.Comma) continue;
    return after.tokenType !== t.In && !$.touches($.LA(i), after) && after.tokenType !== t.LeftParen;
  }
}

function everyExpression($: Parser): Expr {
  const start = $.CONSUME(t.Every);
  const term = $.SUBRULE($.expression);
  const expected = 'expected `x[, y] in xs { ... }` expression';
  if (term.type !== 'call') return $.unexpected(expected);
  const { key, value, domain } = membershipOf($, term, expected);
  if (key && key.type !== 'var') $.unexpected('expected key to be a variable');
  if (value.type !== 'var') return $.unexpected('expected value to be a variable');
  if (!$.at(t.LeftBrace)) $.unexpected('missing body');
  const body = $.SUBRULE($.braces);
  return {
    ...exprBase($.span(start.startOffset)),
    kind: 'every',
    key: key as VarTerm | undefined,
    value,
    domain,
    body,
  };
}

interface Membership {
  readonly key: Term | undefined;
  readonly value: Term;
  readonly domain: Term;
}

/** The operands of `in`, which may be called by the name of its built-in; fails for other calls. */
function membershipOf($: Parser, { operator, args }: CallTerm, expected: string): Membership {
  const name = functionName(operator);
  if (name === 'internal.member_2') {
    const [value, domain] = args;
    if (value !== undefined && domain !== undefined && args.length === 2) return { key: undefined, value, domain };
  } else if (name === 'internal.member_3') {
    const [key, value, domain] = args;
    if (value !== undefined && domain !== undefined && args.length === 3) return { key, value, domain };
  } else return $.unexpected(expected);
  return $.unexpected('illegal domain');
}

export const iterationGrammar = { someDeclaration, everyExpression } satisfies Partial<RuleBodies>;
