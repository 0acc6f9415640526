/** Bodies with some statements replaced, and statements with some operands replaced. */
import { type Block, blocksOf, type Operand, type Stmt } from '../../ir-schema/index.js';
import { withBlocks } from './map-bodies.js';

/**
 * Calls `replace` for each statement, outer ones first, for the statements in its place;
 * undefined leaves it. Positions are those of the flow of the same blocks. A replacement with the
 * blocks of the statement itself gets them with their own replacements.
 */
export function rewriteBlocks(
  blocks: readonly Block[],
  replace: (node: Stmt, position: number) => readonly Stmt[] | undefined,
): readonly Block[] {
  let next = 0;
  const each = (list: readonly Block[]): readonly Block[] => {
    let changed = false;
    const copies = list.map((block) => {
      const copy = one(block);
      if (copy !== block) changed = true;
      return copy;
    });
    return changed ? copies : list;
  };
  const one = (block: Block): Block => {
    const stmts: Stmt[] = [];
    let changed = false;
    for (const node of block.stmts) {
      const replacement = replace(node, next++);
      const inner = blocksOf(node);
      const rewritten = inner.length > 0 ? each(inner) : inner;
      if (replacement === undefined && rewritten === inner) stmts.push(node);
      else {
        changed = true;
        for (const copy of replacement ?? [node]) {
          stmts.push(inner.length > 0 && blocksOf(copy)[0] === inner[0] ? withBlocks(copy, rewritten) : copy);
        }
      }
    }
    return changed ? { stmts } : block;
  };
  return each(blocks);
}

/** Fields by statement: fields that may hold any operand, and fields that hold a local to read. */
interface Fields {
  readonly operands?: readonly string[];
  readonly locals?: readonly string[];
}

const fieldsOf: { readonly [type in Stmt['type']]?: Fields } = {
  ArrayAppendStmt: { operands: ['value'] },
  AssignVarOnceStmt: { operands: ['source'] },
  AssignVarStmt: { operands: ['source'] },
  CallDynamicStmt: { operands: ['path'], locals: ['args'] },
  CallStmt: { operands: ['args'] },
  DotStmt: { operands: ['source', 'key'] },
  EqualStmt: { operands: ['a', 'b'] },
  IsArrayStmt: { operands: ['source'] },
  IsDefinedStmt: { locals: ['source'] },
  IsObjectStmt: { operands: ['source'] },
  IsSetStmt: { operands: ['source'] },
  IsUndefinedStmt: { locals: ['source'] },
  LenStmt: { operands: ['source'] },
  NotEqualStmt: { operands: ['a', 'b'] },
  ObjectInsertOnceStmt: { operands: ['key', 'value'] },
  ObjectInsertStmt: { operands: ['key', 'value'] },
  ObjectMergeStmt: { locals: ['a', 'b'] },
  ResultSetAddStmt: { locals: ['value'] },
  ReturnLocalStmt: { locals: ['source'] },
  ScanStmt: { locals: ['source'] },
  SetAddStmt: { operands: ['value'] },
  WithStmt: { operands: ['value'] },
};

/**
 * The locals that a statement reads in fields that hold a local only, without the locals that it
 * mutates.
 */
export function readAsLocals(node: Stmt): readonly number[] {
  const stmt = node.stmt as unknown as { readonly [field: string]: number | readonly number[] | null };
  return (fieldsOf[node.type]?.locals ?? []).flatMap((field) => stmt[field] ?? []);
}

/**
 * The statement with other operands in place of locals that it reads; undefined leaves a local.
 * Locals that it mutates stay.
 */
export function substitute(node: Stmt, replacement: (local: number) => Operand | undefined): Stmt {
  const fields = fieldsOf[node.type];
  if (fields === undefined) return node;
  const stmt: Record<string, unknown> = { ...node.stmt };
  let changed = false;
  const put = <T>(field: string, map: (value: T) => T): void => {
    const value = stmt[field] as T | readonly T[] | null;
    if (value === null) return;
    const list = Array.isArray(value) ? (value as readonly T[]) : [value as T];
    const copies = list.map(map);
    if (copies.every((copy, i) => copy === list[i])) return;
    stmt[field] = Array.isArray(value) ? copies : copies[0];
    changed = true;
  };
  for (const field of fields.operands ?? []) {
    put<Operand>(field, (operand) => (operand.type === 'local' ? (replacement(operand.value) ?? operand) : operand));
  }
  for (const field of fields.locals ?? []) {
    put<number>(field, (local) => {
      const operand = replacement(local);
      return operand?.type === 'local' ? operand.value : local;
    });
  }
  return changed ? ({ type: node.type, stmt } as unknown as Stmt) : node;
}
