/** Names that a function uses but does not get or give a value. */

import type { Body, Expr, Node, Rule, Term, VarTerm } from '../../../../compiler/index.js';
import { forEachChild, functionName } from '../../../../compiler/index.js';
import { argumentVars } from '../../frame/scope.js';
import { isGenerated } from '../../frame/walk-file.js';

/**
 * The variables of a function's heads and bodies, in order of the text; `known` tells its own. What
 * is handed to a function within a call is left out, as are the operands of an expression before
 * the last one: one cannot hand functions over as arguments.
 */
export function outsideNames(rule: Rule, known: (name: string) => boolean): readonly VarTerm[] {
  const own = new Set((rule.head.args ?? []).flatMap(argumentVars).map(({ name }) => name));
  const found: VarTerm[] = [];
  const see = (node: VarTerm): void => {
    if (!own.has(node.name) && !known(node.name)) found.push(node);
  };
  for (let link: Rule | undefined = rule; link; link = link.else) {
    const { head } = link;
    for (const term of [...(link === rule ? head.ref.slice(1) : []), head.key, head.value])
      if (term && !isGenerated(term, link)) visitTerm(term, [], see);
    if (!link.generatedBody && !link.default) visitBody(link.body, see);
  }
  return found;
}

type See = (node: VarTerm) => void;

function visitBody(body: Body, see: See): void {
  for (const expr of body) visitExpr(expr, see);
}

function visitExpr(expr: Expr, see: See): void {
  const last = expr.kind === 'call' ? expr.args.at(-1) : undefined;
  if (last) visitTerm(last, [], see);
  else if (expr.kind === 'term') visitTerm(expr.term, [], see);
  else if (expr.kind === 'some') for (const symbol of expr.symbols) visitTerm(symbol, [], see);
  else if (expr.kind === 'every') {
    visitTerm(expr.domain, [], see);
    visitBody(expr.body, see);
  } else if (expr.kind === 'not') visitBody(expr.body, see);
  else if (expr.kind === 'and' || expr.kind === 'or') visitBody([...expr.lhs, ...expr.rhs], see);
  for (const { target, value } of expr.with) for (const term of [target, value]) visitTerm(term, [], see);
}

/** `above`: the terms around a term, the nearest one last. */
function visitTerm(term: Term, above: readonly Term[], see: See): void {
  if (term.type === 'var') {
    if (!isHandedOver(above)) see(term);
    return;
  }
  const around = [...above.slice(-1), term];
  const visit = (child: Node): void => {
    if (child.type === 'expr') visitExpr(child, see);
    else visitTerm(child as Term, around, see);
  };
  if (term.type === 'call') {
    if (functionName(term.operator) === undefined) visit(term.operator);
    term.args.forEach(visit);
  } else forEachChild(term, visit);
}

/** Whether a variable is part of an operand of a call, or an operand of a call within a call. */
function isHandedOver([outer, inner]: readonly Term[]): boolean {
  return outer?.type === 'call' && inner !== undefined && inner.type !== 'object' && inner.type !== 'templatestring';
}
