import { effectsOf } from '../../../ir-schema/effects.js';
import type { Block, Func, Operand, Stmt } from '../../../ir-schema/plan.js';
import { blocksOf } from '../../../ir-schema/walk.js';

/** A rule that only makes a set or an array: `granted contains x if …`, `granted := [x | …]`. */
export interface SetMaker {
  readonly func: Func;
  readonly type: 'set' | 'array';
  /** The local of the collection. */
  readonly made: number;
  /** The blocks that add members. */
  readonly blocks: readonly Block[];
  /** The number of statements that do. */
  readonly adds: number;
}

/** The maker that a function is; undefined where it does anything else. */
export function setMaker(func: Func): SetMaker | undefined {
  const { params, blocks } = func;
  const [first, ...others] = blocks ?? [];
  const made = first?.stmts[0];
  if (params?.length !== 2 || first === undefined || (made?.type !== 'MakeSetStmt' && made?.type !== 'MakeArrayStmt')) return undefined;
  const type = made.type === 'MakeSetStmt' ? 'set' : 'array';
  const local = made.stmt.target;
  const [, second, ...rest] = first.stmts;
  const isComprehension = second?.type === 'BlockStmt';
  if (second !== undefined && !isComprehension) return undefined;
  const adding = isComprehension ? (second.stmt.blocks ?? []) : others.slice(0, -1);
  const ending = isComprehension ? [...rest, ...others.flatMap(({ stmts }) => stmts)] : (others.at(-1)?.stmts ?? []);
  if (!returns(ending, local)) return undefined;
  const adds = countAdds(adding, type, local);
  return adds === undefined ? undefined : { func, type, made: local, blocks: adding, adds };
}

/** Whether statements only give a value other names and return it. */
function returns(stmts: readonly Stmt[], made: number): boolean {
  const names = new Set([made]);
  const isName = (operand: Operand) => operand.type === 'local' && names.has(operand.value);
  const last = stmts.at(-1);
  return (
    last?.type === 'ReturnLocalStmt' &&
    stmts.every(({ type, stmt }) => {
      if (type === 'ReturnLocalStmt') return stmt === last.stmt && names.has(stmt.source);
      if (type === 'IsDefinedStmt') return names.has(stmt.source);
      if ((type !== 'AssignVarStmt' && type !== 'AssignVarOnceStmt') || !isName(stmt.source) || names.has(stmt.target)) return false;
      names.add(stmt.target);
      return true;
    })
  );
}

/** The number of statements that add to a collection; undefined where others use it. */
function countAdds(blocks: readonly Block[], type: SetMaker['type'], made: number): number | undefined {
  let adds = 0;
  const visit = (stmts: readonly Stmt[], mayAdd: boolean): boolean =>
    stmts.every((node) => {
      if (node.type === 'ReturnLocalStmt') return false;
      const { reads, writes } = effectsOf(node);
      if (reads.includes(made) || writes.includes(made)) {
        if (!mayAdd || addedBy(node, type, made) === undefined || reads.indexOf(made) !== reads.lastIndexOf(made)) return false;
        adds++;
      }
      return blocksOf(node).every((inner) => visit(inner.stmts, mayAdd && (node.type === 'BlockStmt' || node.type === 'ScanStmt')));
    });
  return blocks.every(({ stmts }) => visit(stmts, true)) ? adds : undefined;
}

/** The value that a statement adds to a collection. */
export function addedBy({ type, stmt }: Stmt, made: SetMaker['type'], local: number): Operand | undefined {
  if (type === 'SetAddStmt') return made === 'set' && stmt.set === local ? stmt.value : undefined;
  return type === 'ArrayAppendStmt' && made === 'array' && stmt.array === local ? stmt.value : undefined;
}
