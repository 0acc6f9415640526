/** Saving: an expression that depends on unknowns goes to the residual. */

import type { Expr, RefTerm, Term, With } from '../../../compiler/index.js';
import { isLiteral, isRoot, nowhere, termExpr, walk } from '../../../compiler/index.js';
import type { PartialSearch } from './partial-search.js';
import type { PartialContext } from './residual/partial-context.js';
import type { Open } from './symbolic.js';

/**
 * Saves an expression of the residual until the search backtracks. One that evaluation makes has
 * the place of the expression that is evaluated.
 * @param index its position among those that are saved together, for events
 */
export function save(search: PartialSearch, made: Expr, index = 0): void {
  const expr = made.loc === nowhere ? { ...made, loc: search.context.at } : made;
  const context = search.context;
  const modifiers = [
    ...(context.active.length > 0 && isEvaluatedAgain(search, expr) ? context.active : []),
    ...context.modifiers,
  ];
  const complete = modifiers.length === 0 ? expr : withModifiers(expr, modifiers);
  search.trace?.save(complete, index, search.names);
  search.context = { ...context, saved: { expr: complete, before: context.saved } };
}

function withModifiers(expr: Expr, modifiers: readonly With[]): Expr {
  return { ...expr, with: [...modifiers, ...expr.with] };
}

/**
 * Whether modifiers may change the value of an expression: it reads rules or known input, or has a
 * closure.
 */
function isEvaluatedAgain({ unknowns }: PartialSearch, expr: Expr): boolean {
  let found = false;
  walk(expr, (node) => {
    if (node.type === 'var') found ||= node.name === 'data';
    else if (node.type === 'ref' && isRoot(node.terms[0], 'input')) found ||= !unknowns.contains(knownPart(node));
    else
      found ||=
        node.type.endsWith('comprehension') || (node.type === 'expr' && node.kind !== 'call' && node.kind !== 'term');
    return !found;
  });
  return found;
}

/** The terms of a ref up to its first open key. */
function knownPart({ terms }: RefTerm): readonly Term[] {
  const open = terms.findIndex((term, i) => i > 0 && !isLiteral(term));
  return open < 0 ? terms : terms.slice(0, open);
}

/** A context with nothing saved yet, in the surroundings of another. */
export function nested(context: PartialContext, changes: Partial<PartialContext> = {}): PartialContext {
  return { ...context, saved: undefined, ...changes };
}

/** Saves that a term is defined and not false. */
export function saveTruth(search: PartialSearch, { term }: Open): void {
  save(search, termExpr(nowhere, term));
}
