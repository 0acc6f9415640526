/** No rule may depend on itself. */

import type { Steps } from '../../values/index.js';
import { printRef } from '../ast/print.js';
import type { CompiledRule } from '../resolve/compiled-rule.js';
import type { RuleGraph } from '../resolve/graph.js';
import { elseChain } from '../resolve/links.js';
import { entangle } from '../resolve/narrowed.js';
import { type Context, report } from '../resolve/working-module.js';
import { writtenRef } from './written.js';

/**
 * As `checkRecursion`, where there was none before some rules changed: it goes through one of them.
 */
export function* checkChangedRecursion(graph: RuleGraph, changed: Iterable<CompiledRule>, context: Context): Steps {
  const rules = [...changed];
  const groups = yield* graph.groupsFrom(rules);
  entangle(yield* graph.entangled(rules));
  const found = groups.filter((group) => isRecursive(group, graph));
  yield;
  if (found.length === 0) return;
  // Several are reported in the order in which a look at all rules finds them.
  if (found.length > 1) yield* graph.group();
  yield* checkGroups(found.length === 1 ? found : graph.groups, graph, context);
}

function isRecursive(group: readonly CompiledRule[], graph: RuleGraph): boolean {
  return group.length > 1 || group.some((rule) => graph.dependencies(rule).has(rule));
}

/**
 * Reports each rule, or `else` of one, from which a way leads back to it. Only rules that read each
 * other are looked at.
 */
export function* checkRecursion(graph: RuleGraph, context: Context): Steps {
  const { groups } = graph;
  yield* checkGroups(groups, graph, context);
  entangle(yield* graph.entangled(groups.flat()));
}

function* checkGroups(groups: RuleGraph['groups'], graph: RuleGraph, context: Context): Steps {
  for (const group of groups) {
    if (!isRecursive(group, graph)) continue;
    const members = new Set(group);
    for (const rule of group.toSorted(inOrderOfText)) {
      let i = 0;
      for (const link of elseChain(rule.rule)) {
        const path = yield* wayBack(rule, graph.links(rule)[i++]!, members, graph);
        if (path && !context.diagnostics.full) {
          const name = printRef(writtenRef(rule));
          report(context, 'recursion', link.loc, { name, path: path.map((step) => printRef(writtenRef(step))) });
        }
      }
      if (context.diagnostics.full) return;
      yield;
    }
  }
}

function inOrderOfText(a: CompiledRule, b: CompiledRule): number {
  if (a.module !== b.module) return a.module.name < b.module.name ? -1 : 1;
  return a.rule.loc.start - b.rule.loc.start;
}

/** The shortest path from the rules that a link reads back to its rule, both ends included. */
function* wayBack(
  rule: CompiledRule,
  reads: ReadonlySet<CompiledRule>,
  members: ReadonlySet<CompiledRule>,
  graph: RuleGraph,
): Steps<readonly CompiledRule[] | undefined> {
  const from = new Map<CompiledRule, CompiledRule | undefined>();
  let level: CompiledRule[] = [];
  for (const next of reads) {
    if (next === rule) return [rule, rule];
    if (!members.has(next)) continue;
    from.set(next, undefined);
    level.push(next);
  }
  while (level.length > 0) {
    const following: CompiledRule[] = [];
    for (const node of level) {
      yield;
      for (const next of graph.dependencies(node)) {
        if (next === rule) return [rule, ...trace(node, from), rule];
        if (!members.has(next) || from.has(next)) continue;
        from.set(next, node);
        following.push(next);
      }
    }
    level = following;
  }
  return undefined;
}

function trace(end: CompiledRule, from: ReadonlyMap<CompiledRule, CompiledRule | undefined>): CompiledRule[] {
  const way: CompiledRule[] = [];
  for (let node: CompiledRule | undefined = end; node; node = from.get(node)) way.push(node);
  return way.reverse();
}
