/** Facts about the array of a scan. */
import type { Block, Operand as PlanOperand, Stmt } from '../../../ir-schema/plan.js';
import { blocksOf } from '../../../ir-schema/walk.js';
import { pathKey } from '../../../values/path-key.js';
import type { Context } from '../context.js';
import type { FunctionFacts } from '../facts.js';
import type { Index, LoweredStmt, Operand, Register, ScanGroups, ScanIndex } from '../lowered.js';
import { FirstRound } from './first-round.js';
import { indexedScan } from './indexed-scan.js';

type Scan = Stmt & { readonly type: 'ScanStmt' };

/**
 * Whether a scan must walk a copy of its array, since its rounds may make the array longer. An
 * array that is mutated has one name only where nothing that is mutated has another.
 */
export function walksCopy({ stmt: { source, block } }: Scan, facts: FunctionFacts): boolean {
  if (block === null || (facts.areKnown && !facts.made.has(source))) return false;
  return appends(block, facts.mutations === 'unaliased' ? source : undefined);
}

/** Whether a block appends to an array: to that of a local, or to any. */
function appends(block: Block, to: number | undefined): boolean {
  return block.stmts.some((node) => {
    if (node.type === 'ArrayAppendStmt' && (to === undefined || node.stmt.array === to)) return true;
    return blocksOf(node).some((inner) => appends(inner, to));
  });
}

/**
 * The index that a scan may use. Elements that may change in the array are in no index.
 * @param distinct the paths of values on which a round depends, if rounds may be left out
 * @param rounds see `ScanGroups`
 */
export function scanIndex(
  scan: Scan,
  origin: Index,
  distinct: readonly (readonly string[])[],
  rounds: Register | undefined,
  context: Context,
): ScanIndex | undefined {
  const { facts, lookups, registers, tables } = context;
  const { source } = scan.stmt;
  if (facts.mutations !== 'unaliased' && facts.made.has(source)) return undefined;
  const found = indexedScan(scan, context);
  if (found === undefined) return undefined;
  const { match, second, steps, reached } = found;
  const path = match.above === undefined ? tables.path(match.path) : tables.path(match.path, match.above);
  const above = match.above === undefined ? undefined : tables.path(match.above);
  const parts = {
    path,
    above,
    reached: reached.length === 0 ? undefined : tables.constant(reached),
    lasting: lookups.isData(source),
    found: registers.temporaries(1),
  };
  const first = new FirstRound(origin, context);
  const ahead = context.collect(() => {
    for (const step of steps) first.lower(step);
  });
  // The values of the first round are undefined if a step of it is.
  const resets: LoweredStmt[] = [];
  const moves: LoweredStmt[] = [];
  const operandOf = (wanted: PlanOperand): Operand => {
    const operand = first.operand(wanted);
    if (ahead.length === 0) return operand;
    const target = registers.temporaries(1);
    resets.push({ kind: 'reset', origin, target });
    moves.push({ kind: 'move', origin, target, source: operand });
    return target;
  };
  const wanted = operandOf(match.wanted);
  const other = second === undefined ? undefined : { path: tables.path(second.path), wanted: operandOf(second.wanted) };
  // All found elements have the wanted value.
  const paths = distinct.filter((one) => match.above !== undefined || pathKey(one) !== pathKey(match.path));
  // To find the groups takes as long as a short round.
  const groups = second === undefined && rounds !== undefined ? scanGroups(source, paths, rounds, context) : undefined;
  return { ...parts, wanted, second: other, groups, ahead: [...resets, ...ahead, ...moves] };
}

/**
 * The groups that a scan may visit once each: where other scans index arrays by the same path. An
 * array that the function makes has an index only if another scan of the function looks there.
 */
export function scanGroups(
  source: number,
  paths: readonly (readonly string[])[],
  rounds: Register | undefined,
  { facts, lookups, tables }: Context,
): ScanGroups | undefined {
  const [path] = paths;
  if (path === undefined || paths.length > 1 || !tables.searched.has(path)) return undefined;
  if (facts.made.has(source) && !facts.searchedInMade(tables.string).has(path)) return undefined;
  return { path: tables.path(path), lasting: lookups.isData(source), rounds };
}
