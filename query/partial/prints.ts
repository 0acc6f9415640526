/** Bodies without calls of `print`: the residual prints nothing. */

import { functionName } from '../../compiler/ast/names.js';
import type { Body, Expr } from '../../compiler/ast/nodes.js';
import { varsOf } from '../../compiler/ast/vars.js';

const bodies = new WeakMap<Body, Body>();

export function withoutPrints(body: Body): Body {
  let silent = bodies.get(body);
  if (silent === undefined) bodies.set(body, (silent = body.some(isPrint) ? strip(body) : body));
  return silent;
}

function isPrint(expr: Expr): boolean {
  return expr.kind === 'call' && functionName(expr.operator) === 'internal.print';
}

/** Leaves out the calls and the generated expressions that bind nothing but their operands. */
function strip(body: Body): Body {
  const printed = new Set(body.filter(isPrint).flatMap((expr) => [...varsOf(expr)]));
  const rest = body.filter((expr) => !isPrint(expr));
  return rest.filter((expr) => {
    if (expr.kind !== 'call' || functionName(expr.operator) !== 'eq') return true;
    const [target, value] = expr.args;
    if (target?.type !== 'var' || value?.type !== 'setcomprehension' || !printed.has(target.name)) return true;
    return rest.some((other) => other !== expr && varsOf(other).has(target.name));
  });
}
