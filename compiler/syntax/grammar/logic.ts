/** The keywords `and` and `or`, and bodies under `not`. */

import { exprBase } from '../../ast/make.js';
import { functionName } from '../../ast/names.js';
import type { Body, Expr, LogicalExpr } from '../../ast/nodes.js';
import { Span } from '../../source/location.js';
import * as t from '../tokens.js';
import { type Token, tokenName } from '../tokens.js';
import { Attempt, attempt } from './attempts.js';
import { maxChain } from './failure.js';
import { option } from './lookahead.js';
import { maxBodies } from './nesting.js';
import type { ParsedOperand } from './parts.js';
import { plain } from './plain.js';
import type { Parser, RuleBodies } from './rules.js';

export function atLogical($: Parser): boolean {
  return $.logicalKeywords && ($.at(t.LogicalAnd) || $.at(t.LogicalOr)) && !($.next.newlineBefore && functionAhead($));
}

/** Whether a function of this name is defined next: `or(x) := x`. */
export function functionAhead($: Parser): boolean {
  if (!$.logicalKeywords || !($.at(t.LogicalAnd) || $.at(t.LogicalOr))) return false;
  const open = $.LA(2);
  if (open.tokenType !== t.LeftParen || open.spaceBefore || open.close < 0) return false;
  const after = $.input[open.close + 1]?.tokenType;
  return after === t.Assign || after === t.Unify || after === t.If;
}

/** Whether braces or parentheses come next, which may hold an operand. */
export function atOperandStart($: Parser): boolean {
  return $.at(t.LeftBrace) || $.at(t.LeftParen);
}

/** `{ … } or …` and `(a or b)` at the start of an expression; undefined if these are terms. */
export function leadingOperand($: Parser): ParsedOperand | undefined {
  if (!$.at(t.LeftBrace)) return attempt($, Attempt.group, () => $.SUBRULE($.group, { ARGS: [false] }));
  return attempt($, Attempt.operand, () => {
    const first = bracedOperand($);
    return atLogical($) ? first : undefined;
  });
}

function bracedOperand($: Parser): ParsedOperand {
  const body = $.SUBRULE($.braces);
  const [first] = body;
  if (first.kind === 'call' && first.operator.loc.text === '|' && !isParenthesized(first.loc.text))
    $.problem('ambiguousUnion', first.loc, {});
  return { body, explicit: true, loc: first.loc };
}

/**
 * `not { … }` and `not (…)`, after the `not` at `start`; undefined if the parentheses hold a term.
 */
export function negatedOperand($: Parser, start: number): ParsedOperand | undefined {
  const inner = $.at(t.LeftBrace)
    ? bracedOperand($)
    : attempt($, Attempt.group, () => $.SUBRULE($.group, { ARGS: [true] }));
  if (!inner) return undefined;
  const loc = $.span(start);
  return {
    body: [{ ...exprBase(loc), kind: 'not', body: inner.body, explicit: inner.explicit }],
    explicit: false,
    loc,
  };
}

function operand($: Parser): ParsedOperand {
  const start = $.next.startOffset;
  if ($.at(t.LeftBrace)) {
    const braced = bracedOperand($);
    return { ...braced, loc: $.span(start) };
  }
  $.soften();
  const not = $.OPTION(option.operand, () => $.CONSUME(t.Not));
  if (not && $.notBodies && atOperandStart($)) {
    const negated = negatedOperand($, start);
    if (negated) return negated;
  } else if (!not && $.at(t.LeftParen)) {
    const group = attempt($, Attempt.group, () => $.SUBRULE($.group, { ARGS: [true] }));
    if (group) return group;
  }
  const expr = plain($);
  const loc = $.span(start);
  return { body: [not ? negation($, expr, expr, loc) : expr], explicit: false, loc };
}

/** The negation of an expression: a body of its own if `not` has been imported. */
export function negation($: Parser, negated: Expr, inner: Expr, loc: Span): Expr {
  return $.notBodies
    ? { ...exprBase(loc), kind: 'not', body: [inner], explicit: false }
    : { ...negated, negated: true, loc };
}

/** Parentheses around operands; undefined if they hold a plain term, or are in too many others. */
function group($: Parser, isOperand: boolean): ParsedOperand | undefined {
  if ($.nesting > maxBodies) return undefined;
  $.nesting++;
  const operand = groupHere($, isOperand);
  $.nesting--;
  return operand;
}

