/** Names that hide `input` and `data`: errors in version 1, and in strict mode. */

import { isRootName } from '../ast/names.js';
import type { Body, Node, Rule } from '../ast/nodes.js';
import { walk } from '../ast/walk.js';
import { isAssignment, rootName } from '../resolve/expression-kinds.js';
import { type Context, report } from '../resolve/working-module.js';

/** `assigns` says whether an assignment to a root may stand anywhere in the text. */
export function checkRuleOverrides(
  rules: readonly Rule[],
  context: Pick<Context, 'diagnostics'>,
  assigns: boolean,
): void {
  for (const { head, loc } of rules) {
    const first = head.ref[0];
    if (first.type === 'var' && isRootName(first.name)) report(context, 'rulesShadow', loc, { name: first.name });
  }
  if (assigns) checkAssignments(rules, context);
}

export function checkBodyOverrides(body: Body, context: Context): void {
  checkAssignments(body, context);
}

function checkAssignments(nodes: readonly Node[], context: Pick<Context, 'diagnostics'>): void {
  const visit = (node: Node): void => {
    if (node.type !== 'expr' || !isAssignment(node)) return;
    const root = rootName(node.args[0]);
    if (root !== undefined) report(context, 'variablesShadow', node.loc, { name: root });
  };
  for (const node of nodes) walk(node, visit);
}
