/** Rules: heads, bodies, `else`. */

import { refTerm } from '../../ast/make.js';
import { isGround } from '../../ast/names.js';
import type { Body, Rule, Term } from '../../ast/nodes.js';
import { printTerm } from '../../ast/print.js';
import type { Token, TokenType } from '../tokens.js';
import * as t from '../tokens.js';
import { Attempt, attempt } from './attempts.js';
import { buildRule, chainedRule, elseRule, headOf } from './heads.js';
import { option, or } from './lookahead.js';
import type { ElseParts, HeadParts, RefParts } from './parts.js';
import type { Parser, RuleBodies } from './rules.js';

/** An `else` is a rule inside a rule. */
const maxElses = 1000;

function rule($: Parser): Rule[] {
  const start = $.next.startOffset;
  const defaultToken = $.OPTION(option.rule, () => $.CONSUME(t.Default));
  if (defaultToken) $.soften();
  const parts = head($);
  if (!defaultToken && ($.at(t.If) || $.at(t.LeftBrace))) return rulesOfBodies($, parts, start);
  return $.ACTION(() => [defaultToken ? buildRule.default(parts, $.span(start), $) : buildRule.withoutBody(parts, $)]);
}

/** A rule with its `else` chain, or a rule for each of several bodies in braces. */
function rulesOfBodies($: Parser, parts: HeadParts, start: number): Rule[] {
  const hasIf = $.at(t.If);
  const body = hasIf ? bodyAfterIf($) : $.SUBRULE($.braces);
  const head = headOf(parts, hasIf);
  const first = buildRule.withBody({ head, body }, elses($, head), $.span(start));
  const rules = [first];
  while ($.at(t.LeftBrace)) {
    if (first.else) $.fail('elseExpected', $.tokenSpan($.next), {});
    const open = $.next;
    const next = $.SUBRULE($.braces);
    rules.push(chainedRule(first, next, $.span(open.startOffset), $));
  }
  return rules;
}

function bodyAfterIf($: Parser): Body {
  $.CONSUME(t.If);
  if (!$.at(t.LeftBrace)) return [$.SUBRULE($.literal)];
  if (mayBeLiteral($, $.next)) {
    const expr = attempt($, Attempt.literalAfterIf, () => {
      const literal = $.SUBRULE($.literal);
      // A set is never false: `{ true }` is meant as a body.
      return literal.kind === 'term' && literal.term.type === 'set' ? undefined : literal;
    });
    if (expr) return [expr];
  }
  return $.SUBRULE($.braces);
}

/** Whether a brace may start an expression, not a body: an object, a comprehension, an operand. */
function mayBeLiteral($: Parser, open: Token): boolean {
  if (open.close < 0) return false;
  if (open.hasColon || open.hasPipe) return true;
  const tokens = $.input;
  if (open.close === open.index + 1) return true;
  const after = tokens[open.close + 1];
  if (after === undefined) return false;
  if (!after.spaceBefore && (after.tokenType === t.Dot || after.tokenType === t.LeftBracket || after.tokenType === t.LeftParen))
    return true;
  return literalContinuations.has(after.tokenType);
}

const literalContinuations: ReadonlySet<TokenType> = new Set([
  t.Infix,
  t.Minus,
  t.Pipe,
  t.In,
  t.Assign,
  t.Unify,
  t.Comma,
  t.LogicalAnd,
  t.LogicalOr,
]);

function elses($: Parser, head: Rule['head']): Rule[] {
  const rules: Rule[] = [];
  while ($.at(t.Else)) {
    $.soften();
    if (!$.at(t.Else)) break;
    const at = $.tokenSpan($.next);
    if (rules.length === 0) {
      if (head.ref.length > 1 && !head.ref.every((term, i) => i === 0 || isGround(term))) $.fail('elseOnVariableHead', at, {});
      if (head.key) $.fail('elseOnMultiValue', at, {});
    }
    if (rules.length >= maxElses) $.fail('nestedTooDeeply', at, {});
    rules.push(elseRule(head, $.SUBRULE($.elseBranch), $));
  }
  return rules;
}

function elseBranch($: Parser): ElseParts {
  const start = $.CONSUME(t.Else);
  let value: Term | undefined;
  let headLoc = $.tokenSpan(start);
  const assign = $.at(t.Assign);
  if (assign || $.at(t.Unify)) {
    $.CONSUME($.next.tokenType);
    value = $.SUBRULE($.expression);
    headLoc = $.span(start.startOffset);
  } else if (!$.at(t.LeftBrace) && !$.at(t.If)) $.unexpected('expected else value term or rule body');
  let body = $.OPTION(option.elseBranch, () => {
    $.CONSUME(t.If);
    if ($.at(t.EOF)) $.unexpected('rule body expected');
    // After `if`, a brace after `else` opens a body, never a set.
    return $.OR(or.elseBranch, [{ ALT: () => $.SUBRULE($.braces), IGNORE_AMBIGUITIES: true }, { ALT: () => [$.SUBRULE($.literal)] }]);
  });
  const hasIf = body !== undefined;
  if (!hasIf && $.at(t.LeftBrace)) body = $.SUBRULE($.braces);
  return { loc: $.span(start.startOffset), headLoc, assign, value, hasIf, body };
}

/** A rule's head up to its body: `p`, `f(x) := y`, `a.b[x] contains y`. */
function head($: Parser): HeadParts {
  const name = $.CONSUME(t.Identifier);
  const variable = $.variable(name);
  let ref: RefParts = { terms: [variable], args: undefined };
  // In a head, a space may stand between the name and the arguments.
  if ($.at(t.Dot) || $.at(t.LeftBracket) || $.at(t.LeftParen)) ref = $.SUBRULE($.suffixes, { ARGS: [variable, true] });
  else if ($.at(t.Infix) || $.at(t.Minus) || $.at(t.Pipe)) $.unexpected();
  const refLoc = $.span(name.startOffset);
  let key: Term | undefined;
  let value: Term | undefined;
  const assign = $.at(t.Assign);
  if (assign || $.at(t.Unify)) {
    $.CONSUME($.next.tokenType);
    try {
      value = $.SUBRULE($.expression);
    } catch (failure) {
      throw $.alsoUnexpected(failure, expectedTerm('value', ref, assign ? ':= <VALUE>' : '= <VALUE>'));
    }
  } else if ($.at(t.Contains)) {
    if (ref.args)
      $.unexpected('the contains keyword can only be used with multi-value rule definitions (e.g., p contains <VALUE> { ... })');
    $.CONSUME(t.Contains);
    try {
      key = $.SUBRULE($.expression);
    } catch (failure) {
      throw $.alsoUnexpected(failure, expectedTerm('key', ref, 'contains <VALUE>'));
    }
  }
  return { loc: $.span(name.startOffset), refLoc, ref: ref.terms, args: ref.args, key, value, assign };
}

/** The missing part of a head, with an example. */
function expectedTerm(part: 'key' | 'value', { terms }: RefParts, example: string): string {
  const name = printTerm(terms.length === 1 ? terms[0]! : refTerm(terms[0]!.loc, terms));
  return `expected rule ${part} term (e.g., ${name} ${example} { ... })`;
}

export const ruleRules = { rule, elseBranch } satisfies Partial<RuleBodies>;
