import { innerBlocks, type LoweredBlock, type LoweredStmt, type Register } from './lowered.js';

/**
 * The register to which a statement itself gives another value, the key and value of a scan left
 * out. A collection that it changes, or copies to change it, is no other value.
 */
export function writtenBy(stmt: LoweredStmt): Register | undefined {
  switch (stmt.kind) {
    case 'move':
    case 'moveOnce':
    case 'reset':
    case 'makeArray':
    case 'makeObject':
    case 'makeSet':
    case 'objectMerge':
    case 'dot':
    case 'dotConst':
    case 'dotAhead':
    case 'len':
    case 'newRounds':
      return stmt.target;
    case 'call':
    case 'callDynamic':
    case 'builtin':
    case 'compare':
    case 'arithmetic':
      return stmt.result;
    case 'with':
      return stmt.register;
    default:
      return undefined;
  }
}

/** The registers that the statements of a block write, those of inner blocks included. */
export function writtenIn(block: LoweredBlock, registers = new Set<Register>()): ReadonlySet<Register> {
  for (const stmt of block) {
    const written = writtenBy(stmt);
    if (written !== undefined) registers.add(written);
    if (stmt.kind === 'scan') registers.add(stmt.key).add(stmt.value);
    for (const inner of innerBlocks(stmt)) writtenIn(inner, registers);
  }
  return registers;
}
