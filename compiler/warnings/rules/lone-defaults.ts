/** Defaults of names that no rule gives another value. */

import type { Term } from '../../ast/nodes.js';
import { printRef, printTerm } from '../../ast/print.js';
import { closest } from '../../hints/closest.js';
import { childNames, findNode, type RuleTree, walkRules } from '../../resolve/tree.js';
import type { WarningSearch } from '../warning-search.js';

export function findLoneDefaults({ compiled: { ruleTree }, names, warnings }: WarningSearch): void {
  walkRules(ruleTree, (node) => {
    const [first] = node.rules;
    if (first === undefined || !node.rules.every(({ rule }) => rule.default) || node.children.size > 0)
      return undefined;
    const { rule, ref } = first;
    const path = ref.slice(1).flatMap((term) => (term.type === 'string' ? [term.value] : []));
    const { value } = rule.head;
    if (value === undefined || isEmptyCollection(value) || names.isGiven(path)) return undefined;
    const above = findNode(ruleTree, ref.slice(0, -1));
    const meant = above && closest(nameOf(node), ruledNames(above, node));
    if (meant === undefined && names.isElsewhere(path)) return undefined;
    const name = printRef(rule.head.ref);
    warnings.report('loneDefault', rule.loc, {
      name,
      value: printTerm(value),
      isFunction: rule.head.args !== undefined,
      meant,
    });
    return undefined;
  });
}

/** Empty collections are there to be filled in: `empty-collection` tells where they are not. */
function isEmptyCollection(term: Term): boolean {
  if (term.type === 'array' || term.type === 'set') return term.items.length === 0;
  return term.type === 'object' && term.entries.length === 0;
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
