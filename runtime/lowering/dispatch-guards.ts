import type { Block, Operand } from '../../ir-schema/plan.js';

/** A comparison of a value below a parameter with a constant. */
export interface Guard {
  readonly root: number;
  readonly path: readonly string[];
  readonly constant: string | boolean;
}

/**
 * The comparisons with constants at the start of a block, up to the first statement that is
 * neither a look-up nor a test.
 */
export function guardsOf(block: Block, roots: ReadonlySet<number>, stringAt: (index: number) => string) {
  const known = new Map<number, { root: number; path: readonly string[] }>();
  for (const root of roots) known.set(root, { root, path: [] });
  const guards = new Map<string, Guard>();
  const written = new Set<number>();
  let writtenSoFar: number[] = [];
  let reset: number | undefined;
  const symbol = (operand: Operand) => (operand.type === 'local' ? known.get(operand.value) : undefined);
  const write = (local: number) => {
    writtenSoFar.push(local);
    // If it has a value although the comparison may fail, it does not tell whether the block
    // succeeded.
    if (local === reset) reset = undefined;
  };
  for (const [i, { type, stmt }] of block.stmts.entries()) {
    if (type === 'ResetLocalStmt') {
      if (roots.has(stmt.target)) break;
      known.delete(stmt.target);
      writtenSoFar.push(stmt.target);
      if (i === 0) reset = stmt.target;
    } else if (type === 'DotStmt') {
      const source = symbol(stmt.source);
      if (source === undefined || stmt.key.type !== 'string_index' || roots.has(stmt.target)) break;
      known.set(stmt.target, { root: source.root, path: [...source.path, stringAt(stmt.key.value)] });
      write(stmt.target);
    } else if (type === 'AssignVarStmt') {
      const source = symbol(stmt.source);
      if (source === undefined || roots.has(stmt.target)) break;
      known.set(stmt.target, source);
      write(stmt.target);
    } else if (type === 'EqualStmt') {
      const [at, constant] = stmt.a.type === 'local' ? [symbol(stmt.a), stmt.b] : [symbol(stmt.b), stmt.a];
      if (at === undefined || constant.type === 'local') break;
      const key = JSON.stringify([at.root, ...at.path]);
      const value = constant.type === 'bool' ? constant.value : stringAt(constant.value);
      if (!guards.has(key)) guards.set(key, { ...at, constant: value });
      for (const local of writtenSoFar) written.add(local);
      writtenSoFar = [];
    } else if (type !== 'IsUndefinedStmt') break;
  }
  return { guards, written, reset };
}
