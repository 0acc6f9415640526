/** Look-ups out of loops. */

import { type Block, effectsOf, madeLocals, type Policy, type Stmt } from '../../ir-schema/index.js';
import { withReason } from '../plan/emit/notes.js';
import { isPlainCopy } from './copies.js';
import { type Definition, LocalFlow } from './flow.js';
import { mapBodies, type PlanBody } from './map-bodies.js';
import { rewriteBlocks } from './rewrite.js';

/**
 * Moves look-ups with the same result in each round of a loop before the loop. Where one finds
 * nothing, the statements after the loop in its block are no longer reached. So the loop must be
 * the last statement there, and being cut short must equal ending; and a round must only look up
 * and compare before it reaches the look-up. Then a loop whose rounds all fail has the same
 * effect as one that is not started.
 */
export function withHoistedLookups(policy: Policy): Policy {
  return mapBodies(policy, hoist);
}

interface Loop {
  readonly position: number;
  readonly end: number;
  /** Whether the effect is the same if the loop is not started. */
  readonly last: boolean;
  /** Whether its statements so far only look up and compare. */
  idle: boolean;
}

interface Hoisting {
  readonly flow: LocalFlow;
  readonly made: ReadonlySet<number>;
  /** The loops before which look-ups were moved, by the locals that these define. */
  readonly ahead: ReadonlyMap<Definition, number>;
}

function hoist(body: PlanBody): readonly Block[] {
  const flow = new LocalFlow(body);
  const made = madeLocals(body.blocks, { scanned: true });
  const loops: Loop[] = [];
  const moved = new Map<number, number>();
  const ahead = new Map<Definition, number>();
  const before = new Map<number, Stmt[]>();
  for (const [position, node] of flow.nodes.entries()) {
    const loop = innermost(loops, position);
    const direct = loop !== undefined && flow.parents[position] === loop.position;
    if (direct && node.type === 'DotStmt') {
      const definition = flow.definitionAt(node.stmt.target, position);
      const scan =
        definition && isPlainCopy(definition, flow)
          ? outermost(node, position, loops, { flow, made, ahead })
          : undefined;
      if (definition !== undefined && scan !== undefined) {
        ahead.set(definition, scan);
        moved.set(position, scan);
        const list = before.get(scan);
        if (list === undefined) before.set(scan, [withReason(node, 'hoisted')]);
        else list.push(withReason(node, 'hoisted'));
      }
    }
    if (node.type === 'ScanStmt')
      loops.push({ position, end: flow.ends[position]!, last: isLast(node, position, flow), idle: true });
    else if (direct && loop.idle) loop.idle = isIdle(node, flow);
  }
  if (moved.size === 0) return body.blocks;
  return rewriteBlocks(body.blocks, (node, position) => {
    if (moved.has(position)) return [];
    const list = before.get(position);
    return list && [...list, node];
  });
}

/** Drops the loops that have ended before a position; answers the innermost one around it. */
function innermost(loops: Loop[], position: number): Loop | undefined {
  for (let last = loops.at(-1); last !== undefined && last.end <= position; last = loops.at(-1)) {
    loops.pop();
    const outer = loops.at(-1);
    // The effects of an inner loop stay, whether or not later statements fail.
    if (outer) outer.idle = false;
  }
  return loops.at(-1);
}

/**
 * Whether a loop that is not started, ending the block instead, has the effect of a loop that
 * does nothing.
 */
function isLast(scan: Stmt & { type: 'ScanStmt' }, position: number, flow: LocalFlow): boolean {
  if (flow.ends[position] !== flow.blockEnds[position]) return false;
  const holder = flow.nodes[flow.parents[position]!]?.type;
  if (holder === 'NotStmt' || holder === 'WithStmt') return false;
  return !flow.isLoose(scan.stmt.key) && !flow.isLoose(scan.stmt.value);
}

/**
 * The outermost loop before which a look-up can be moved, of loops that each are directly in the
 * next.
 */
function outermost(
  { stmt: { source, key, target } }: Stmt & { type: 'DotStmt' },
  position: number,
  loops: readonly Loop[],
  { flow, made, ahead }: Hoisting,
): number | undefined {
  let found: number | undefined;
  for (const [i, loop] of [...loops.entries()].reverse()) {
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

/** Whether a statement has no visible effect once its block was cut short, and raises no error. */
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
