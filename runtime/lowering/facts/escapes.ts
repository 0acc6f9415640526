/** Values that escape by a statement. */

import { localsOf, type Operand, type Stmt } from '../../../ir-schema/index.js';

const none: readonly never[] = [];

/**
 * Locals whose value, with all values in it, escapes: to functions, built-ins, documents,
 * results, merged objects, and as members of sets and keys of objects, which must stay as they
 * are to be found. An array's elements and an object's values have not escaped with it, and may
 * be mutated there.
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
      return argumentLocals(stmt.args);
    case 'CallDynamicStmt':
      return stmt.args ?? [];
    case 'WithStmt':
      return [...localsOf(stmt.value), stmt.local];
    default:
      return none;
  }
}

function argumentLocals(args: readonly Operand[] | null): number[] {
  const locals: number[] = [];
  for (const arg of args ?? none) if (arg.type === 'local') locals.push(arg.value);
  return locals;
}
