/** Look-ups out of loops. */
import { effectsOf } from '../../ir-schema/effects.js';
import { madeLocals } from '../../ir-schema/made-locals.js';
import type { Block, Policy, Stmt } from '../../ir-schema/plan.js';
import { type Body, mapBodies } from './bodies.js';
import { isPlain } from './copies.js';
import { type Definition, LocalFlow } from './flow.js';
import { rewriteBlocks } from './rewrite.js';

/**
 * Puts look-ups that find the same in each round of a loop in front of it. Where one finds nothing, what follows the loop in its block would no longer be
 * reached, so the loop must be the last statement there, and being cut short as good as coming to the end; and a round must do nothing but look and compare
 * before it comes to the look-up. Then a loop whose every round fails and a loop that is not begun leave the same behind.
 */
export function hoistLookups(policy: Policy): Policy {
  return mapBodies(policy, hoist);
}

interface Loop {
  readonly position: number;
  readonly end: number;
  /** Whether nothing tells that the loop was not begun. */
  readonly last: boolean;
  /** Whether what was seen of its block so far does nothing but look and compare. */
  idle: boolean;
}

function hoist(body: Body): readonly Block[] {
  const flow = new LocalFlow(body);
  const made = madeLocals(body.blocks, { scanned: true });
  const loops: Loop[] = [];
  const moved = new Map<number, number>();
  const ahead = new Map<Definition, number>();
  const before = new Map<number, Stmt[]>();
  for (const [position, node] of flow.nodes.entries()) {
    while (loops.length > 0 && loops.at(-1)!.end <= position) {
      loops.pop();
      // What an inner loop did is done, whatever becomes of the statements behind it.
      if (loops.length > 0) loops.at(-1)!.idle = false;
    }
    const loop = loops.at(-1);
    const direct = loop !== undefined && flow.parents[position] === loop.position;
    if (direct && node.type === 'DotStmt') {
      const definition = flow.definitionAt(node.stmt.target, position);
      const scan = definition && isPlain(definition, flow) ? outermost(node, position, loops, flow, made, ahead) : undefined;
      if (scan !== undefined) {
        ahead.set(definition!, scan);
        moved.set(position, scan);
        const list = before.get(scan);
        if (list === undefined) before.set(scan, [node]);
        else list.push(node);
      }
    }
    if (node.type === 'ScanStmt') loops.push({ position, end: flow.ends[position]!, last: isLast(node, position, flow), idle: true });
    else if (direct && loop.idle) loop.idle = isIdle(node, flow);
  }
  if (moved.size === 0) return body.blocks;
  return rewriteBlocks(body.blocks, (node, position) => {
    if (moved.has(position)) return [];
    const list = before.get(position);
    return list && [...list, node];
  });
}

/** Whether a loop that is not begun, and ends the block instead, leaves behind what a loop without effect does. */
function isLast(scan: Stmt & { type: 'ScanStmt' }, position: number, flow: LocalFlow): boolean {
  if (flow.ends[position] !== flow.blockEnds[position]) return false;
  const holder = flow.nodes[flow.parents[position]!]?.type;
  if (holder === 'NotStmt' || holder === 'WithStmt') return false;
  return !flow.isLoose(scan.stmt.key) && !flow.isLoose(scan.stmt.value);
}

/** The outermost of the loops around a look-up, each standing directly in the next, that the look-up can be put in front of. */
function outermost(
  { stmt: { source, key, target } }: Stmt & { type: 'DotStmt' },
  position: number,
  loops: readonly Loop[],
  flow: LocalFlow,
  made: ReadonlySet<number>,
  ahead: ReadonlyMap<Definition, number>,
): number | undefined {
  let found: number | undefined;
  for (let i = loops.length - 1; i >= 0; i--) {
    const loop = loops[i]!;
    const keeps = [source, key].every((operand) => {
      if (operand.type !== 'local') return true;
      if (made.has(operand.value)) return false;
      const definition = flow.definition(operand.value, position);
      const scan = definition && ahead.get(definition);
      return scan === undefined ? !flow.isWritten(operand.value, loop.position, loop.end) : scan <= loop.position;
    });
    if (!keeps || !loop.last || !loop.idle || flow.writes(target, loop.position, loop.end) !== 1) break;
    found = loop.position;
    if (flow.parents[loop.position] !== loops[i - 1]?.position) break;
  }
  return found;
}

/** Whether a statement does nothing that is seen once its block was cut short, and raises no error. */
function isIdle(node: Stmt, flow: LocalFlow): boolean {
  switch (node.type) {
    case 'DotStmt':
    case 'LenStmt':
    case 'AssignIntStmt':
    case 'AssignVarStmt':
    case 'MakeNullStmt':
    case 'MakeNumberIntStmt':
    case 'MakeNumberRefStmt':
      return effectsOf(node).writes.every((local) => !flow.isLoose(local));
    case 'EqualStmt':
    case 'NotEqualStmt':
    case 'IsArrayStmt':
    case 'IsDefinedStmt':
    case 'IsObjectStmt':
    case 'IsSetStmt':
    case 'IsUndefinedStmt':
    case 'NopStmt':
      return true;
    default:
      return false;
  }
}
