import { effectsOf } from '../../ir-schema/effects.js';
import type { LocalUses } from '../../ir-schema/local-uses.js';
import type { Block } from '../../ir-schema/plan.js';

/**
 * Whether all that an outermost block leaves behind is one constant in one local: the body of a rule such as `allow if { some x in xs; … }`. Once the constant
 * is there, further rounds of the loops around can change nothing, and the block may end, as the reference ends it.
 */
export function endsWithConstant(block: Block, uses: LocalUses): boolean {
  let constants = 0;
  const visit = (inner: Block): boolean =>
    inner.stmts.every((node) => {
      const { type, stmt } = node;
      if (type === 'ResultSetAddStmt' || type === 'ReturnLocalStmt' || type === 'WithStmt') return false;
      const { writes, mutates, blocks } = effectsOf(node);
      if (mutates.some((local) => uses.shared.has(local))) return false;
      // Each round of a loop would take a value back that it resets.
      if ((type !== 'ResetLocalStmt' || inner !== block) && writes.some((local) => uses.shared.has(local))) {
        if (type !== 'AssignVarOnceStmt' || stmt.source.type === 'local' || ++constants > 1) return false;
      }
      return blocks.every(visit);
    });
  return visit(block) && constants === 1;
}
