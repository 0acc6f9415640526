/** Values that are never read. */

import { type Block, constantFunctions, effectsOf, makesValue, type Policy, type Stmt } from '../../ir-schema/index.js';
import type { Value } from '../../values/index.js';
import { type Definition, LocalFlow } from './flow.js';
import { mapBodies, type PlanBody } from './map-bodies.js';
import { rewriteBlocks } from './rewrite.js';

/**
 * Removes statements that only assign a local which is never read, and then the statements that
 * only those read.
 */
export function removeUnused(policy: Policy): Policy {
  const constants = constantFunctions(policy);
  return mapBodies(policy, (body) => removeFrom(body, constants));
}

function removeFrom(body: PlanBody, constants: ReadonlyMap<string, Value>): readonly Block[] {
  const flow = new LocalFlow(body);
  const removed = new Set<number>();
  const waiting: { readonly node: Stmt; readonly position: number }[] = [];
  const consider = (node: Stmt, position: number): void => {
    const [target] = effectsOf(node).writes;
    if (target === undefined || removed.has(position) || !onlyAssigns(node, constants)) return;
    if (flow.isLoose(target) || (flow.definitionAt(target, position)?.reads ?? 0) > 0) return;
    // Engines accept a mutation because of the statement that makes the value.
    if (makesCollection(node) && flow.isMutated(target)) return;
    removed.add(position);
    waiting.push({ node, position });
  };
  for (const [position, node] of flow.nodes.entries()) consider(node, position);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const local of effectsOf(next.node).reads) {
      const seen: Definition | undefined = flow.definition(local, next.position);
      if (seen === undefined) continue;
      seen.reads--;
      if (seen.node !== undefined) consider(seen.node, seen.position);
    }
  }
  return removed.size === 0
    ? body.blocks
    : rewriteBlocks(body.blocks, (_node, position) => (removed.has(position) ? [] : undefined));
}

function makesCollection({ type }: Stmt): boolean {
  return type === 'MakeArrayStmt' || type === 'MakeObjectStmt' || type === 'MakeSetStmt';
}

/** Whether a statement always goes on and does nothing but write one local. */
function onlyAssigns(node: Stmt, constants: ReadonlyMap<string, Value>): boolean {
  if (node.type === 'CallStmt') return constants.has(node.stmt.func);
  return makesValue(node) || node.type === 'AssignVarStmt' || node.type === 'ResetLocalStmt';
}
