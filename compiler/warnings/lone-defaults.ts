/** Defaults of names that no rule gives another value. */

import { printRef, printTerm } from '../ast/print.js';
import type { Warnings } from '../diagnostics/warnings.js';
import { closest } from '../hints/closest.js';
import type { Compiled } from '../resolve/compiled.js';
import { childNames, findNode, type RuleTree, walkRules } from '../resolve/tree.js';
import type { KnownNames } from './known-names.js';

export function findLoneDefaults({ ruleTree }: Compiled, names: KnownNames, warnings: Warnings): void {
  walkRules(ruleTree, (node) => {
    const [first] = node.rules;
    if (first === undefined || !node.rules.every(({ rule }) => rule.default) || node.children.size > 0)
      return undefined;
    const { rule, ref } = first;
    const path = ref.slice(1).flatMap((term) => (term.type === 'string' ? [term.value] : []));
    if (rule.head.value === undefined || names.isGiven(path)) return undefined;
    const above = findNode(ruleTree, ref.slice(0, -1));
    const meant = above && closest(nameOf(node), ruledNames(above, node));
    if (meant === undefined && names.isElsewhere(path)) return undefined;
    const name = printRef(rule.head.ref);
    const value = printTerm(rule.head.value);
    warnings.report('loneDefault', rule.loc, { name, value, isFunction: rule.head.args !== undefined, meant });
    return undefined;
  });
}

function nameOf({ key }: RuleTree): string {
  return key.type === 'string' ? key.value : '';
}

/** The names beside a node that have rules and no default of their own. */
function ruledNames(above: RuleTree, node: RuleTree): readonly string[] {
  const ruled = [...above.children.values()].filter(
    ({ rules }) => rules.length > 0 && !rules.some(({ rule }) => rule.default),
  );
  const names = new Set(ruled.map(nameOf));
  return childNames(above).filter((name) => name !== nameOf(node) && names.has(name));
}
