/** Rules without their calls of `print`: text that is not printed is in no trace. */

import type { Body, CallExpr, Expr, Rule, Term } from '../../../compiler/index.js';
import {
  booleanTerm,
  functionName,
  mapExprChildren,
  mapLinks,
  mapTermChildren,
  termExpr,
} from '../../../compiler/index.js';

const known = new WeakMap<Rule, Rule>();

export function withoutPrints(rule: Rule): Rule {
  let found = known.get(rule);
  if (found === undefined) {
    found = mapLinks(rule, (link) => {
      const body = stripped(link.body);
      return body === link.body ? link : { ...link, body };
    });
    known.set(rule, found);
  }
  return found;
}

const children = {
  term: (term: Term): Term => mapTermChildren(term, children),
  body: (body: Body): Body => stripped(body),
};

/** A body that only prints is true. */
function stripped(body: Body): Body {
  const prints = body.filter(isPrint);
  const printed = new Set(prints.flatMap(({ args }) => args).flatMap(namesOf));
  const rest = body.filter((expr) => !isPrint(expr) && !bindsOne(expr, printed));
  const mapped = rest.map((expr) => mapExprChildren(expr, children));
  const [print] = prints;
  if (print !== undefined && mapped.length === 0) return [termExpr(print.loc, booleanTerm(print.loc, true))];
  return print === undefined && mapped.every((expr, i) => expr === body[i]) ? body : mapped;
}

function isPrint(expr: Expr): expr is CallExpr {
  return expr.kind === 'call' && functionName(expr.operator) === 'internal.print';
}

/** The operands are variables, bound to sets by generated expressions. */
function namesOf(operands: Term): readonly string[] {
  return operands.type === 'array' ? operands.items.flatMap((item) => (item.type === 'var' ? [item.name] : [])) : [];
}

function bindsOne(expr: Expr, names: ReadonlySet<string>): boolean {
  if (!expr.generated || expr.kind !== 'call') return false;
  const [first] = expr.args;
  return first?.type === 'var' && names.has(first.name);
}
