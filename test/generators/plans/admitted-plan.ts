import { mutatedBy } from '../../../ir-schema/effects.js';
import { madeLocals } from '../../../ir-schema/made-locals.js';
import type { Block, Policy, Stmt } from '../../../ir-schema/plan.js';
import { blocksOf } from '../../../ir-schema/walk.js';

/**
 * The same policy, with statements after its ends that make the mutated values, where the
 * verifier needs them.
 */
export function admitted(policy: Policy): Policy {
  const place = { file: 0, row: 1, col: 1, end_row: 1, end_col: 2 };
  const add = <T extends { readonly blocks: readonly Block[] | null }>(body: T): T => {
    const blocks = body.blocks ?? [];
    const own = madeLocals(blocks, { scanned: false });
    const missing = new Set<number>();
    const visit = (block: Block): void => {
      for (const stmt of block.stmts) {
        const local = mutatedBy(stmt);
        if (local !== undefined && !own.has(local)) missing.add(local);
        for (const inner of blocksOf(stmt)) visit(inner);
      }
    };
    for (const block of blocks) visit(block);
    if (missing.size === 0) return body;
    const stmts = [...missing].map((target): Stmt => ({ type: 'MakeObjectStmt', stmt: { ...place, target } }));
    return { ...body, blocks: [...blocks, { stmts }] };
  };
  const plans = policy.plans?.plans?.map(add) ?? null;
  const funcs = policy.funcs?.funcs?.map(add) ?? null;
  return { ...policy, plans: { ...policy.plans, plans }, funcs: { ...policy.funcs, funcs } } as Policy;
}
