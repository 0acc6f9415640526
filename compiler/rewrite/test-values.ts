/** Binds the operands of tests' comparisons to variables, so that a trace can show them. */

import type { Body, Expr, Rule, Term } from '../ast/nodes.js';
import { isComprehension, isEquality } from '../resolve/expression-kinds.js';
import type { Context } from '../resolve/working-module.js';
import { bindToLocal, flatMapBody } from './bodies.js';

/** The link of a test with refs and comprehensions on either side of `=` and `==` bound before. */
export function captureTestValues(link: Rule, context: Context): Rule {
  if (!link.head.name.startsWith('test_')) return link;
  const body = captureInBody(link.body, context);
  return body === link.body ? link : { ...link, body };
}

function captureInBody(body: Body, context: Context): Body {
  return flatMapBody(body, (expr, into) => {
    // A negated comparison has to be reached even where a side is undefined.
    if (expr.negated || expr.generated) into.push(expr);
    else if (isEquality(expr)) into.push(captureSides(expr, into, context));
    else if (expr.kind === 'every') {
      const inner = captureInBody(expr.body, context);
      into.push(inner === expr.body ? expr : { ...expr, body: inner });
    } else into.push(expr);
  });
}

function captureSides(expr: Expr & { readonly kind: 'call' }, into: Expr[], context: Context): Expr {
  const capture = (term: Term): Term => {
    if (term.type !== 'ref' && !isComprehension(term)) return term;
    const { variable, binding } = bindToLocal(context, term, expr.with);
    into.push(binding);
    return variable;
  };
  const args = expr.args.map(capture);
  return args.every((arg, i) => arg === expr.args[i]) ? expr : { ...expr, args };
}
