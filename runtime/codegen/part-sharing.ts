/** How the parts of a split function and the function itself share registers. */
import type { Dispatch, LoweredBlock, LoweredFunction, LoweredStmt, Register } from '../lowering/lowered.js';
import { innerBlocks } from '../lowering/lowered.js';
import { registersOf } from '../lowering/register-uses.js';

/** A piece of a function that is split; blocks may be a part of their own. */
export type Piece =
  | { readonly kind: 'blocks'; readonly blocks: readonly LoweredBlock[]; readonly isPart: boolean }
  | Dispatch;

/**
 * Parts of most functions leave one register for the others, if any: they take the parameters and
 * that register, and return it. All others share an object with the registers, and may return for
 * the function.
 */
export type Sharing =
  | { readonly kind: 'result'; readonly register: Register | undefined }
  | { readonly kind: 'object' };

const byObject: Sharing = { kind: 'object' };

export function sharingOf({ params, cleared, tracker }: LoweredFunction, pieces: readonly Piece[]): Sharing {
  if (tracker !== undefined) return byObject;
  const shared = new Set<Register>();
  /** Whether the registers that a unit leaves are in `shared`; it may be a part of its own. */
  const reads = (unit: readonly LoweredBlock[], isPart: boolean): boolean => {
    const [first] = unit[0] ?? [];
    // A register that each unit begins by clearing tells the others nothing.
    const own = first?.kind === 'reset' ? first.target : undefined;
    return unit.every((block) => readsBlock(block, isPart, own));
  };
  const readsBlock = (block: LoweredBlock, isPart: boolean, own: Register | undefined): boolean => {
    for (const stmt of block) {
      if (isPart && stmt.kind === 'return') return false;
      if (writtenBy(stmt).some((register) => register >= 0 && register < params)) return false;
      for (const register of registersOf(stmt))
        if (register >= params && register < cleared && register !== own) shared.add(register);
      for (const inner of innerBlocks(stmt)) if (!readsBlock(inner, isPart, own)) return false;
    }
    return shared.size < 2;
  };
  const all = pieces.every((piece) => {
    if (piece.kind === 'blocks') return reads(piece.blocks, piece.isPart);
    return piece.rules.every(({ blocks }) => reads(blocks, true));
  });
  return all ? { kind: 'result', register: [...shared][0] } : byObject;
}

const none: readonly Register[] = [];

/** Registers that a statement writes, other than for the time of a `with`. */
function writtenBy(stmt: LoweredStmt): readonly Register[] {
  if (stmt.kind === 'scan') return [stmt.key, stmt.value];
  if (stmt.kind === 'objectInsert') return [stmt.object];
  if ('target' in stmt) return [stmt.target];
  return 'result' in stmt ? [stmt.result] : none;
}
