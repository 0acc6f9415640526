/** Comparisons of two operands. */
import type { Index, LoweredOperand, LoweredStmt } from '../lowered.js';
import type { Tables } from './tables.js';

type Kinds = readonly ['equal', 'equalConst'] | readonly ['notEqual', 'notEqualConst'];

/** The statement that compares two operands; constants that equal only themselves need less. */
export function loweredEquality(
  [kind, constKind]: Kinds,
  a: LoweredOperand,
  b: LoweredOperand,
  origin: Index,
  tables: Tables,
): LoweredStmt {
  const isIdentity = (operand: LoweredOperand) => operand < 0 && tables.isIdentity(-1 - operand);
  if (a >= 0 && isIdentity(b)) return { kind: constKind, origin, a, b: -1 - b };
  if (b >= 0 && isIdentity(a)) return { kind: constKind, origin, a: b, b: -1 - a };
  return { kind, origin, a, b };
}
