/** `with` modifiers. */

import type { Expr, RefTerm, Term, With } from '../../../compiler/index.js';
import { booleanTerm, replacedPath, termExpr, varsOf } from '../../../compiler/index.js';
import type { Value } from '../../../values/index.js';
import type { Frame } from '../bindings.js';
import type { Next, Step } from '../machine.js';
import { evaluateWith } from '../with.js';
import type { PartialSearch } from './partial-search.js';
import { plugExpr } from './plug.js';
import { canBeEqual, isResidualEquality } from './residual/shapes.js';
import { save } from './save.js';
import { isOpen, resolve, symbolicOf, termOfSymbolic } from './symbolic.js';

/**
 * Modifiers of known values make another environment. Where they replace unknowns, the expression
 * is saved with them; rules that it reads are kept, as they are without modifiers.
 */
export function partialWith(
  search: PartialSearch,
  expr: Expr,
  frame: Frame,
  evaluate: (found: Step) => Next,
  then: Step,
): Next {
  const outer = search.context;
  if (outer.modifiers.length > 0 || !isKnown(expr.with, frame) || isConflict(search, expr.with))
    return leave(search, expr, frame, then);
  const modifiers = expr.with.map((one) => plugModifier(one, frame));
  if (!expr.with.some(({ target }) => isUnknown(search, target))) {
    return evaluateWith(
      search,
      expr.with,
      frame,
      (found) => {
        search.context = { ...search.context, active: [...outer.active, ...modifiers] };
        return evaluate(found);
      },
      () => {
        search.context = { ...search.context, active: outer.active };
        return then;
      },
    );
  }
  if (outer.active.length > 0 || !expr.with.every(({ target }) => isInUnknown(search, target)))
    return leave(search, expr, frame, then);
  search.context = { ...outer, modifiers };
  return evaluate(() => {
    search.context = { ...search.context, modifiers: outer.modifiers };
    return then;
  });
}

/** Saves the expression as it is: rules that it reads are evaluated with the unknowns. */
function leave(search: PartialSearch, expr: Expr, frame: Frame, then: Step): Next {
  const fresh = isResidualEquality(expr)
    ? [...varsOf(expr)].filter((name) => symbolicOf(frame, name) === undefined)
    : [];
  const left = plugExpr(search, { ...expr, generated: false }, frame);
  if (expr.negated || !isResidualEquality(left) || canBeEqual(left.args[0], left.args[1])) {
    save(search, left);
    return then;
  }
  // As it stands, it would bind none of its variables.
  if (!isConflict(search, expr.with)) return search.machine.fail();
  for (const name of fresh) search.bind(frame, name, null);
  save(search, { ...termExpr(left.loc, booleanTerm(left.loc, false)), with: left.with });
  return then;
}

/**
 * Whether an unknown is replaced where no document can be: what is left of the expression must end
 * in the same conflict, so its modifiers must not be dropped.
 */
function isConflict(search: PartialSearch, modifiers: readonly With[]): boolean {
  return modifiers.some(
    ({ target }) => target.type === 'ref' && isUnknown(search, target) && replacedPath(target) === undefined,
  );
}

function isKnown(modifiers: readonly With[], frame: Frame): boolean {
  return modifiers.every(({ value }) => value.type === 'ref' || !isOpen(resolve(value, frame)));
}

function plugModifier(modifier: With, frame: Frame): With {
  const { value } = modifier;
  return value.type === 'ref' ? modifier : { ...modifier, value: termOfSymbolic(resolve(value, frame) as Value) };
}

function isUnknown(search: PartialSearch, target: Term): boolean {
  return target.type === 'ref' && search.unknowns.includes(target.terms);
}

/** Whether all of a target is unknown. */
function isInUnknown(search: PartialSearch, target: Term): boolean {
  return search.unknowns.contains((target as RefTerm).terms);
}
