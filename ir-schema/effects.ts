/** Reads and writes of statements: the basis of verification, optimizing passes and lowering. */
import type { Block, Operand, Stmt } from './plan.js';
import { blocksOf } from './walk.js';

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

const makers = [
  'AssignIntStmt',
  'MakeArrayStmt',
  'MakeNullStmt',
  'MakeNumberIntStmt',
  'MakeNumberRefStmt',
  'MakeObjectStmt',
  'MakeSetStmt',
] as const;

/** The statements that only make a value. */
export const valueMakers: ReadonlySet<Stmt['type']> = new Set(makers);

/** Whether a statement only makes a value. */
export function makesValue(node: Stmt): node is Stmt & { readonly type: (typeof makers)[number] } {
  return valueMakers.has(node.type);
}

/**
 * Statements that never end a block, for any values of their locals. Statements with blocks are not
 * among them.
 */
export const alwaysGoesOn: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([
  ...valueMakers,
  'AssignVarOnceStmt',
  'AssignVarStmt',
  'NopStmt',
  'ResetLocalStmt',
]);

const none: readonly never[] = [];

// Called for every statement several times: one object and as few arrays as possible.

/** The operands that are locals. */
export function localsOf(a: Operand | undefined, b?: Operand): readonly number[] {
  if (b?.type === 'local') return a?.type === 'local' ? [a.value, b.value] : [b.value];
  return a?.type === 'local' ? [a.value] : none;
}

/** Whether an operand is this local. */
export function isLocalOperand(operand: Operand | undefined, local: number): boolean {
  return operand?.type === 'local' && operand.value === local;
}

function stringsOf(a: Operand, b?: Operand): readonly number[] {
  if (b?.type === 'string_index') return a.type === 'string_index' ? [a.value, b.value] : [b.value];
  return a.type === 'string_index' ? [a.value] : none;
}

function writing(target: number): Effects {
  return { reads: none, writes: [target], mutates: none, strings: none, blocks: none };
}

function reading(local: number): Effects {
  return { reads: [local], writes: none, mutates: none, strings: none, blocks: none };
}

/** The effects of statements that read one or two operands. */
function using(writes: readonly number[], a: Operand, b?: Operand): Effects {
  return { reads: localsOf(a, b), writes, mutates: none, strings: stringsOf(a, b), blocks: none };
}

function mutating(target: number, a: Operand, b?: Operand): Effects {
  return {
    reads: [target, ...localsOf(a, b)],
    writes: none,
    mutates: [target],
    strings: stringsOf(a, b),
    blocks: none,
  };
}

function calling(locals: readonly number[], operands: readonly Operand[], result: number): Effects {
  let reads = locals as number[];
  let strings = none as readonly number[] as number[];
  if (operands.length > 0) {
    reads = locals.slice();
    strings = [];
    for (const operand of operands) {
      if (operand.type === 'local') reads.push(operand.value);
      else if (operand.type === 'string_index') strings.push(operand.value);
    }
  }
  return { reads, writes: [result], mutates: none, strings, blocks: none };
}

function holding(node: Stmt): Effects {
  return { reads: none, writes: none, mutates: none, strings: none, blocks: blocksOf(node) };
}

const nothing: Effects = { reads: none, writes: none, mutates: none, strings: none, blocks: none };

/** The effects of a statement itself, without those of its blocks. */
export function effectsOf(node: Stmt): Effects {
  const { type, stmt } = node;
  switch (type) {
    case 'ArrayAppendStmt':
      return mutating(stmt.array, stmt.value);
    case 'SetAddStmt':
      return mutating(stmt.set, stmt.value);
    case 'ObjectInsertStmt':
    case 'ObjectInsertOnceStmt':
      return mutating(stmt.object, stmt.key, stmt.value);
    case 'AssignIntStmt':
    case 'MakeArrayStmt':
    case 'MakeNullStmt':
    case 'MakeNumberIntStmt':
    case 'MakeObjectStmt':
    case 'MakeSetStmt':
    case 'ResetLocalStmt':
      return writing(stmt.target);
    case 'MakeNumberRefStmt':
      return { reads: none, writes: [stmt.target], mutates: none, strings: [stmt.index], blocks: none };
    case 'AssignVarStmt':
    case 'LenStmt':
      return using([stmt.target], stmt.source);
    case 'AssignVarOnceStmt': {
      const reads = stmt.source.type === 'local' ? [stmt.source.value, stmt.target] : [stmt.target];
      return { reads, writes: [stmt.target], mutates: none, strings: stringsOf(stmt.source), blocks: none };
    }
    case 'DotStmt':
      return using([stmt.target], stmt.source, stmt.key);
    case 'EqualStmt':
    case 'NotEqualStmt':
      return using(none, stmt.a, stmt.b);
    case 'IsArrayStmt':
    case 'IsObjectStmt':
    case 'IsSetStmt':
      return using(none, stmt.source);
    case 'IsDefinedStmt':
    case 'IsUndefinedStmt':
    case 'ReturnLocalStmt':
      return reading(stmt.source);
    case 'ResultSetAddStmt':
      return reading(stmt.value);
    case 'ObjectMergeStmt':
      return { reads: [stmt.a, stmt.b], writes: [stmt.target], mutates: none, strings: none, blocks: none };
    case 'CallStmt':
      return calling(none, stmt.args ?? none, stmt.result);
    case 'CallDynamicStmt':
      return calling(stmt.args ?? none, stmt.path ?? none, stmt.result);
    case 'BlockStmt':
    case 'NotStmt':
      return holding(node);
    case 'ScanStmt':
      return {
        reads: [stmt.source],
        writes: [stmt.key, stmt.value],
        mutates: none,
        strings: none,
        blocks: blocksOf(node),
      };
    case 'WithStmt': {
      const reads = stmt.value.type === 'local' ? [stmt.local, stmt.value.value] : [stmt.local];
      return { reads, writes: [stmt.local], mutates: none, strings: withStrings(stmt), blocks: blocksOf(node) };
    }
    case 'BreakStmt':
    case 'NopStmt':
      return nothing;
  }
}

/** The local whose value a statement itself changes in place. */
export function mutatedBy({ type, stmt }: Stmt): number | undefined {
  switch (type) {
    case 'ArrayAppendStmt':
      return stmt.array;
    case 'SetAddStmt':
      return stmt.set;
    case 'ObjectInsertStmt':
    case 'ObjectInsertOnceStmt':
      return stmt.object;
    default:
      return undefined;
  }
}

function withStrings(stmt: { readonly path: readonly number[] | null; readonly value: Operand }): number[] {
  return [...(stmt.path ?? none), ...(stmt.value.type === 'string_index' ? [stmt.value.value] : none)];
}
