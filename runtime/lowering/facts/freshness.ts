/** The locals that a statement makes fresh or stale, see `escape-analysis.ts`. */

import type { Stmt } from '../../../ir-schema/index.js';
import { localsOf } from '../../../ir-schema/index.js';
import { escapes } from './escapes.js';

/** The local that holds a fresh value, a scalar or nothing after a statement. */
export function madeBy({ type, stmt }: Stmt): number | undefined {
  switch (type) {
    case 'AssignIntStmt':
    case 'LenStmt':
    case 'MakeArrayStmt':
    case 'MakeNullStmt':
    case 'MakeNumberIntStmt':
    case 'MakeNumberRefStmt':
    case 'MakeObjectStmt':
    case 'MakeSetStmt':
    case 'ObjectMergeStmt':
    case 'ResetLocalStmt':
      return stmt.target;
    case 'AssignVarStmt':
      return stmt.source.type === 'local' ? undefined : stmt.target;
    default:
      return undefined;
  }
}

/**
 * Locals whose value gets another name or container by a statement, and locals that get a value
 * which has one.
 */
export function madeStale(node: Stmt): readonly number[] {
  const { type, stmt } = node;
  switch (type) {
    case 'ArrayAppendStmt':
      return localsOf(stmt.value);
    case 'AssignVarOnceStmt':
    case 'AssignVarStmt':
      return stmt.source.type === 'local' ? [stmt.source.value, stmt.target] : [];
    case 'CallStmt':
    case 'CallDynamicStmt':
      return [...escapes(node), stmt.result];
    case 'DotStmt':
      return [stmt.target];
    case 'ObjectInsertStmt':
    case 'ObjectInsertOnceStmt':
      return localsOf(stmt.key, stmt.value);
    case 'ScanStmt':
      return [stmt.key, stmt.value];
    default:
      return escapes(node);
  }
}
