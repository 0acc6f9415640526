/** Calls of residual queries → conditions. */

import type { CallExpr } from '../../../compiler/index.js';
import { functionName } from '../../../compiler/index.js';
import { comparisonOf, conditionOfComparison } from './comparisons.js';
import type { FilterCondition } from './condition.js';
import { type Fragment, lacking, refuse } from './fragment.js';
import { isData, refuseFunction } from './references.js';
import { conditionOfSearch, searchBuiltin } from './searches.js';

export function conditionOfCall(call: CallExpr, fragment: Fragment): FilterCondition {
  // The name of a rule of the residual is nowhere in the text.
  const loc = call.operator.loc.file === '' ? call.loc : call.operator.loc;
  const name = functionName(call.operator) ?? '';
  if (isData(call.operator)) return refuseFunction(call, loc, fragment);
  const comparison = comparisonOf(name);
  if (comparison !== undefined) return conditionOfComparison(call, name, comparison, fragment);
  if (name === 'internal.member_3') return refuse(fragment, 'invalid use of "... in ..."', loc);
  const builtin = searchBuiltin(name);
  if (builtin === undefined) return refuse(fragment, `invalid builtin \`${name}\``, loc);
  const reason = lacking(fragment, '', ({ builtins }) => builtins.has(builtin));
  if (reason !== undefined) return refuse(fragment, `invalid builtin \`${builtin}\`: ${reason}`, loc);
  return conditionOfSearch(call, { name, builtin }, fragment);
}
