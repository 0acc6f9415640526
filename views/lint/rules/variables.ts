/** The variables that authors name. */

import { isWildcard } from '../../../compiler/ast/names.js';
import type { VarTerm } from '../../../compiler/ast/nodes.js';
import type { Visitor } from '../frame/lint-rule.js';
import { argumentVars, declarationsOf, findDeclarations } from '../frame/scope.js';

/**
 * Calls `found` for the variables of a file where they are declared: arguments, assignments, `some`
 * and `every`; and for those of refs that nothing declares.
 */
export function declaredVars(found: (node: VarTerm) => void): Visitor {
  return {
    rule: ({ head }) => {
      for (const arg of head.args ?? []) for (const node of argumentVars(arg)) found(node);
    },
    expr: (expr) => {
      for (const { node } of declarationsOf(expr)) found(node);
      if (expr.kind === 'every')
        for (const node of [expr.key, expr.value]) if (node && !isWildcard(node.name)) found(node);
    },
    ref: (ref, place) => {
      for (const node of place.outputsOf(ref))
        if (!isWildcard(node.name) && findDeclarations(place.scope, node.name).length === 0) found(node);
    },
  };
}
