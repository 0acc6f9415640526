/** Facts that a dispatch has established: its rules need not compare again. */
import type { Index, LoweredBlock, LoweredOf, LoweredStmt, Register } from '../../lowered.js';
import { eachBlock, registersOf } from '../../register-uses.js';

/** The value that a dispatch found below a parameter: rules of `constant` run where it is that. */
interface Found {
  readonly root: Register;
  /** Constants. */
  readonly path: readonly Index[];
  readonly constant: Index;
}

/**
 * A rule's blocks without the comparison that its dispatch has made, and without the look-ups that
 * only this comparison needs.
 * @param cleared the number of registers that outermost blocks share
 */
export function withoutKnown(
  blocks: readonly LoweredBlock[],
  found: Found,
  cleared: Register,
): readonly LoweredBlock[] {
  const [first, ...others] = blocks;
  if (first === undefined) return blocks;
  /** Look-ups along the path, by their registers. */
  const lookups = new Map<Register, LoweredOf<'dotConst'>>();
  const registers = [found.root];
  for (const [i, stmt] of first.entries()) {
    if (stmt.kind === 'dotConst' && stmt.source === registers.at(-1) && stmt.key === found.path[registers.length - 1]) {
      lookups.set(stmt.target, stmt);
      registers.push(stmt.target);
    } else if (
      stmt.kind === 'equalConst' &&
      stmt.b === found.constant &&
      stmt.a === registers[found.path.length] &&
      i > 0
    ) {
      const rest = first.filter((other) => other !== stmt);
      return [withoutUnused(rest, registers, lookups, cleared), ...others];
    } else if (!harmless.has(stmt.kind)) return blocks;
  }
  return blocks;
}

/** Statements before a comparison that change no parameter. */
const harmless: ReadonlySet<LoweredStmt['kind']> = new Set(['reset', 'dotConst', 'equalConst']);

function withoutUnused(
  block: LoweredBlock,
  registers: readonly Register[],
  lookups: ReadonlyMap<Register, LoweredOf<'dotConst'>>,
  cleared: Register,
): LoweredBlock {
  let left = block;
  for (const register of registers.slice(1).reverse()) {
    if (register < cleared || usesOf(left, register) > 1) return left;
    const unused = lookups.get(register);
    left = left.filter((stmt) => stmt !== unused);
  }
  return left;
}

function usesOf(block: LoweredBlock, register: Register): number {
  let count = 0;
  eachBlock(block, (inner) => {
    for (const stmt of inner) count += registersOf(stmt).filter((other) => other === register).length;
  });
  return count;
}
