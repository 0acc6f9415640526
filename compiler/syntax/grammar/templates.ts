/** Template strings. */

import { isScalar } from '../../ast/names.js';
import type { Expr, Term } from '../../ast/nodes.js';
import * as t from '../tokens.js';
import { literalString } from './leaves.js';
import { many } from './lookahead.js';
import type { Parser, RuleBodies } from './rules.js';

function template($: Parser): Term {
  const start = $.next;
  if (!$.templates) $.fail('templatesUnsupported', $.tokenSpan(start), {});
  const parts: (Term | Expr)[] = [];
  $.MANY(many.template, () => {
    const text = $.CONSUME(t.TemplatePart);
    if (text.image !== '') parts.push(literalString($, text));
    parts.push(templateExpr($, templateLiteral($)));
    if (!$.at(t.RightBrace)) $.fail('templateNotClosed', $.tokenSpan($.next), {});
    $.CONSUME(t.RightBrace);
  });
  const end = $.CONSUME(t.TemplateEnd);
  if (end.image !== '') parts.push(literalString($, end));
  const multiLine = $.source.text.charCodeAt(start.startOffset + 1) === 96;
  return { type: 'templatestring', loc: $.span(start.startOffset), parts, multiLine };
}

function templateLiteral($: Parser): Expr {
  try {
    return $.SUBRULE($.literal);
  } catch (failure) {
    throw $.alsoFail(failure, 'invalidTemplateExpression');
  }
}

/** An expression as a part of a template; scalars alone are terms. */
function templateExpr($: Parser, expr: Expr): Term | Expr {
  const reject = (what: string): never => $.fail('invalidTemplatePart', expr.loc, { what });
  if (expr.negated) reject("negation ('not')");
  if (expr.kind === 'some' || expr.kind === 'every') reject(`'${expr.kind}'`);
  if (expr.kind === 'call') {
    const name = expr.operator.loc.text;
    if (name === '=') reject("unification ('=')");
    if (name === ':=') reject("assignment (':=')");
  }
  if (expr.kind === 'term' && expr.with.length === 0 && isScalar(expr.term)) return expr.term;
  return expr;
}

export const templateRules = { template } satisfies Partial<RuleBodies>;
