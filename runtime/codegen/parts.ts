/** How the parts of a split function and the function itself share registers. */
import {
  type Dispatch,
  innerBlocks,
  type LoweredBlock,
  type LoweredFunction,
  type LoweredStmt,
  type Register,
} from '../lowering/lowered.js';
import { eachBlock, registersOf } from '../lowering/register-uses.js';

/** A piece of a function that is split; blocks may be a part of their own. */
export type Piece = { readonly kind: 'blocks'; readonly blocks: readonly LoweredBlock[]; readonly isPart: boolean } | Dispatch;

/**
 * Parts of most functions leave one register for the others, if any: they take the parameters and
 * that register, and return it. All others share an object with the registers, and may return for
 * the function.
 */
export type Sharing = { readonly kind: 'result'; readonly register: Register | undefined } | { readonly kind: 'object' };

const byObject: Sharing = { kind: 'object' };

export function sharingOf({ params, cleared, tracker }: LoweredFunction, pieces: readonly Piece[]): Sharing {
  if (tracker !== undefined) return byObject;
  const shared = new Set<Register>();
  for (const piece of pieces) {
    const units = piece.kind === 'blocks' ? [piece.blocks] : piece.rules.map(({ blocks }) => blocks);
    for (const unit of units) {
      if ((piece.kind === 'dispatch' || piece.isPart) && unit.some(returns)) return byObject;
      if (unit.some((block) => writesBelow(block, params))) return byObject;
      const [first] = unit[0] ?? [];
      // A register that each unit begins by clearing tells the others nothing.
      const own = first?.kind === 'reset' ? first.target : undefined;
      for (const register of registersIn(unit)) if (register >= params && register < cleared && register !== own) shared.add(register);
      if (shared.size > 1) return byObject;
    }
  }
  return { kind: 'result', register: [...shared][0] };
}

function registersIn(blocks: readonly LoweredBlock[]): ReadonlySet<Register> {
  const found = new Set<Register>();
  for (const block of blocks)
    eachBlock(block, (inner) => {
      for (const stmt of inner) for (const register of registersOf(stmt)) found.add(register);
    });
  return found;
}

/** Whether a block writes a parameter, other than for the time of a `with`. */
function writesBelow(block: LoweredBlock, params: number): boolean {
  return block.some((stmt) => writtenBy(stmt).some((r) => r >= 0 && r < params) || innerBlocks(stmt).some((b) => writesBelow(b, params)));
}

function writtenBy(stmt: LoweredStmt): readonly Register[] {
  if (stmt.kind === 'scan') return [stmt.key, stmt.value];
  if (stmt.kind === 'objectInsert') return [stmt.object];
  if ('target' in stmt) return [stmt.target];
  return 'result' in stmt ? [stmt.result] : [];
}

function returns(block: LoweredBlock): boolean {
  return block.some((stmt: LoweredStmt) => stmt.kind === 'return' || innerBlocks(stmt).some(returns));
}
