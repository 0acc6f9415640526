/** Expressions that start loops, and the variables that change in them. */

import type { Expr, Node } from '../../../../compiler/index.js';
import { forEachChild } from '../../../../compiler/index.js';
import type { Place } from '../../frame/place.js';
import { declarationsOf, patternVars } from '../../frame/scope.js';
import { nameOf } from '../tree.js';

/** Whether an expression goes over the elements of a collection, those of closures excepted. */
export function iterates(expr: Expr, place: Place): boolean {
  return loopVars(expr, place) !== undefined;
}

/** The variables of the loop that an expression starts; undefined if it starts none. */
export function loopVars(expr: Expr, place: Place): readonly string[] | undefined {
  if (expr.negated || expr.kind === 'every' || expr.kind === 'not') return undefined;
  if (expr.kind === 'some') {
    const isLoop = expr.symbols.some(({ type }) => type === 'call');
    return isLoop ? [...declarationsOf(expr).map(({ node }) => node.name), ...outputsIn(expr, place)] : undefined;
  }
  const outputs = outputsIn(expr, place);
  const isWalk = expr.kind === 'call' && nameOf(expr) === 'walk';
  if (isWalk)
    return expr.args
      .slice(1)
      .flatMap(patternVars)
      .map(({ name }) => name);
  if (outputs.length === 0) return undefined;
  return [...outputs, ...takenVars(expr)];
}

/** The variables that an expression assigns. */
export function takenVars(expr: Expr): readonly string[] {
  if (expr.kind !== 'call' || !['assign', 'eq'].includes(nameOf(expr))) return [];
  return expr.args.flatMap(patternVars).map(({ name }) => name);
}

/** Variables of refs that take values, those in closures excepted. */
function outputsIn(expr: Expr, place: Place): readonly string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (node.type.endsWith('comprehension')) return;
    if (node.type === 'ref') found.push(...place.outputsOf(node).map(({ name }) => name));
    if (node.type === 'expr' && node.kind === 'call') node.args.forEach(visit);
    else if (node.type === 'call') node.args.forEach(visit);
    else if (node.type !== 'with') forEachChild(node, visit);
  };
  visit(expr);
  return found;
}
