/**
 * `x == y` at the top of an expression unifies, once safety is checked: nothing is left to bind.
 */

import { operatorRef } from '../ast/make.js';
import type { Body, Expr } from '../ast/nodes.js';
import { isOperator } from '../resolve/expression-kinds.js';
import type { Rewriting } from './closures.js';

export const equals: Rewriting = {
  body: (body: Body): Body => {
    if (!body.some(isTest)) return body;
    return body.map((expr) => (isTest(expr) ? { ...expr, operator: operatorRef(expr.operator.loc, 'eq') } : expr));
  },
};

function isTest(expr: Expr): expr is Expr & { readonly kind: 'call' } {
  return expr.kind === 'call' && expr.args.length === 2 && isOperator(expr.operator, 'equal');
}
