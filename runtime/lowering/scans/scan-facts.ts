/** Facts about the array of a scan. */
import type { Block, Stmt } from '../../../ir-schema/plan.js';
import { blocksOf } from '../../../ir-schema/walk.js';
import type { Context } from '../context.js';
import type { FunctionFacts } from '../facts.js';
import type { ScanIndex } from '../lowered.js';
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
export function scanIndex(scan: Scan, context: Context): ScanIndex | undefined {
  const { facts, lookups, tables } = context;
  const { source } = scan.stmt;
  if (facts.mutations !== 'unaliased' && facts.made.has(source)) return undefined;
  const found = indexedScan(scan, facts.uses, tables.string, lookups.hoisted);
  if (found === undefined) return undefined;
  const { path, wanted } = found;
  const hoisted = wanted.type === 'local' ? lookups.hoisted.get(wanted.value) : undefined;
  return { path: tables.path(path), wanted: hoisted ?? context.operand(wanted), lasting: lookups.isData(source) };
}
