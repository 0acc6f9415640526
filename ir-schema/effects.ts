/** What statements read and write: the ground of verification, of the optimising passes and of the assembler's shortcuts. */
import type { Block, Operand, Stmt } from './plan.js';

export interface Effects {
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  /** Locals whose value is changed in place. */
  readonly mutates: readonly number[];
  /** Indexes into `static.strings`. */
  readonly strings: readonly number[];
  /** Blocks inside, in the order they run. */
  readonly blocks: readonly Block[];
}

const none: readonly never[] = [];

function effects(read: readonly (Operand | number)[], writes: readonly number[], blocks: readonly Block[] = none): Effects {
  const reads: number[] = [];
  const strings: number[] = [];
  for (const operand of read) {
    if (typeof operand === 'number') reads.push(operand);
    else if (operand.type === 'local') reads.push(operand.value);
    else if (operand.type === 'string_index') strings.push(operand.value);
  }
  return { reads, writes, strings, blocks, mutates: none };
}

function mutating(target: number, read: readonly Operand[]): Effects {
  return { ...effects([target, ...read], none), mutates: [target] };
}

/** What a statement reads and writes itself; what its blocks do is theirs. */
export function effectsOf({ type, stmt }: Stmt): Effects {
  switch (type) {
    case 'ArrayAppendStmt':
      return mutating(stmt.array, [stmt.value]);
    case 'SetAddStmt':
      return mutating(stmt.set, [stmt.value]);
    case 'ObjectInsertStmt':
    case 'ObjectInsertOnceStmt':
      return mutating(stmt.object, [stmt.key, stmt.value]);
    case 'AssignIntStmt':
    case 'MakeArrayStmt':
    case 'MakeNullStmt':
    case 'MakeNumberIntStmt':
    case 'MakeObjectStmt':
    case 'MakeSetStmt':
    case 'ResetLocalStmt':
      return effects(none, [stmt.target]);
    case 'MakeNumberRefStmt':
      return { ...effects(none, [stmt.target]), strings: [stmt.index] };
    case 'AssignVarStmt':
      return effects([stmt.source], [stmt.target]);
    case 'AssignVarOnceStmt':
      return effects([stmt.source, stmt.target], [stmt.target]);
    case 'LenStmt':
      return effects([stmt.source], [stmt.target]);
    case 'DotStmt':
      return effects([stmt.source, stmt.key], [stmt.target]);
    case 'EqualStmt':
    case 'NotEqualStmt':
      return effects([stmt.a, stmt.b], none);
    case 'IsArrayStmt':
    case 'IsObjectStmt':
    case 'IsSetStmt':
      return effects([stmt.source], none);
    case 'IsDefinedStmt':
    case 'IsUndefinedStmt':
    case 'ReturnLocalStmt':
      return effects([stmt.source], none);
    case 'ResultSetAddStmt':
      return effects([stmt.value], none);
    case 'ObjectMergeStmt':
      return effects([stmt.a, stmt.b], [stmt.target]);
    case 'CallStmt':
      return effects(stmt.args ?? none, [stmt.result]);
    case 'CallDynamicStmt':
      return effects([...(stmt.args ?? none), ...(stmt.path ?? none)], [stmt.result]);
    case 'BlockStmt':
      return effects(none, none, stmt.blocks ?? none);
    case 'NotStmt':
      return effects(none, none, stmt.block ? [stmt.block] : none);
    case 'ScanStmt':
      return effects([stmt.source], [stmt.key, stmt.value], stmt.block ? [stmt.block] : none);
    case 'WithStmt':
      return { ...effects([stmt.local, stmt.value], [stmt.local], stmt.block ? [stmt.block] : none), strings: withStrings(stmt) };
    case 'BreakStmt':
    case 'NopStmt':
      return effects(none, none);
  }
}

function withStrings(stmt: { readonly path: readonly number[] | null; readonly value: Operand }): number[] {
  return [...(stmt.path ?? none), ...(stmt.value.type === 'string_index' ? [stmt.value.value] : none)];
}
