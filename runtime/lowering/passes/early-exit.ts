import { type Block, effectsOf, type LocalUses } from '../../../ir-schema/index.js';

/**
 * Whether the one result of an outermost block is a constant in one local: the body of a rule
 * such as `allow if { some x in xs; … }`. Once the constant is assigned, further rounds of the
 * loops around it can change nothing, and the block may end, as it does in the reference.
 */
export function endsWithConstant(block: Block, uses: LocalUses): boolean {
  let constants = 0;
  const visit = (inner: Block): boolean =>
    inner.stmts.every((node) => {
      const { type, stmt } = node;
      if (type === 'ResultSetAddStmt' || type === 'ReturnLocalStmt' || type === 'WithStmt') return false;
      const { writes, mutates, blocks } = effectsOf(node);
      if (mutates.some((local) => uses.shared.has(local))) return false;
      // A reset in a loop would undo the assignment of an earlier round.
      if ((type !== 'ResetLocalStmt' || inner !== block) && writes.some((local) => uses.shared.has(local))) {
        if (type !== 'AssignVarOnceStmt' || stmt.source.type === 'local' || ++constants > 1) return false;
      }
      return blocks.every(visit);
    });
  return visit(block) && constants === 1;
}
