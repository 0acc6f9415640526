/**
 * Conflicts that a compiler raises itself. No statement of the format raises an error with a text
 * of its own, and `AssignVarOnce` ends an evaluation in all engines. So a local gets a boolean
 * by `AssignVar`, and by the next statement, an `AssignVarOnce`, the text of the error. Rules have
 * no such statements: nothing else writes the local of an `AssignVarOnce` right before it.
 */
import type { Block } from './plan.js';

/** The index of the error's text, where the statement at a position of a block raises one. */
export function ownConflictAt({ stmts }: Block, position: number): number | undefined {
  const node = stmts[position];
  const before = stmts[position - 1];
  if (node?.type !== 'AssignVarOnceStmt' || before?.type !== 'AssignVarStmt') return undefined;
  const { source, target } = node.stmt;
  const isOwn = source.type === 'string_index' && before.stmt.source.type === 'bool' && before.stmt.target === target;
  return isOwn ? source.value : undefined;
}
