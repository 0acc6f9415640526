import type { Index, LoweredBlock, Operand } from '../lowered.js';
import { loweredEquality } from './equality.js';
import type { LowerContext } from './lower-context.js';

/** Cuts the block short if a value equals none of others, all of which are defined. */
export function pushMemberTest(
  element: Operand,
  values: readonly Operand[],
  origin: Index,
  context: LowerContext,
): void {
  if (element >= 0) context.push({ kind: 'isDefined', origin, source: element });
  const block: LoweredBlock = values.map((value) =>
    loweredEquality(['notEqual', 'notEqualConst'], element, value, origin, context.tables),
  );
  context.push({ kind: 'not', origin, block });
}