function groupHere($: Parser, isOperand: boolean): ParsedOperand | undefined {
  const open = $.CONSUME(t.LeftParen);
  const first = $.SUBRULE($.operand);
  let { body } = first;
  if (atLogical($)) {
    const chain = $.SUBRULE($.logicalChain, { ARGS: [first] });
    body = [$.at(t.With) ? { ...chain, with: $.SUBRULE($.modifiers) } : chain];
  } else if ($.at(t.With) && !first.explicit) {
    body = [{ ...first.body[0], with: $.SUBRULE($.modifiers) }];
    if (atLogical($)) $.fail('withOnOperand', $.tokenSpan($.next), { operator: tokenName($.next) });
    $.CONSUME(t.RightParen);
    return isOperand || atLogical($) ? { body, explicit: false, loc: $.span(open.startOffset) } : undefined;
  } else if ($.ACTION(() => first.explicit || !isGroupBody(first.body))) return undefined;
  if (!$.at(t.RightParen)) $.fail('groupNotClosed', $.tokenSpan($.next), {});
  $.CONSUME(t.RightParen);
  return { body, explicit: false, loc: $.span(open.startOffset) };
}

/** Folds a chain of `and` and `or` to the left, `and` before `or`. */
function logicalChain($: Parser, first: ParsedOperand): Expr {
  let last = first;
  /** The operands before the last one, each with the operator after it. */
  const waiting: { readonly lhs: ParsedOperand; readonly operator: Token }[] = [];
  const reduce = (isDue: (operator: Token) => boolean): void => {
    for (let left = waiting.at(-1); left !== undefined && isDue(left.operator); left = waiting.at(-1)) {
      waiting.pop();
      last = logicalOperand($, left.operator, left.lhs, last);
    }
  };
  for (let count = 1; atLogical($); count++) {
    const operator = $.CONSUME($.next.tokenType);
    const next = $.SUBRULE($.operand);
    if (count > maxChain) $.fail('nestedTooDeeply', $.tokenSpan(operator), {});
    reduce(({ tokenType }) => tokenType === t.LogicalAnd || operator.tokenType === t.LogicalOr);
    waiting.push({ lhs: last, operator });
    last = next;
  }
  reduce(() => true);
  return $.ACTION(() => last.body[0]);
}

function logicalOperand($: Parser, operator: Token, lhs: ParsedOperand, rhs: ParsedOperand): ParsedOperand {
  const kind = operator.tokenType === t.LogicalAnd ? 'and' : 'or';
  const loc = new Span($.source, lhs.loc.start, rhs.loc.end);
  for (const side of [lhs, rhs]) {
    const name = voidCall(side.body);
    if (name) $.problem('voidOperand', side.loc, { operator: kind, name });
  }
  const sides = { lhs: lhs.body, rhs: rhs.body, explicitLhs: lhs.explicit, explicitRhs: rhs.explicit };
  const node: LogicalExpr = { ...exprBase(loc), kind, ...sides };
  return { body: [node], explicit: false, loc };
}

/** An expression that starts with an operand, up to its modifiers. */
export function logicalTail($: Parser, first: ParsedOperand, start: number): Expr {
  const expr = atLogical($) ? $.SUBRULE($.logicalChain, { ARGS: [first] }) : first.body[0];
  const modifiers = $.at(t.With) ? $.SUBRULE($.modifiers) : expr.with;
  return { ...expr, loc: $.span(start), with: modifiers };
}

/** Whether parentheses around a body are redundant: around an `and`, an `or`, a negation. */
function isGroupBody(body: Body): boolean {
  const [expr, second] = body;
  return (
    second === undefined &&
    expr !== undefined &&
    (expr.negated || expr.kind === 'and' || expr.kind === 'or' || expr.kind === 'not')
  );
}

/** The calls that have no result. */
const voidCalls: ReadonlySet<string | undefined> = new Set(['print', 'internal.print', 'internal.test_case']);

/** The first call of an operand that does nothing but print or tell cases of a test. */
function voidCall(body: Body): string | undefined {
  const names = body.map((expr) => (expr.kind === 'call' && !expr.negated ? functionName(expr.operator) : undefined));
  return names.every((name) => voidCalls.has(name)) ? names[0] : undefined;
}

/** Whether one pair of parentheses holds all of a text. */
function isParenthesized(text: string): boolean {
  let depth = 0;
  for (const { 0: part, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|`[^`]*`|[()]/g)) {
    if (part === '(') depth++;
    else if (part === ')' && --depth === 0) return text.startsWith('(') && index === text.length - 1;
  }
  return false;
}

export const logicRules = { operand, group, logicalChain } satisfies Partial<RuleBodies>;
