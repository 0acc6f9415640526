/** What statements let others have: functions, documents, results, sets. */
import type { Operand, Stmt } from '../../ir-schema/plan.js';

/**
 * Locals whose value, with all that is in it, others may keep from then on: functions and built-ins, documents, results, merged objects, and whatever must
 * find a set's member or an object's key where it put it. What is in an array, or an object's value, is still the function's own, and may change there.
 */
export function escapes({ type, stmt }: Stmt): readonly number[] {
  switch (type) {
    case 'SetAddStmt':
      return localsOf(stmt.value);
    case 'ObjectInsertStmt':
    case 'ObjectInsertOnceStmt':
      return localsOf(stmt.key);
    case 'ObjectMergeStmt':
      return [stmt.a, stmt.b];
    case 'ResultSetAddStmt':
      return [stmt.value];
    case 'CallStmt':
      return localsOf(...(stmt.args ?? []));
    case 'CallDynamicStmt':
      return stmt.args ?? [];
    case 'WithStmt':
      return [...localsOf(stmt.value), stmt.local];
    default:
      return [];
  }
}

/** The operands that are locals. */
export function localsOf(...operands: readonly Operand[]): readonly number[] {
  return operands.flatMap((operand) => (operand.type === 'local' ? [operand.value] : []));
}
