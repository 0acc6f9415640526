/**
 * Arrays of `split` of which only the number of parts and single parts are read:
 * `parts[count(parts) - 1]`. No array is built: parts are cut out of the text when they are read.
 */

import type { Value } from '../../../values/index.js';
import type { LoweredBlock, LoweredFunction, LoweredOf, LoweredStmt, Register } from '../../lowering/lowered.js';
import { innerBlocks, outermostBlocks } from '../../lowering/lowered.js';
import { eachBlock, registersOf, usesOf } from '../../lowering/register-uses.js';

/** To find a part takes as long as the text, so an array is better where many parts are read. */
const mostReads = 4;

/** The tables of the program. */
interface Tables {
  readonly constants: readonly Value[];
  readonly builtins: readonly string[];
}

interface Split {
  readonly call: LoweredOf<'builtin'>;
  readonly delimiter: string;
  /** The register of the call's result: the number of parts, or the array where that is built. */
  readonly register: Register;
  readonly isCounted: boolean;
}

/** A statement that reads the array, or gives it another name. */
type Reader = LoweredOf<'builtin'> | LoweredOf<'dot'> | LoweredOf<'move'>;

export class Splits {
  readonly #byStatement = new Map<LoweredStmt, Split>();

  constructor(func: LoweredFunction, tables: Tables) {
    if (!tables.builtins.includes('split')) return;
    // Registers that outermost blocks do not share are others in each.
    for (const block of outermostBlocks(func)) this.#read(block, func.cleared, tables);
  }

  /** The split that a statement makes or reads. */
  of(stmt: LoweredStmt): Split | undefined {
    return this.#byStatement.get(stmt);
  }

  #read(outermost: LoweredBlock, cleared: Register, tables: Tables): void {
    const calls: [call: LoweredOf<'builtin'>, block: LoweredBlock][] = [];
    eachBlock(outermost, (block) => {
      for (const stmt of block) if (isSplit(stmt, tables) && stmt.result >= cleared) calls.push([stmt, block]);
    });
    if (calls.length === 0) return;
    const uses = usesOf(outermost);
    for (const [call, block] of calls) this.#add(call, block, uses, tables);
  }

  #add(
    call: LoweredOf<'builtin'>,
    block: LoweredBlock,
    uses: ReadonlyMap<Register, readonly LoweredStmt[]>,
    tables: Tables,
  ): void {
    const near = new Set(reachedOnce(block.slice(block.indexOf(call) + 1)));
    const readers: Reader[] = [];
    const follow = (register: Register, maker: LoweredStmt): boolean =>
      (uses.get(register) ?? []).every((stmt) => {
        if (stmt === maker) return registersOf(stmt).filter((used) => used === register).length === 1;
        if (!near.has(stmt) || !isReader(stmt, register, tables)) return false;
        readers.push(stmt);
        return stmt.kind !== 'move' || (stmt.target >= 0 && follow(stmt.target, stmt));
      });
    if (!follow(call.result, call)) return;
    const reads = readers.filter(({ kind }) => kind !== 'move');
    if (reads.length === 0 || reads.length > mostReads) return;
    const delimiter = delimiterOf(call, tables);
    if (delimiter === undefined) return;
    const split = { call, delimiter, register: call.result, isCounted: reads.some(({ kind }) => kind === 'builtin') };
    for (const stmt of [call, ...readers]) this.#byStatement.set(stmt, split);
  }
}

/** A call with a constant delimiter of one unit, which does not overlap with itself. */
function isSplit(stmt: LoweredStmt, tables: Tables): stmt is LoweredOf<'builtin'> {
  if (stmt.kind !== 'builtin' || tables.builtins[stmt.builtin] !== 'split' || stmt.args.length !== 2) return false;
  const delimiter = delimiterOf(stmt, tables);
  return delimiter?.length === 1;
}

/** A constant text by which a call splits. */
function delimiterOf({ args: [, operand] }: LoweredOf<'builtin'>, { constants }: Tables): string | undefined {
  const delimiter = operand !== undefined && operand < 0 ? constants[-1 - operand] : undefined;
  return typeof delimiter === 'string' ? delimiter : undefined;
}

/** Whether a statement only reads the number of parts or a part, or names the array. */
function isReader(stmt: LoweredStmt, register: Register, { builtins }: Tables): stmt is Reader {
  if (registersOf(stmt).filter((used) => used === register).length !== 1) return false;
  if (stmt.kind === 'builtin') return builtins[stmt.builtin] === 'count' && stmt.args[0] === register;
  return (stmt.kind === 'dot' && stmt.source === register) || (stmt.kind === 'move' && stmt.source === register);
}

/** Statements that run at most once behind each run of the statement in front of a block. */
function reachedOnce(block: LoweredBlock): LoweredStmt[] {
  return block.flatMap((stmt) => [stmt, ...(stmt.kind === 'scan' ? [] : innerBlocks(stmt).flatMap(reachedOnce))]);
}
