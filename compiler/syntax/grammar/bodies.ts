/** Bodies and the expressions in them. */

import type { Expr, With, WrittenBody } from '../../ast/nodes.js';
import * as t from '../tokens.js';
import { tokenName } from '../tokens.js';
import { atLogical, atOperandStart, leadingOperand, logicalTail, negatedOperand, negation } from './logic.js';
import { many, option, or } from './lookahead.js';
import { maxBodies } from './nesting.js';
import { fitted } from './parts.js';
import { plain } from './plain.js';
import type { Alternative } from './rule-parser.js';
import type { Parser, RuleBodies } from './rules.js';

function braces($: Parser): WrittenBody {
  $.CONSUME(t.LeftBrace);
  if ($.at(t.RightBrace)) $.fail('emptyBody', $.tokenSpan($.next), {});
  const inner = $.SUBRULE($.body);
  if ($.recovered && !$.at(t.RightBrace)) $.failSilently();
  $.CONSUME(t.RightBrace);
  return inner;
}

function body($: Parser): WrittenBody {
  if ($.at(t.RightBrace) || $.at(t.RightBracket)) $.fail('emptyBody', $.tokenSpan($.next), {});
  const exprs: [Expr, ...Expr[]] = [$.SUBRULE($.literal)];
  $.MANY(many.body, {
    GATE: () => {
      if ($.at(t.Semicolon)) return true;
      if (!$.next.newlineBefore) return false;
      $.soften();
      return true;
    },
    DEF: () => {
      $.OPTION(option.body, () => $.CONSUME(t.Semicolon));
      exprs.push($.SUBRULE($.literal));
    },
  });
  // On a new line an expression is expected, so that a closing token is not.
  if ($.next.newlineBefore && !$.at(t.RightBrace) && !$.at(t.RightBracket) && !$.isRecording) $.unexpected();
  return exprs.length === 1 ? exprs : fitted(exprs);
}

function statementQuery($: Parser): WrittenBody {
  const exprs: [Expr, ...Expr[]] = [$.SUBRULE($.literal)];
  $.MANY(many.statementQuery, () => {
    $.CONSUME(t.Semicolon);
    exprs.push($.SUBRULE($.literal));
  });
  return exprs;
}

function literal($: Parser): Expr {
  if ($.nesting > maxBodies) $.tooDeep();
  $.nesting++;
  const expr = literalHere($);
  $.nesting--;
  return expr;
}

function literalHere($: Parser): Expr {
  $.soften();
  const start = $.next.startOffset;
  if ($.logicalKeywords && atOperandStart($)) {
    const lead = leadingOperand($);
    if (lead) return logicalTail($, lead, start);
  }
  const not = $.OPTION(option.literal, () => $.CONSUME(t.Not));
  if (not && $.notBodies && atOperandStart($)) {
    const negated = negatedOperand($, not.startOffset);
    if (negated) return logicalTail($, negated, start);
  }
  if (not && ($.at(t.Some) || $.at(t.Every))) $.unexpected(`illegal negation of '${$.next.image}'`);
  $.literalAlternatives ??= literalAlternatives($);
  const expr = $.OR(or.literal, $.literalAlternatives);
  const withToken = $.next;
  const modifiers = $.at(t.With) ? $.SUBRULE($.modifiers) : undefined;
  const whole = $.ACTION(() => wholeLiteral($, expr, start, not !== undefined, modifiers));
  if (!atLogical($)) return whole;
  // These are statements, and operands in braces only.
  if (expr.kind === 'some' || expr.kind === 'every') $.unexpected();
  const name = tokenName($.next);
  if (modifiers) $.fail('withOnOperand', $.tokenSpan(withToken), { operator: name });
  if (!not && $.source.text.charCodeAt(start) === 123) {
    const isEmpty = expr.kind === 'term' && expr.term.type === 'object' && expr.term.entries.length === 0;
    if (isEmpty) $.fail('emptyBody', whole.loc, {});
    $.fail('braceLedOperand', whole.loc, { operator: name });
  }
  return logicalTail($, { body: [whole], explicit: false, loc: whole.loc }, start);
}

function literalAlternatives($: Parser): readonly Alternative<Expr>[] {
  return [
    { ALT: () => $.SUBRULE($.someDeclaration) },
    { ALT: () => $.SUBRULE($.everyExpression) },
    { ALT: () => plain($) },
  ];
}

/** An expression with its negation and modifiers. */
function wholeLiteral(
  $: Parser,
  expr: Expr,
  start: number,
  isNegated: boolean,
  modifiers: readonly With[] | undefined,
): Expr {
  const loc = $.span(start);
  if (isNegated) {
    const negated = negation($, expr, { ...expr, loc }, loc);
    return modifiers ? { ...negated, with: modifiers } : negated;
  }
  if (modifiers) return { ...expr, loc, with: modifiers };
  return start === expr.loc.start ? expr : { ...expr, loc };
}

function modifiers($: Parser): With[] {
  const withs: With[] = [];
  $.MANY(many.modifiers, () => {
    const start = $.CONSUME(t.With);
    if (!$.at(t.Identifier)) $.unexpected('expected identifier');
    const target = $.SUBRULE($.term);
    if (target.type !== 'ref' && target.type !== 'var') $.unexpected('expected with target path');
    if (!$.at(t.As)) $.unexpected('expected as keyword');
    $.CONSUME(t.As);
    const value = $.SUBRULE($.expression);
    withs.push({ type: 'with', loc: $.span(start.startOffset), target, value });
  });
  return fitted(withs);
}

export const bodyRules = { braces, body, statementQuery, literal, modifiers } satisfies Partial<RuleBodies>;
