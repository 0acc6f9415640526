import { innerBlocks, type LoweredBlock, type LoweredStmt, type Register } from './lowered.js';

/** Fields that are indexes or numbers of their own, not registers, by kind of statement. */
const indexes: Partial<Record<LoweredStmt['kind'], ReadonlySet<string>>> = {
  raise: new Set(['text']),
  dotConst: new Set(['key']),
  dotAhead: new Set(['key']),
  equalConst: new Set(['b']),
  notEqualConst: new Set(['b']),
  distinctRound: new Set(['paths']),
  call: new Set(['func']),
  builtin: new Set(['builtin']),
  compare: new Set(['relation']),
  compareTest: new Set(['relation']),
  arithmetic: new Set(['builtin', 'operator']),
  return: new Set(['withs']),
  break: new Set(['index', 'withs']),
  endLoop: new Set(['index']),
  with: new Set(['path']),
  scan: new Set(['weight']),
};

/** The names of a kind's other fields. */
const fieldsByKind = new Map<LoweredStmt['kind'], readonly string[]>();

/** Blocks, and the index of a scan; other statements name the registers of `groups`. */
const inner: ReadonlySet<string> = new Set(['kind', 'origin', 'block', 'blocks', 'ahead', 'index', 'groups']);

function fieldsOf(stmt: LoweredStmt): readonly string[] {
  let fields = fieldsByKind.get(stmt.kind);
  if (fields === undefined) {
    const skipped = indexes[stmt.kind];
    fields = Object.keys(stmt).filter((name) => !inner.has(name) && skipped?.has(name) !== true);
    fieldsByKind.set(stmt.kind, fields);
  }
  return fields;
}

/** The registers that a statement itself names, each as often as it does; constants left out. */
export function registersOf(stmt: LoweredStmt): readonly Register[] {
  const registers: Register[] = [];
  for (const name of fieldsOf(stmt)) {
    const field = (stmt as unknown as { readonly [name: string]: unknown })[name];
    if (typeof field === 'number') {
      if (field >= 0) registers.push(field);
    } else if (Array.isArray(field))
      for (const value of field) if (typeof value === 'number' && value >= 0) registers.push(value);
  }
  if (stmt.kind === 'scan' && stmt.index !== undefined) {
    registers.push(stmt.index.wanted, stmt.index.found);
    if (stmt.index.second !== undefined) registers.push(stmt.index.second.wanted);
  }
  return registers;
}

/** The statements of a block and of those inside that name a register, once for each time. */
export function usesOf(outermost: LoweredBlock): ReadonlyMap<Register, readonly LoweredStmt[]> {
  const uses = new Map<Register, LoweredStmt[]>();
  eachBlock(outermost, (block) => {
    for (const stmt of block) {
      for (const register of registersOf(stmt)) {
        const list = uses.get(register);
        if (list === undefined) uses.set(register, [stmt]);
        else list.push(stmt);
      }
    }
  });
  return uses;
}

/** Calls `visit` for each block, outer ones first. */
export function eachBlock(block: LoweredBlock, visit: (block: LoweredBlock) => void): void {
  visit(block);
  for (const stmt of block) for (const inner of innerBlocks(stmt)) eachBlock(inner, visit);
}

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
    case 'inOrder':
      return stmt.free;
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
    if (stmt.kind === 'scan' && stmt.free !== undefined) registers.add(stmt.free);
    for (const inner of innerBlocks(stmt)) writtenIn(inner, registers);
  }
  return registers;
}
