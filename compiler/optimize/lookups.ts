/** Look-ups out of loops. */
import type { Block, Policy, Stmt } from '../../ir-schema/plan.js';
import { type Body, mapBodies, placeOf } from './bodies.js';
import { isPlain } from './copies.js';
import { type Definition, LocalFlow } from './flow.js';
import { ownLocals } from './ownership.js';
import { rewriteBlocks, substitute } from './rewrite.js';

/**
 * Does look-ups that find the same in each round of a loop once, in front of the loop. One that finds nothing must cut the round short, not what is around the
 * loop, which may never run a round: it is done in a block of its own, and where it stood there is a test whether it found something, or nothing where the
 * next statements test that anyhow.
 */
export function hoistLookups(policy: Policy): Policy {
  return mapBodies(policy, hoist);
}

type Dot = Stmt & { type: 'DotStmt' };

interface Ahead {
  readonly scan: number;
  readonly local: number;
  readonly node: Dot;
}

interface Loop {
  readonly position: number;
  readonly end: number;
  /** Whether it stands directly in the block of the loop around it. */
  readonly direct: boolean;
}

function hoist(body: Body): readonly Block[] {
  const flow = new LocalFlow(body);
  const own = ownLocals(body.blocks);
  const loops: Loop[] = [];
  const ahead = new Map<Definition, Ahead>();
  /** Loops that stand in others. */
  const inner = new Set<number>();
  /** Whether a statement stands in the innermost loop's block itself, not in a block inside. */
  const isDirect = (position: number) => loops.length > 0 && flow.depths[position] === flow.depths[loops.at(-1)!.position]! + 1;
  let next = flow.locals;
  for (const [position, node] of flow.nodes.entries()) {
    while (loops.length > 0 && loops.at(-1)!.end <= position) loops.pop();
    if (node.type === 'DotStmt' && isDirect(position)) {
      const definition = flow.definitionAt(node.stmt.target, position);
      if (definition !== undefined && isPlain(definition, flow)) {
        const scan = outermost(node, position, loops, flow, own, ahead);
        if (scan !== undefined) ahead.set(definition, { scan, local: next++, node });
      }
    }
    if (node.type === 'ScanStmt') {
      if (loops.length > 0) inner.add(position);
      loops.push({ position, end: flow.ends[position]!, direct: isDirect(position) });
    }
  }
  if (ahead.size === 0) return body.blocks;
  return rewritten(body, flow, ahead, inner);
}

/** The outermost loop that does not change what a look-up finds, as long as loops stand directly in one another. */
function outermost(
  { stmt: { source, key } }: Dot,
  position: number,
  loops: readonly Loop[],
  flow: LocalFlow,
  own: ReadonlySet<number>,
  ahead: ReadonlyMap<Definition, Ahead>,
): number | undefined {
  if (source.type !== 'local') return undefined;
  let found: number | undefined;
  for (let i = loops.length - 1; i >= 0; i--) {
    const loop = loops[i]!;
    const keeps = [source, key].every((operand) => {
      if (operand.type !== 'local') return true;
      if (own.has(operand.value)) return false;
      const definition = flow.definition(operand.value, position);
      const moved = definition && ahead.get(definition);
      if (moved !== undefined) return moved.scan <= loop.position;
      return !flow.isWritten(operand.value, loop.position, loop.end);
    });
    if (!keeps) break;
    found = loop.position;
    if (!loop.direct) break;
  }
  return found;
}

function rewritten(body: Body, flow: LocalFlow, ahead: ReadonlyMap<Definition, Ahead>, inner: ReadonlySet<number>): readonly Block[] {
  const byScan = Map.groupBy(ahead.entries(), ([, { scan }]) => scan);
  const renamed = (node: Stmt, position: number): Stmt =>
    substitute(node, (local) => {
      const definition = flow.definition(local, position);
      const moved = definition && ahead.get(definition);
      return moved && { type: 'local', value: moved.local };
    });
  return rewriteBlocks(body.blocks, (node, position) => {
    if (node.type === 'DotStmt') {
      const definition = flow.definitionAt(node.stmt.target, position);
      const moved = definition && ahead.get(definition);
      if (moved !== undefined) {
        if (isTestedNext(definition!, flow)) return [];
        return [{ type: 'IsDefinedStmt', stmt: { source: moved.local, ...placeOf(node) } }];
      }
    }
    const copy = renamed(node, position);
    const lookups = byScan.get(position);
    if (lookups === undefined) return copy === node ? undefined : [copy];
    const resets = lookups.map(([, moved]): Stmt => ({ type: 'ResetLocalStmt', stmt: { target: moved.local, ...placeOf(moved.node) } }));
    const blocks = lookups.map(([definition, { local, node: dot }]): Block => {
      const { stmt } = renamed(dot, definition.position) as Dot;
      return { stmts: [{ type: 'DotStmt', stmt: { ...stmt, target: local } }] };
    });
    const made: Stmt = { type: 'BlockStmt', stmt: { blocks, ...placeOf(node) } };
    // Only what runs again finds what it left.
    return inner.has(position) ? [...resets, made, copy] : [made, copy];
  });
}

/** Whether the next statements of the block cannot come to an effect without a value in a local. */
function isTestedNext({ local, position }: Definition, flow: LocalFlow): boolean {
  for (let at = flow.ends[position]!; at < flow.blockEnds[position]!; at = flow.ends[at]!) {
    const { type, stmt } = flow.nodes[at]!;
    const reads = (...operands: readonly { readonly type: string; readonly value: unknown }[]) =>
      operands.some((operand) => operand.type === 'local' && operand.value === local);
    switch (type) {
      case 'DotStmt':
        if (reads(stmt.source, stmt.key)) return true;
        if (flow.isLoose(stmt.target)) return false;
        break;
      case 'EqualStmt':
      case 'NotEqualStmt':
        if (reads(stmt.a, stmt.b)) return true;
        break;
      case 'IsArrayStmt':
      case 'IsObjectStmt':
      case 'IsSetStmt':
        if (reads(stmt.source)) return true;
        break;
      case 'LenStmt':
        if (reads(stmt.source)) return true;
        if (flow.isLoose(stmt.target)) return false;
        break;
      default:
        return false;
    }
  }
  return false;
}
