/** Constants out of loops. */

import { type Block, constantFunctions, effectsOf, type Policy, type Stmt } from '../../ir-schema/index.js';
import type { Value } from '../../values/index.js';
import { withReason } from '../plan/emit/notes.js';
import { isPlainCopy } from './copies.js';
import { LocalFlow } from './flow.js';
import { mapBodies, type PlanBody } from './map-bodies.js';
import { rewriteBlocks } from './rewrite.js';

/**
 * Moves statements that make a constant before the outermost loop around them. They cannot fail,
 * so it does not matter whether the loop would reach them. A local that has other values in the
 * loop stays in it.
 */
export function hoistConstants(policy: Policy): Policy {
  const literals = constantFunctions(policy);
  return mapBodies(policy, (body) => hoist(body, literals));
}

function hoist(body: PlanBody, literals: ReadonlyMap<string, Value>): readonly Block[] {
  const flow = new LocalFlow(body);
  /** The scans around a statement, outer ones first. */
  let scans: readonly { readonly at: number; readonly end: number }[] = [];
  const moved = new Set<number>();
  const before = new Map<number, Stmt[]>();
  for (const [position, node] of flow.nodes.entries()) {
    if (scans.at(-1)?.end === position) scans = scans.filter(({ end }) => end > position);
    const [target] = effectsOf(node).writes;
    if (scans.length > 0 && target !== undefined && isConstant(node, literals)) {
      const definition = flow.definitionAt(target, position);
      const scan = scans.find(({ at, end }) => flow.writes(target, at, end) === 1)?.at;
      if (scan !== undefined && definition !== undefined && isPlainCopy(definition, flow)) {
        moved.add(position);
        const list = before.get(scan);
        if (list === undefined) before.set(scan, [withReason(node, 'hoisted')]);
        else list.push(withReason(node, 'hoisted'));
      }
    }
    if (node.type === 'ScanStmt') scans = [...scans, { at: position, end: flow.ends[position] ?? position }];
  }
  if (moved.size === 0) return body.blocks;
  return rewriteBlocks(body.blocks, (node, position) => {
    if (moved.has(position)) return [];
    const ahead = before.get(position);
    return ahead && [...ahead, node];
  });
}

function isConstant(node: Stmt, literals: ReadonlyMap<string, Value>): boolean {
  switch (node.type) {
    case 'AssignIntStmt':
    case 'MakeNullStmt':
    case 'MakeNumberIntStmt':
    case 'MakeNumberRefStmt':
      return true;
    case 'AssignVarStmt':
      return node.stmt.source.type !== 'local';
    case 'CallStmt':
      return literals.has(node.stmt.func);
    default:
      return false;
  }
}
