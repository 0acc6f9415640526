/** Copies of statements with other locals. */
import type { Block, Operand, Stmt } from '../../../ir-schema/plan.js';
import { blocksOf } from '../../../ir-schema/walk.js';

/** Fields that hold locals, apart from operands, which say so themselves. */
const localFields: { readonly [type in Stmt['type']]?: readonly string[] } = {
  ArrayAppendStmt: ['array'],
  AssignIntStmt: ['target'],
  AssignVarOnceStmt: ['target'],
  AssignVarStmt: ['target'],
  CallStmt: ['result'],
  DotStmt: ['target'],
  IsDefinedStmt: ['source'],
  IsUndefinedStmt: ['source'],
  LenStmt: ['target'],
  MakeArrayStmt: ['target'],
  MakeNullStmt: ['target'],
  MakeNumberIntStmt: ['target'],
  MakeNumberRefStmt: ['target'],
  MakeObjectStmt: ['target'],
  MakeSetStmt: ['target'],
  ObjectInsertOnceStmt: ['object'],
  ObjectInsertStmt: ['object'],
  ResetLocalStmt: ['target'],
  ScanStmt: ['key', 'source', 'value'],
  SetAddStmt: ['set'],
};

const operandFields = ['a', 'args', 'b', 'key', 'source', 'value'] as const;

type Fields = { readonly [name: string]: unknown };

/** Gives locals their new numbers. */
export type NewLocal = (local: number) => number;

/**
 * A statement with other locals, and other blocks in the place of its own. Statements that callers
 * of `renamed` do not have (`with`, results of plans, dynamic calls) are left out.
 */
function renamedStatement(node: Stmt, newLocal: NewLocal, blocks: readonly Block[]): Stmt {
  const fields = node.stmt as unknown as Fields;
  const copy: { [name: string]: unknown } = { ...fields };
  for (const name of localFields[node.type] ?? []) copy[name] = newLocal(fields[name] as number);
  for (const name of operandFields) {
    const field = fields[name];
    if (Array.isArray(field)) copy[name] = field.map((operand) => renamedOperand(operand, newLocal));
    else if (typeof field === 'object' && field !== null) copy[name] = renamedOperand(field as Operand, newLocal);
  }
  if (node.type === 'BlockStmt') copy.blocks = blocks;
  else if (blocks.length > 0) copy.block = blocks[0];
  return { type: node.type, stmt: copy } as unknown as Stmt;
}

/** An operand with another local. */
export function renamedOperand(operand: Operand, newLocal: NewLocal): Operand {
  return operand.type === 'local' ? { type: 'local', value: newLocal(operand.value) } : operand;
}

/**
 * A block with other locals.
 * @param replace the statements in place of a statement, given its copy and how many blocks of
 * the copied one are around it, 0 is the copied block; undefined leaves the copy
 */
export function renamed(
  block: Block,
  newLocal: NewLocal,
  replace: (copy: Stmt, depth: number, node: Stmt) => readonly Stmt[] | undefined,
  depth = 0,
): Block {
  const stmts = block.stmts.flatMap((node) => {
    const inner = blocksOf(node).map((one) => renamed(one, newLocal, replace, depth + 1));
    const copy = renamedStatement(node, newLocal, inner);
    return replace(copy, depth, node) ?? [copy];
  });
  return { stmts };
}
