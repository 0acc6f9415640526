/** Searches of a column in constants, and of texts in a column → conditions. */

import type { CallExpr, ScalarTerm, Term } from '../../../compiler/index.js';
import { isLiteral, setMembers, sortedTermEntries } from '../../../compiler/index.js';
import { type Column, type FilterCondition, neverHolds, type TextMatch } from './condition.js';
import { operandIn, refuseOperand } from './filter-operand.js';
import { type Fragment, refuse } from './fragment.js';

/** The name of a built-in that searches, as targets have it. */
export function searchBuiltin(name: string): 'in' | TextMatch | undefined {
  switch (name) {
    case 'internal.member_2':
      return 'in';
    case 'startswith':
    case 'endswith':
    case 'contains':
      return name;
    default:
      return undefined;
  }
}

export function conditionOfSearch(
  { operator: { loc }, args }: CallExpr,
  { name, builtin }: { readonly name: string; readonly builtin: 'in' | TextMatch },
  fragment: Fragment,
): FilterCondition {
  const [subject, searched] = args as [Term, Term];
  if (!isLiteral(searched)) return refuse(fragment, `rhs of ${name} must be known`, loc);
  const column = operandIn(subject, fragment);
  if (column.type !== 'column')
    return refuseOperand(column, { name, loc }, fragment) ? neverHolds : refuse(fragment, nonScalar, loc);
  if (builtin === 'in') return membership(column, searched) ?? refuse(fragment, nonScalar, loc);
  return searched.type === 'string' ? { type: 'match', operator: builtin, column, text: searched.value } : neverHolds;
}

const nonScalar = 'both rhs and lhs non-scalar/non-ground';

/** Undefined where a member is no scalar: columns hold none, but a database may compare them. */
function membership(column: Column, collection: Term): FilterCondition | undefined {
  const members = membersOf(collection);
  if (members === undefined) return neverHolds;
  const values = members.filter(isScalar);
  return values.length < members.length ? undefined : { type: 'in', column, values };
}

function membersOf(term: Term): readonly Term[] | undefined {
  switch (term.type) {
    case 'array':
      return term.items;
    case 'set':
      return setMembers(term.items);
    case 'object':
      return sortedTermEntries(term.entries).map(({ value }) => value);
    default:
      return undefined;
  }
}

function isScalar(term: Term): term is ScalarTerm {
  return term.type === 'null' || term.type === 'boolean' || term.type === 'number' || term.type === 'string';
}
