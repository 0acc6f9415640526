/** Rules: heads, bodies, `else`. */

import { isGround } from '../../ast/names.js';
import type { Body, Rule, Term } from '../../ast/nodes.js';
import type { Token, TokenType } from '../tokens.js';
import * as t from '../tokens.js';
import { Attempt, attempt } from './attempts.js';
import { maxBranches } from './failure.js';
import { buildRule, chainedRule, elseRule, headOf, refHeadText, ruleOfBody } from './heads.js';
import { atLogical } from './logic.js';
import { option, or } from './lookahead.js';
import type { ElseParts, HeadParts, RefParts } from './parts.js';
import type { Parser, RuleBodies } from './rules.js';

function rule($: Parser): Rule[] {
  const { position, wildcards } = $;
  const start = $.next.startOffset;
  const defaultToken = $.OPTION(option.rule, () => $.CONSUME(t.Default));
  if (defaultToken) $.soften();
  const parts = head($, defaultToken !== undefined);
  if (parts.ref[0].type === 'call') return noRule($, parts);
  if (defaultToken) return $.ACTION(() => [buildRule.default(parts, $.span(start), $)]);
  if ($.at(t.If) || $.at(t.LeftBrace)) return rulesOfBodies($, parts, start);
  if (!parts.key && (queryGoesOn($, parts) || isNameApart($, position, parts))) {
    $.moveTo(position);
    $.wildcards = wildcards;
    const query = $.SUBRULE($.statementQuery);
    ruleOfBody(query, $);
    return [];
  }
  const rule = $.ACTION(() => buildRule.withoutBody(parts, $));
  return rule ? [rule] : [];
}

/** `f(x).y := 1`: reads the body, if there is one, and complains. */
function noRule($: Parser, { ref, refLoc }: HeadParts): Rule[] {
  if ($.at(t.If)) bodyAfterIf($);
  else if ($.at(t.LeftBrace)) $.SUBRULE($.braces);
  $.noRule(refLoc, `invalid rule head: ${refHeadText(ref)}`);
  return [];
}

/** Whether more follows than the head of a rule without a body: the statement is a query. */
function queryGoesOn($: Parser, { value }: HeadParts): boolean {
  if ($.at(t.With) || $.at(t.Semicolon) || atLogical($)) return true;
  return !value && ($.at(t.Infix) || $.at(t.Minus) || $.at(t.Pipe) || $.at(t.In) || $.at(t.Comma));
}

/** Whether a space stands behind the name of a head without body and value: `p [1]` is no rule. */
function isNameApart($: Parser, start: number, { value }: HeadParts): boolean {
  const after = $.input[start + 1];
  if (value || !after?.spaceBefore) return false;
  return after.tokenType === t.LeftBracket || after.tokenType === t.Dot || after.tokenType === t.LeftParen;
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
  if (
    !after.spaceBefore &&
    (after.tokenType === t.Dot || after.tokenType === t.LeftBracket || after.tokenType === t.LeftParen)
  )
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
      if (head.ref.length > 1 && !head.ref.every((term, i) => i === 0 || isGround(term)))
        $.fail('elseOnVariableHead', at, {});
      if (head.key) $.fail('elseOnMultiValue', at, {});
    }
    if (rules.length >= maxBranches) $.fail('nestedTooDeeply', at, {});
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
    return $.OR<Body>(or.elseBranch, [
      { ALT: () => $.SUBRULE($.braces), IGNORE_AMBIGUITIES: true },
      { ALT: () => [$.SUBRULE($.literal)] },
    ]);
  });
  const hasIf = body !== undefined;
  if (!hasIf && $.at(t.LeftBrace)) body = $.SUBRULE($.braces);
  return { loc: $.span(start.startOffset), headLoc, assign, value, hasIf, body };
}

/** A rule's head up to its body: `p`, `f(x) := y`, `a.b[x] contains y`. */
function head($: Parser, isDefault: boolean): HeadParts {
  const name = $.CONSUME(t.Identifier);
  const variable = $.variable(name);
  let ref: RefParts = { terms: [variable], args: undefined };
  // In a head, spaces may stand between the name and its key, its field or its arguments.
  if ($.at(t.Dot) || $.at(t.LeftBracket) || $.at(t.LeftParen)) ref = $.SUBRULE($.suffixes, { ARGS: [variable, true] });
  else if (!$.next.spaceBefore && ($.at(t.Infix) || $.at(t.Minus) || $.at(t.Pipe))) $.unexpected();
  const isFunction = ref.args !== undefined && ref.args.length > 0;
  if (ref.args && ref.terms[0].type === 'call') $.unexpected(`rule head ref ${refHeadText(ref.terms)} invalid`);
  const refLoc = $.span(name.startOffset);
  let key: Term | undefined;
  let value: Term | undefined;
  const assign = $.at(t.Assign);
  if (assign || $.at(t.Unify)) {
    $.CONSUME($.next.tokenType);
    $.harden();
    try {
      value = $.SUBRULE($.expression);
    } catch (failure) {
      throw $.alsoUnexpected(failure, expectedValue(refHeadText(ref.terms), assign, isFunction, isDefault));
    }
  } else if ($.at(t.Contains)) {
    if (ref.args)
      $.unexpected(
        `the contains keyword can only be used with multi-value rule definitions (e.g., ${refHeadText(ref.terms)} contains <VALUE> { ... })`,
      );
    $.CONSUME(t.Contains);
    try {
      key = $.SUBRULE($.expression);
    } catch (failure) {
      throw $.alsoUnexpected(
        failure,
        `expected rule key term (e.g., ${refHeadText(ref.terms)} contains <VALUE> { ... })`,
      );
    }
  }
  return { loc: $.span(name.startOffset), refLoc, ref: ref.terms, args: ref.args, key, value, assign };
}

/** The missing value of a head, with an example. */
function expectedValue(name: string, assign: boolean, isFunction: boolean, isDefault: boolean): string {
  if (!assign) return `expected rule value term (e.g., ${name} = <VALUE> { ... })`;
  if (isFunction) return `expected function value term (e.g., ${name}(...) := <VALUE> { ... })`;
  if (isDefault) return `expected default rule value term (e.g., default ${name} := <VALUE>)`;
  return `expected rule value term (e.g., ${name} := <VALUE> { ... })`;
}

export const ruleGrammar = { rule, elseBranch } satisfies Partial<RuleBodies>;
