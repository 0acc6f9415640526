/** Terms without infix operators, and the fields, indexes and arguments after them. */

import { booleanTerm, callTerm, nullTerm, refTerm } from '../../ast/make.js';
import { isRootName } from '../../ast/names.js';
import type { Term } from '../../ast/nodes.js';
import { Span } from '../../source/location.js';
import * as t from '../tokens.js';
import { maxChain } from './failure.js';
import { literalString, quotedString } from './leaves.js';
import { many, or } from './lookahead.js';
import { numberToken } from './numbers.js';
import { fitted, type RefParts } from './parts.js';
import type { Alternative } from './rule-parser.js';
import type { Parser, RuleBodies } from './rules.js';

function term($: Parser): Term {
  const piece = $.pieces?.next($, () => $.SUBRULE($.term));
  if (piece !== undefined) return piece;
  $.termAlternatives ??= termAlternatives($);
  const head = $.OR(or.term, $.termAlternatives);
  if (!suffixAhead($)) return head.type === 'var' && isRootName(head.name) ? refTerm(head.loc, [head]) : head;
  if (!canHeadRef(head)) $.fail('illegalRefHead', head.loc, { kind: head.type });
  return termOf($, $.SUBRULE($.suffixes, { ARGS: [head, false] }), head);
}

function termAlternatives($: Parser): readonly Alternative<Term>[] {
  return [
    { ALT: () => $.variable($.CONSUME(t.Identifier)) },
    { ALT: () => quotedString($, $.CONSUME(t.StringLiteral)) },
    { ALT: () => numberToken($, '', $.CONSUME(t.NumberLiteral), $.LA(0)) },
    { ALT: () => $.SUBRULE($.array) },
    { ALT: () => $.SUBRULE($.setOrObject) },
    { ALT: () => booleanTerm($.tokenSpan($.CONSUME(t.True)), true) },
    { ALT: () => booleanTerm($.tokenSpan($.CONSUME(t.False)), false) },
    { ALT: () => nullTerm($.tokenSpan($.CONSUME(t.Null))) },
    { ALT: () => $.variable($.CONSUME(t.Contains)) },
    { ALT: () => $.SUBRULE($.parenthesized) },
    { ALT: () => $.SUBRULE($.negative) },
    { ALT: () => $.SUBRULE($.fraction) },
    { ALT: () => $.SUBRULE($.template) },
  ];
}

function parenthesized($: Parser): Term {
  $.CONSUME(t.LeftParen);
  const inner = $.SUBRULE($.expression);
  if (!$.at(t.RightParen)) $.fail('nonTerminatedExpression', $.tokenSpan($.next), {});
  $.CONSUME(t.RightParen);
  return inner;
}

/** Whether a field, an index or arguments come next. */
export function suffixAhead($: Parser): boolean {
  const { spaceBefore, tokenTypeIdx } = $.next;
  if (spaceBefore) return false;
  return (
    tokenTypeIdx === t.Dot.tokenTypeIdx ||
    tokenTypeIdx === t.LeftBracket.tokenTypeIdx ||
    tokenTypeIdx === t.LeftParen.tokenTypeIdx
  );
}

/** A ref or a call. */
export function termOf($: Parser, { terms, args }: RefParts, head: Term): Term {
  const loc = $.span(head.loc.start);
  const [first] = terms;
  if (!args) return terms.length === 1 ? first : refTerm(loc, terms);
  if (args.length === 0 && terms.length === 1 && first.type === 'var' && first.name === 'set')
    return { type: 'set', loc, items: [] };
  const last = terms.at(-1) ?? first;
  return callTerm(loc, refTerm(new Span($.source, head.loc.start, last.loc.end), terms), args);
}

function suffixes($: Parser, head: Term, isRuleHead: boolean): RefParts {
  let terms: [Term, ...Term[]] = [head];
  let args: Term[] | undefined;
  let isFirst = isRuleHead;
  let calls = 0;
  // Made once for the ref, and not for each part of it.
  const alternatives = [
    {
      ALT: () => {
        const dot = $.CONSUME(t.Dot);
        if ($.next.spaceBefore) $.unexpected('expected identifier', $.spaceAfter(dot));
        if (!$.at(t.Identifier)) $.unexpected('expected identifier');
        terms.push(literalString($, $.CONSUME(t.Identifier)));
      },
    },
    {
      ALT: () => {
        $.CONSUME(t.LeftBracket);
        terms.push($.SUBRULE($.expression));
        $.CONSUME(t.RightBracket);
      },
    },
    {
      ALT: () => {
        const items: Term[] = [];
        $.CONSUME(t.LeftParen);
        if (!$.at(t.RightParen)) $.SUBRULE($.elements, { ARGS: [items, t.RightParen] });
        $.CONSUME(t.RightParen);
        args = fitted(items);
      },
    },
  ];
  $.MANY(many.suffixes, {
    GATE: () => (!$.next.spaceBefore || isFirst) && !(args && $.at(t.LeftParen)),
    DEF: () => {
      isFirst = false;
      // Something follows a call: `f(x).y`.
      if (args) {
        if (++calls > maxChain) $.fail('nestedTooDeeply', $.tokenSpan($.next), {});
        terms = [termOf($, { terms, args }, head)];
        args = undefined;
      }
      $.OR(or.suffixes, alternatives);
    },
  });
  return { terms: fitted(terms), args };
}

function canHeadRef({ type }: Term): boolean {
  return !(
    type === 'ref' ||
    type === 'templatestring' ||
    type === 'string' ||
    type === 'number' ||
    type === 'boolean' ||
    type === 'null'
  );
}

export const termRules = { term, parenthesized, suffixes } satisfies Partial<RuleBodies>;
