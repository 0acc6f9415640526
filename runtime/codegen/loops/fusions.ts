/**
 * Array comprehensions that only a built-in consumes: `sum([e.bytes | some e in events])`. The loop
 * computes the result as it goes, and no array is built.
 */

import type { LoweredBlock, LoweredFunction, LoweredOf, LoweredStmt, Register } from '../../lowering/lowered.js';
import { outermostBlocks } from '../../lowering/lowered.js';
import { eachBlock, usesOf } from '../../lowering/register-uses.js';

/** The built-ins that a loop may compute. */
const fusible = ['count', 'sum'] as const;

type Fusible = (typeof fusible)[number];

/** An array that is not built: its register holds the result so far. */
export interface Fusion {
  readonly consumer: Fusible;
  readonly register: Register;
}

export class Fusions {
  readonly #byStatement = new Map<LoweredStmt, Fusion>();

  /** @param builtins names of built-ins by their number */
  constructor(func: LoweredFunction, builtins: readonly string[]) {
    // Registers that outermost blocks do not share are others in each.
    for (const block of outermostBlocks(func)) this.#read(block, func.cleared, builtins);
  }

  #read(outermost: LoweredBlock, cleared: Register, builtins: readonly string[]): void {
    const candidates: [made: LoweredOf<'makeArray'>, block: LoweredBlock][] = [];
    eachBlock(outermost, (block) => {
      for (const stmt of block) if (stmt.kind === 'makeArray' && stmt.target >= cleared) candidates.push([stmt, block]);
    });
    if (candidates.length === 0) return;
    const uses = usesOf(outermost);
    for (const [made, block] of candidates) this.#add(made, block, uses, builtins);
  }

  of(stmt: LoweredStmt): Fusion | undefined {
    return this.#byStatement.get(stmt);
  }

  #add(
    made: LoweredOf<'makeArray'>,
    block: LoweredBlock,
    uses: ReadonlyMap<Register, readonly LoweredStmt[]>,
    builtins: readonly string[],
  ): void {
    const { target: register } = made;
    const appends: LoweredStmt[] = [];
    const others: LoweredStmt[] = [];
    for (const stmt of uses.get(register) ?? []) {
      if (stmt === made) continue;
      if (stmt.kind === 'arrayAppend' && stmt.array === register && stmt.value !== register) appends.push(stmt);
      else if (stmt.kind === 'inOrder' && stmt.array === register && stmt.value !== register) appends.push(stmt);
      else others.push(stmt);
    }
    const [only] = others;
    if (others.length !== 1 || only === undefined || !block.includes(only)) return;
    const [move, renamed, ...more] = only.kind === 'move' ? (uses.get(only.target) ?? []) : [only, only];
    if (move !== only || more.length > 0) return;
    const call = renamed;
    if (
      call?.kind !== 'builtin' ||
      call.args.length !== 1 ||
      call.result === register ||
      block.indexOf(call) < block.indexOf(made)
    )
      return;
    const consumer = fusible.find((name) => name === builtins[call.builtin]);
    if (consumer === undefined) return;
    const steps = only.kind === 'move' ? [made, ...appends, only, call] : [made, ...appends, call];
    for (const stmt of steps) this.#byStatement.set(stmt, { consumer, register });
  }
}
