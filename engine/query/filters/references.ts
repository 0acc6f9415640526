/** References to documents: of support rules, and columns that stand alone. */

import { type CallExpr, isRoot, printTerm, type RefTerm, type Span, type Term } from '../../../compiler/index.js';
import type { FilterCondition } from './condition.js';
import { type Fragment, refuse } from './fragment.js';
import { authorsName } from './support-rules.js';

/**
 * The condition under which a document has a value, or any value but false.
 * @param value undefined: any but false
 */
export function conditionOfReference(
  ref: RefTerm,
  value: Term | undefined,
  loc: Span,
  fragment: Fragment,
): FilterCondition {
  if (!isRoot(ref.terms[0], 'data'))
    return refuse(fragment, `invalid statement "${printTerm(ref)}"`, loc, `try \`${printTerm(ref)} != false\``);
  const bodies = fragment.support.bodiesFor(ref, value);
  return bodies === undefined ? refuseReference(ref, loc, fragment) : fragment.bodies(bodies);
}

export function refuseReference(ref: RefTerm, loc: Span, fragment: Fragment): FilterCondition {
  const name = printTerm(authorsName(ref));
  const kind = fragment.support.kindOf(ref);
  if (kind === 'complete') return refuse(fragment, `invalid data reference "${name}"`, loc);
  if (kind !== undefined) return refuse(fragment, `use of ${kind} rule in ${name}`, loc);
  return refuse(fragment, `invalid data reference "${name}"`, loc, `has rule "${name}" an \`else\`?`);
}

/** A call of a function of the policy that was not inlined. */
export function refuseFunction({ operator, args }: CallExpr, loc: Span, fragment: Fragment): FilterCondition {
  const name = printTerm(authorsName(operator));
  // Functions with a default are rules of the residual, all others are left where they are.
  const kind = fragment.support.kindOf(operator);
  if (kind === 'default') return refuse(fragment, `use of default rule in ${name}`, loc);
  const call = printTerm({ type: 'call', loc, operator: authorsName(operator), args });
  return refuse(fragment, `invalid data reference "${call}"`, loc, `has function "${name}(...)" an \`else\`?`);
}
