/**
 * Functions of one argument whose results are not remembered: to look up an earlier result takes
 * as long as to compute it again, and to keep one takes longer.
 */
import { innerBlocks, type LoweredBlock, type LoweredFunction, type LoweredStmt, outermostBlocks } from '../lowered.js';

/** Longer functions are remembered. */
const mostStatements = 24;

/** Built-ins that are quick for long texts, too. Others are remembered for the sake of these. */
export const quickBuiltins: ReadonlySet<string> = new Set([
  ...['startswith', 'endswith', 'trim_prefix', 'trim_suffix', 'trim_space', 'substring'],
  ...['count', 'object.get', 'to_number', 'plus', 'minus', 'mul', 'abs'],
]);

/** @param builtins names of built-ins by their number */
export function isQuick(func: Pick<LoweredFunction, 'params' | 'body'>, builtins: readonly string[]): boolean {
  if (func.params !== 3) return false;
  let left = mostStatements;
  const isQuickBlock = (block: LoweredBlock): boolean =>
    block.every((stmt) => --left >= 0 && isQuickStatement(stmt, builtins) && innerBlocks(stmt).every(isQuickBlock));
  return outermostBlocks(func).every(isQuickBlock);
}

function isQuickStatement(stmt: LoweredStmt, builtins: readonly string[]): boolean {
  switch (stmt.kind) {
    case 'scan':
    case 'with':
    case 'callDynamic':
    case 'objectMerge':
      return false;
    case 'call':
      // The result of a rule is remembered itself.
      return stmt.args.length === 2;
    case 'member':
      return stmt.collection < 0;
    case 'builtin':
      return quickBuiltins.has(builtins[stmt.builtin]!);
    default:
      return true;
  }
}
