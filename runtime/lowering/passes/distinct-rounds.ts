/**
 * Finds loops whose rounds depend on a few values in the element only, and have no effect where an
 * earlier round had the same values: `{user: total | some e in events; user := e.user; …}` computes
 * the total of a user once, not once for each of the user's events.
 */

import { type Block, effectsOf, exposedReads, isLocalOperand, type Stmt } from '../../../ir-schema/index.js';
import { pathKey } from '../../../values/index.js';
import type { FunctionFacts } from '../facts/function-facts.js';
import type { PlanFacts } from '../facts/plan-facts.js';

type Scan = Stmt & { readonly type: 'ScanStmt' };

/** Longer blocks are not analysed: each enclosing loop would read them again. */
const maxStatements = 300;

/** Rounds seldom repeat more values, and to compare these takes as long as a short round. */
const maxPaths = 2;

/** Accesses of the statements of a block to locals. */
interface Accesses {
  /** Apart from the reads that a statement needs for its own write. */
  readonly reads: Set<number>;
  readonly writes: Set<number>;
  /** Locals that `AssignVarOnce` writes: the same value again changes nothing. */
  readonly once: Set<number>;
  /** Sets and objects that get a member or entry: the same one again changes nothing. */
  readonly adds: Set<number>;
  readonly mutates: Set<number>;
  /** Locals that hold the element or a part of it, with the part's path; `keyPath` is the key. */
  readonly parts: Map<number, Path>;
  /** Parts that are looked up: a part that is not there cuts the block short. */
  readonly lookedUp: Set<Path>;
  /** Parts that statements read otherwise than to look up a part of them. */
  readonly used: Set<Path>;
  hasLoop: boolean;
  /** Whether a round makes a collection, and nothing but a missing part cuts it short. */
  makes: boolean;
  isStraight: boolean;
}

/** Statements that only read the element, and make collections of its parts. */
const straight: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([
  ...([
    'AssignVarStmt',
    'DotStmt',
    'MakeArrayStmt',
    'MakeObjectStmt',
    'MakeSetStmt',
    'MakeNumberIntStmt',
    'MakeNumberRefStmt',
  ] as const),
  ...([
    'MakeNullStmt',
    'ArrayAppendStmt',
    'ObjectInsertStmt',
    'ObjectInsertOnceStmt',
    'SetAddStmt',
    'NopStmt',
  ] as const),
]);

type Path = readonly string[];

/** Stands for the element's key. */
const keyPath: Path = [];

/** The values on which a round of a loop depends. */
interface DistinctRounds {
  /** Below an element. */
  readonly paths: readonly Path[];
  /** Whether to compare values takes less time than a round. */
  readonly areLong: boolean;
}

/** Undefined where rounds with the same values must all run. */
export function distinctRounds(scan: Scan, facts: FunctionFacts): DistinctRounds | undefined {
  const { key, value, block } = scan.stmt;
  const { uses } = facts;
  if (block === null || key === value || facts.mutations !== 'unaliased') return undefined;
  const [start, end] = uses.span(scan, block);
  if (end - start > maxStatements) return undefined;
  const isInner = (local: number): boolean => !uses.shared.has(local) && uses.readOnlyAfter(local, scan, block);
  if (![key, value].every((local) => uses.of(local).definitions === 1 && isInner(local))) return undefined;
  const accesses: Accesses = {
    reads: new Set(),
    writes: new Set(),
    once: new Set(),
    adds: new Set(),
    mutates: new Set(),
    parts: new Map([
      [key, keyPath],
      [value, []],
    ]),
    lookedUp: new Set(),
    used: new Set(),
    hasLoop: false,
    makes: false,
    isStraight: true,
  };
  const isPart = (local: number) => uses.of(local).definitions === 1 && isInner(local);
  if (!readsBlock(block, accesses, facts.plan, isPart) || accesses.used.has(keyPath)) return undefined;
  const exposed = exposedReads(block);
  const isOfRound = (local: number) => !exposed.has(local) && isInner(local);
  const { reads, writes, once, adds, mutates } = accesses;
  const isOnlyAdded = (local: number) =>
    !reads.has(local) && !writes.has(local) && !once.has(local) && !mutates.has(local);
  const isOnlyAssigned = (local: number) =>
    !reads.has(local) && !writes.has(local) && !adds.has(local) && !mutates.has(local);
  const repeats =
    [...writes, ...mutates].every(isOfRound) &&
    [...adds].every((local) => isOfRound(local) || isOnlyAdded(local)) &&
    [...once].every((local) => isOfRound(local) || isOnlyAssigned(local));
  const paths = pathsOf(accesses);
  return repeats && paths.length > 0 && paths.length <= maxPaths && !isWalk(scan.stmt.source, facts)
    ? { paths, areLong: accesses.hasLoop || (accesses.makes && accesses.isStraight) }
    : undefined;
}

