/** Rules that assign their value to a local of their own first. */
import { type Block, isLocalOperand, type Policy, type Stmt } from '../../ir-schema/index.js';
import { LocalFlow } from './flow.js';
import { mapBodies, noteOfStatement, type PlanBody } from './map-bodies.js';
import { rewriteBlocks } from './rewrite.js';

/**
 * Compilers write a rule as a block that resets a local and assigns it the rule's value, and a
 * block after it that passes the value on to the function's result: rules with an `else` need
 * that. For other rules the first block may assign the result itself, as long as no error can
 * occur between the two: the first error must stay the first.
 */
export function assignResults(policy: Policy): Policy {
  const functions = new Set((policy.funcs?.funcs ?? []).map(({ name }) => name));
  return mapBodies(policy, (body) => assign(body, functions));
}

type Once = Stmt & { type: 'AssignVarOnceStmt' };

function assign(body: PlanBody, functions: ReadonlySet<string>): readonly Block[] {
  const { blocks } = body;
  if (blocks.length < 2) return blocks;
  const flow = new LocalFlow(body);
  /** Positions at which the outermost blocks begin. */
  const starts = new Set<number>();
  const replaced = new Map<number, readonly Stmt[]>();
  const gone = new Set<Block>();
  let end = 0;
  const placed = blocks.map((block) => {
    const start = end;
    if (block.stmts.length > 0) {
      starts.add(start);
      end = flow.blockEnds[start] ?? start;
    }
    return { block, start, end };
  });
  for (const [i, { block, ...range }] of placed.entries()) {
    const next = placed[i + 1];
    const handover = next === undefined || gone.has(block) ? undefined : handoverOf(block, next.block);
    if (next === undefined || handover === undefined) continue;
    const { local, keep } = handover;
    const position = ownAssignment(local, keep.stmt.target, range, flow, functions);
    if (position === undefined || isSeenAfter(local, next.end, starts, flow) || local === body.result) continue;
    const once = flow.nodes[position] as Once;
    const same = JSON.stringify(noteOfStatement(once)) === JSON.stringify(noteOfStatement(keep));
    if (!same && once.stmt.source.type === 'local' && isRepeated(position, range.start, flow)) continue;
    replaced.set(range.start, []);
    replaced.set(position, [{ type: 'AssignVarOnceStmt', stmt: { ...keep.stmt, source: once.stmt.source } }]);
    gone.add(next.block);
  }
  if (gone.size === 0) return blocks;
  const left = blocks.map((block) => gone.has(block));
  return rewriteBlocks(blocks, (_node, position) => replaced.get(position)).filter((_, i) => !left[i]);
}

/** The local that one block resets first and the next block only passes on. */
function handoverOf(
  { stmts: [reset] }: Block,
  { stmts: [test, keep, more] }: Block,
): { local: number; keep: Once } | undefined {
  if (reset?.type !== 'ResetLocalStmt' || test?.type !== 'IsDefinedStmt' || keep?.type !== 'AssignVarOnceStmt' || more)
    return undefined;
  const local = reset.stmt.target;
  const { source, target } = keep.stmt;
  return test.stmt.source === local && source.type === 'local' && source.value === local && target !== local
    ? { local, keep }
    : undefined;
}

/**
 * The position of the only statement of a block, after its first one, that mentions a local,
 * where the result may be assigned there instead.
 */
function ownAssignment(
  local: number,
  result: number,
  { start, end }: { readonly start: number; readonly end: number },
  flow: LocalFlow,
  functions: ReadonlySet<string>,
): number | undefined {
  const position = flow.firstMention(local, start + 1);
  if (position === undefined || position >= end) return undefined;
  const node = flow.nodes[position];
  if (node?.type !== 'AssignVarOnceStmt' || node.stmt.target !== local) return undefined;
  const { source } = node.stmt;
  if (isLocalOperand(source, local)) return undefined;
  const next = flow.firstMention(local, position + 1);
  const used = flow.firstMention(result, start);
  if ((next !== undefined && next < end) || (used !== undefined && used < end)) return undefined;
  const first = loopAround(position, start, flow);
  const others = flow.nodes.slice(first, end).filter((other) => other !== node);
  return others.some((other) => mayRaise(other, functions)) ? undefined : position;
}

/**
 * The position of the outermost loop around a statement of an outermost block, or of the
 * statement itself.
 */
function loopAround(position: number, start: number, flow: LocalFlow): number {
  for (let at = start; at < position; ) {
    const end = flow.ends[at]!;
    if (end > position && flow.nodes[at]?.type === 'ScanStmt') return at;
    at = end <= position ? end : at + 1;
  }
  return position;
}

function isRepeated(position: number, start: number, flow: LocalFlow): boolean {
  return loopAround(position, start, flow) !== position;
}

/** Whether blocks from a position on may read a local as earlier blocks left it. */
function isSeenAfter(local: number, position: number, starts: ReadonlySet<number>, flow: LocalFlow): boolean {
  const next = flow.firstMention(local, position);
  return next !== undefined && !(starts.has(next) && flow.nodes[next]?.type === 'ResetLocalStmt');
}

const calm: ReadonlySet<string> = new Set([
  'equal',
  'neq',
  'lt',
  'lte',
  'gt',
  'gte',
  'internal.member_2',
  'internal.member_3',
]);

/** Whether a statement may end the evaluation with an error. */
function mayRaise({ type, stmt }: Stmt, functions: ReadonlySet<string>): boolean {
  switch (type) {
    case 'AssignVarOnceStmt':
    case 'CallDynamicStmt':
    case 'ObjectInsertOnceStmt':
      return true;
    case 'CallStmt':
      return functions.has(stmt.func) || !calm.has(stmt.func);
    default:
      return false;
  }
}
