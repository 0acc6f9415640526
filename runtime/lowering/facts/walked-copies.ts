import { type Block, blocksOf, type Stmt } from '../../../ir-schema/index.js';
import type { FunctionFacts } from './function-facts.js';

/**
 * Whether a scan must walk a copy of its array, since its rounds may make the array longer. An
 * array that is mutated has one name only where nothing that is mutated has another.
 */
export function walksCopy(
  { stmt: { source, block } }: Stmt & { readonly type: 'ScanStmt' },
  facts: FunctionFacts,
): boolean {
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