/** Whether a local has the result of `walk` alone: no two pairs of it are the same. */
function isWalk(local: number, { uses, arrays }: FunctionFacts): boolean {
  return uses.of(local).definitions === 1 && arrays.walks.has(local);
}

/** The values to compare. A part of which a part is there is there itself. */
function pathsOf({ lookedUp, used }: Accesses): readonly Path[] {
  const paths = new Map<string, Path>();
  for (const path of used) paths.set(pathKey(path), path);
  for (const path of lookedUp) {
    const isAbove = [...lookedUp].some(
      (other) => other.length > path.length && path.every((key, i) => key === other[i]),
    );
    if (!isAbove) paths.set(pathKey(path), path);
  }
  return [...paths.values()];
}

/** Records the accesses of a block; false if a statement in it must run in each round. */
function readsBlock(block: Block, accesses: Accesses, plan: PlanFacts, isPart: (local: number) => boolean): boolean {
  const { parts } = accesses;
  return block.stmts.every((node) => {
    const { type, stmt } = node;
    if (!straight.has(type)) accesses.isStraight = false;
    if (type === 'MakeArrayStmt' || type === 'MakeObjectStmt' || type === 'MakeSetStmt') accesses.makes = true;
    if (type === 'ReturnLocalStmt' || type === 'ResultSetAddStmt' || type === 'WithStmt' || type === 'CallDynamicStmt')
      return false;
    if (type === 'CallStmt' && !plan.repeatable.has(stmt.func)) return false;
    if (type === 'ScanStmt') {
      // A loop over a part has rounds only where that is no scalar, and scalars alone are compared.
      if (parts.has(stmt.source)) return false;
      accesses.hasLoop = true;
    }
    const { reads, writes, mutates, blocks } = effectsOf(node);
    const part = partOf(node, parts, plan.string);
    if (part !== undefined && isPart(part.target)) {
      parts.set(part.target, part.path);
      if (type === 'DotStmt') accesses.lookedUp.add(part.path);
    } else for (const local of reads) readLocal(local, node, accesses);
    for (const local of writes) (type === 'AssignVarOnceStmt' ? accesses.once : accesses.writes).add(local);
    const isRepeatable = type === 'SetAddStmt' || type === 'ObjectInsertOnceStmt';
    for (const local of mutates) (isRepeatable ? accesses.adds : accesses.mutates).add(local);
    return blocks.every((inner) => readsBlock(inner, accesses, plan, isPart));
  });
}

function readLocal(local: number, node: Stmt, { reads, parts, used }: Accesses): void {
  const path = parts.get(local);
  if (path !== undefined) used.add(path);
  if (!isOwnRead(local, node)) reads.add(local);
}

/** Whether a statement only reads a local to write it, and not as an operand. */
function isOwnRead(local: number, { type, stmt }: Stmt): boolean {
  if (type === 'AssignVarOnceStmt') return stmt.target === local && !isLocalOperand(stmt.source, local);
  if (type === 'SetAddStmt') return stmt.set === local && !isLocalOperand(stmt.value, local);
  if (type !== 'ObjectInsertOnceStmt' || stmt.object !== local) return false;
  return [stmt.key, stmt.value].every((operand) => operand.type !== 'local' || operand.value !== local);
}

/** The part of the element that a statement looks up or copies. */
function partOf(
  { type, stmt }: Stmt,
  parts: ReadonlyMap<number, Path>,
  stringAt: (index: number) => string,
): { readonly target: number; readonly path: Path } | undefined {
  if ((type !== 'AssignVarStmt' && type !== 'DotStmt') || stmt.source.type !== 'local') return undefined;
  const path = parts.get(stmt.source.value);
  if (path === undefined) return undefined;
  if (type === 'AssignVarStmt') return { target: stmt.target, path };
  return stmt.key.type === 'string_index' && path !== keyPath
    ? { target: stmt.target, path: [...path, stringAt(stmt.key.value)] }
    : undefined;
}
