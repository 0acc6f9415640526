/** Facts about the array of a scan. */
import type { Block, Stmt } from '../../../ir-schema/plan.js';
import { blocksOf } from '../../../ir-schema/walk.js';
import type { Context } from '../context.js';
import type { FunctionFacts } from '../facts.js';
import type { Index, LoweredStmt, ScanIndex } from '../lowered.js';
import { FirstRound } from './first-round.js';
import { indexedScan } from './indexed-scan.js';

type Scan = Stmt & { readonly type: 'ScanStmt' };

/** Whether a scan must walk a copy of its array, since its rounds may make the array longer. */
export function walksCopy({ stmt: { source, block } }: Scan, facts: FunctionFacts): boolean {
  return block !== null && appends(block) && facts.made.has(source);
}

function appends(block: Block): boolean {
  return block.stmts.some((node) => node.type === 'ArrayAppendStmt' || blocksOf(node).some(appends));
}

/** The index that a scan may use. Elements that may change in the array are in no index. */
export function scanIndex(scan: Scan, origin: Index, context: Context): ScanIndex | undefined {
  const { facts, lookups, registers, tables } = context;
  const { source } = scan.stmt;
  if (facts.mutations !== 'unaliased' && facts.made.has(source)) return undefined;
  const match = indexedScan(scan, context);
  if (match === undefined) return undefined;
  const { path, wanted, steps } = match;
  const parts = { path: tables.path(path), lasting: lookups.isData(source), found: registers.temporaries(1) };
  const first = new FirstRound(origin, context);
  const ahead = context.collect(() => {
    for (const step of steps) first.lower(step);
  });
  const operand = first.operand(wanted);
  if (ahead.length === 0) return { ...parts, wanted: operand, ahead };
  // What the first round computes is undefined where a step of it is.
  const target = registers.temporaries(1);
  const moved: LoweredStmt = { kind: 'move', origin, target, source: operand };
  return { ...parts, wanted: target, ahead: [{ kind: 'reset', origin, target }, ...ahead, moved] };
}
