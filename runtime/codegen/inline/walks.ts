/**
 * Loops over the result of `walk`, which read the path and the value of its pairs and no more. No
 * pair is made, and a path only where its round reads more of it than a key or its length.
 */

import type { Value } from '../../../values/index.js';
import type { LoweredBlock, LoweredFunction, LoweredOf, LoweredStmt, Register } from '../../lowering/lowered.js';
import { innerBlocks, outermostBlocks } from '../../lowering/lowered.js';
import { eachBlock, registersOf, usesOf, writtenBy } from '../../lowering/register-uses.js';

/** The tables of the program. */
interface Tables {
  readonly constants: readonly Value[];
  readonly builtins: readonly string[];
}

/** A loop over a walk. */
export interface WalkLoop {
  readonly call: LoweredOf<'builtin'>;
  readonly scan: LoweredOf<'scan'>;
  /** Looks up the path of a pair; undefined where no round does. */
  readonly path: LoweredOf<'dot'> | undefined;
}

/** A statement that reads the type, the length, the path or the value of a pair. */
type PairReader = LoweredOf<'isArray'> | LoweredOf<'len'> | LoweredOf<'dot'>;

/** Statements that change a collection, or note who knows it: these need the array. */
const changing: ReadonlySet<LoweredStmt['kind']> = new Set(['copyIfEscaped', 'track', 'escape', 'with']);

type Uses = ReadonlyMap<Register, readonly LoweredStmt[]>;

export class Walks {
  readonly #byStatement = new Map<LoweredStmt, WalkLoop>();

  constructor(func: LoweredFunction, tables: Tables) {
    if (!tables.builtins.includes('walk')) return;
    // Registers that outermost blocks do not share are others in each.
    for (const block of outermostBlocks(func)) this.#read(block, func.cleared, tables);
  }

  /** The loop to which a statement belongs. */
  of(stmt: LoweredStmt): WalkLoop | undefined {
    return this.#byStatement.get(stmt);
  }

  #read(outermost: LoweredBlock, cleared: Register, tables: Tables): void {
    const calls: LoweredOf<'builtin'>[] = [];
    eachBlock(outermost, (block) => {
      for (const stmt of block)
        if (stmt.kind === 'builtin' && tables.builtins[stmt.builtin] === 'walk' && stmt.args.length === 1)
          calls.push(stmt);
    });
    if (calls.length === 0) return;
    const uses = usesOf(outermost);
    for (const call of calls) if (call.result >= cleared) this.#add(call, uses, cleared, tables);
  }

  #add(call: LoweredOf<'builtin'>, uses: Uses, cleared: Register, { constants, builtins }: Tables): void {
    const [scan, ...others] = (uses.get(call.result) ?? []).filter((stmt) => stmt !== call);
    if (others.length > 0 || scan?.kind !== 'scan' || call.args.includes(call.result)) return;
    const { value, key, copied, index, groups } = scan;
    if (copied || index !== undefined || groups !== undefined || value < cleared || key === value) return;
    const inside = new Set(allOf(scan.block));
    const readers: PairReader[] = [];
    let path: LoweredOf<'dot'> | undefined;
    for (const stmt of uses.get(value) ?? []) {
      if (stmt === scan) continue;
      if (!inside.has(stmt) || !isPairReader(stmt, value, constants)) return;
      if (stmt.kind === 'dot' && constants[-1 - stmt.key] === 0) {
        if (path !== undefined) return;
        path = stmt;
      }
      readers.push(stmt);
    }
    if (path !== undefined && !this.#isOnlyRead(path, scan, uses, cleared)) return;
    const loop: WalkLoop = { call, scan, path };
    const ofPath = (uses.get(path?.target ?? -1) ?? []).filter((stmt) => isPathReader(stmt, path!.target, builtins));
    for (const stmt of [call, scan, ...readers, ...ofPath]) this.#byStatement.set(stmt, loop);
  }

  /** Whether the path is known behind its look-up only, and nothing changes it. */
  #isOnlyRead(path: LoweredOf<'dot'>, scan: LoweredOf<'scan'>, uses: Uses, cleared: Register): boolean {
    const { target } = path;
    if (target < cleared || target === scan.value || target === scan.key) return false;
    const behind = new Set(allBehind(path, scan.block));
    return (uses.get(target) ?? []).every((stmt) => {
      if (stmt === path) return true;
      if (!behind.has(stmt) || writtenBy(stmt) === target || changing.has(stmt.kind)) return false;
      if (stmt.kind === 'scan') return stmt.key !== target && stmt.value !== target && stmt.source === target;
      return stmt.kind === 'arrayAppend' ? stmt.array !== target : true;
    });
  }
}

/** A statement that reads the length or a key of a path. */
function isPathReader(stmt: LoweredStmt, path: Register, builtins: readonly string[]): boolean {
  if (registersOf(stmt).filter((used) => used === path).length !== 1) return false;
  if (stmt.kind === 'builtin') return builtins[stmt.builtin] === 'count' && stmt.args[0] === path;
  return stmt.kind === 'dot' && stmt.source === path;
}

function isPairReader(stmt: LoweredStmt, pair: Register, constants: readonly Value[]): stmt is PairReader {
  if (registersOf(stmt).filter((used) => used === pair).length !== 1) return false;
  if (stmt.kind === 'isArray' || stmt.kind === 'len') return stmt.source === pair;
  if (stmt.kind !== 'dot' || stmt.source !== pair || stmt.key >= 0) return false;
  const key = constants[-1 - stmt.key];
  return key === 0 || key === 1;
}

/** The statements of a block and of those inside. */
function allOf(block: LoweredBlock): LoweredStmt[] {
  const all: LoweredStmt[] = [];
  eachBlock(block, (inner) => all.push(...inner));
  return all;
}

/** The statements behind one in its own block. */
function allBehind(stmt: LoweredStmt, block: LoweredBlock): LoweredStmt[] {
  const at = block.indexOf(stmt);
  if (at >= 0) return allOf(block.slice(at + 1));
  for (const one of block)
    for (const inner of innerBlocks(one)) {
      const found = allBehind(stmt, inner);
      if (found.length > 0) return found;
    }
  return [];
}
