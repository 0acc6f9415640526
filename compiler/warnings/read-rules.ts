/** The rules that a query reads, directly or through others. */

import type { Body } from '../ast/nodes.js';
import { walk } from '../ast/walk.js';
import type { Compiled } from '../resolve/compiled.js';
import type { CompiledRule } from '../resolve/compiled-rule.js';
import { rulesRead } from '../resolve/tree.js';

export function rulesReadBy(query: Body, { ruleTree, graph }: Compiled): ReadonlySet<CompiledRule> {
  const found = new Set<CompiledRule>();
  for (const expr of query)
    walk(expr, (node) => {
      if (node.type === 'ref') for (const rule of rulesRead(ruleTree, node.terms)) found.add(rule);
    });
  // A set has what is added while it is gone through.
  for (const rule of found) for (const other of graph.dependencies(rule)) found.add(other);
  return found;
}
