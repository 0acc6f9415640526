import type { Block, Operand, Stmt } from '../../ir-schema/plan.js';
import { type DispatchConstant, dispatchKey } from '../operations/dispatch-key.js';
import { numberFromText } from '../values/numbers/number.js';

/** A comparison of a value below a parameter with a constant. */
export interface Guard {
  readonly root: number;
  /** Strings, and positions in arrays. */
  readonly path: readonly (string | number)[];
  readonly constant: DispatchConstant;
}

/**
 * The comparisons with constants at the start of a block, up to the first statement that does more
 * than to look up, compare or test. Its other comparisons may end the block, too.
 */
export function guardsOf(block: Block, roots: ReadonlySet<number>, stringAt: (index: number) => string) {
  const known = new Map<number, Pick<Guard, 'root' | 'path'>>();
  const numbers = new Map<number, number>();
  for (const root of roots) known.set(root, { root, path: [] });
  const guards = new Map<string, Guard>();
  const written = new Set<number>();
  let writtenSoFar: number[] = [];
  let reset: number | undefined;
  const symbol = (operand: Operand) => (operand.type === 'local' ? known.get(operand.value) : undefined);
  /** The constant that an operand is; a number of another form than a double is none. */
  const constantOf = (operand: Operand): DispatchConstant | undefined => {
    if (operand.type === 'local') return numbers.get(operand.value);
    return operand.type === 'bool' ? operand.value : stringAt(operand.value);
  };
  const write = (local: number) => {
    writtenSoFar.push(local);
    known.delete(local);
    numbers.delete(local);
    // If it has a value although the comparison may fail, it does not tell whether the block
    // succeeded.
    if (local === reset) reset = undefined;
  };
  for (const [i, node] of block.stmts.entries()) {
    const { type, stmt } = node;
    if ('target' in stmt && roots.has(stmt.target)) break;
    if (type === 'ResetLocalStmt') {
      write(stmt.target);
      if (i === 0) reset = stmt.target;
    } else if (type === 'MakeNumberIntStmt' || type === 'MakeNumberRefStmt') {
      const number = dispatchKey(type === 'MakeNumberIntStmt' ? stmt.value : numberFromText(stringAt(stmt.index)));
      write(stmt.target);
      if (typeof number === 'number') numbers.set(stmt.target, number);
    } else if (type === 'DotStmt') {
      const source = symbol(stmt.source);
      const key = constantOf(stmt.key);
      write(stmt.target);
      if (source !== undefined && (typeof key === 'string' || isPosition(key))) {
        known.set(stmt.target, { root: source.root, path: [...source.path, key] });
      }
    } else if (type === 'AssignVarStmt') {
      const source = symbol(stmt.source);
      if (source === undefined) break;
      write(stmt.target);
      known.set(stmt.target, source);
    } else if (type === 'EqualStmt') {
      const [at, constant] = symbol(stmt.a) === undefined ? [symbol(stmt.b), constantOf(stmt.a)] : [symbol(stmt.a), constantOf(stmt.b)];
      if (at === undefined || constant === undefined) continue;
      const key = JSON.stringify([at.root, ...at.path]);
      if (!guards.has(key)) guards.set(key, { ...at, constant });
      for (const local of writtenSoFar) written.add(local);
      writtenSoFar = [];
    } else if (type === 'LenStmt') write(stmt.target);
    else if (!tests.has(type)) break;
  }
  return { guards, written, reset };
}

/** Statements that have no effect but to end the block. */
const tests: ReadonlySet<Stmt['type']> = new Set(['IsUndefinedStmt', 'IsArrayStmt', 'NotEqualStmt']);

function isPosition(key: DispatchConstant | undefined): key is number {
  return typeof key === 'number' && Number.isSafeInteger(key) && key >= 0;
}
