/**
 * Arrays whose elements are all appended before another statement reads the array: they are written
 * as literals, `[a, b]`. Arrays that only `sprintf`, `concat` or `object.get` reads are not built.
 */
import type { LoweredBlock, LoweredFunction, LoweredOf, LoweredStmt, Register } from '../../lowering/lowered.js';
import { innerBlocks, outermostBlocks } from '../../lowering/lowered.js';
import { eachBlock, registersOf, writtenBy } from '../../lowering/register-uses.js';
import type { Kind } from '../known/known.js';

/** An element, in a variable of its own from its statement on. */
interface Element {
  readonly text: string;
  readonly kind: Kind | undefined;
  /** A constant text. */
  readonly name?: string | undefined;
}

export interface ArrayLiteral {
  readonly register: Register;
  /** The elements so far. */
  readonly elements: Element[];
  readonly length: number;
  /** The call of a built-in that alone reads the array. */
  readonly onlyCall: LoweredOf<'builtin'> | undefined;
}

/** Longer arrays are built step by step. */
const maxLength = 16;

export class ArrayLiterals {
  readonly #byStatement = new Map<LoweredStmt, ArrayLiteral>();
  readonly #byCall = new Map<LoweredStmt, ArrayLiteral>();

  constructor(func: LoweredFunction) {
    // Registers that outermost blocks do not share are others in each.
    for (const block of outermostBlocks(func)) this.#read(block, func.cleared);
  }

  /** The literal that a `makeArray` or an `arrayAppend` is part of. */
  of(stmt: LoweredStmt): ArrayLiteral | undefined {
    return this.#byStatement.get(stmt);
  }

  /** The literal that only this call reads. */
  readBy(call: LoweredStmt): ArrayLiteral | undefined {
    return this.#byCall.get(call);
  }

  #read(outermost: LoweredBlock, cleared: Register): void {
    const candidates: [made: LoweredOf<'makeArray'>, block: LoweredBlock][] = [];
    eachBlock(outermost, (block) => {
      for (const stmt of block) if (stmt.kind === 'makeArray' && stmt.target >= cleared) candidates.push([stmt, block]);
    });
    if (candidates.length === 0) return;
    const uses = new Map<Register, number>();
    const makers = new Map<Register, number>();
    eachBlock(outermost, (block) => {
      for (const stmt of block) {
        for (const register of registersOf(stmt)) uses.set(register, (uses.get(register) ?? 0) + 1);
        const written = writtenBy(stmt);
        if (written !== undefined) makers.set(written, (makers.get(written) ?? 0) + 1);
      }
    });
    for (const [made, block] of candidates) if (makers.get(made.target) === 1) this.#add(made, block, uses);
  }

  #add(made: LoweredOf<'makeArray'>, block: LoweredBlock, uses: ReadonlyMap<Register, number>): void {
    const { target: register } = made;
    const elements: LoweredStmt[] = [];
    let seen = 1;
    let onlyCall: LoweredOf<'builtin'> | undefined;
    for (const stmt of block.slice(block.indexOf(made) + 1)) {
      const count = usesIn(stmt, register);
      if (count === 0) continue;
      const appends = stmt.kind === 'arrayAppend' && stmt.array === register && count === 1;
      if (appends && seen === 1 + elements.length) elements.push(stmt);
      else if (stmt.kind === 'builtin' && count === 1) onlyCall = stmt;
      seen += count;
      if (seen === uses.get(register)) break;
    }
    if (elements.length === 0 || elements.length > maxLength || seen !== uses.get(register)) return;
    if (seen !== elements.length + 2) onlyCall = undefined;
    const literal = { register, elements: [], length: elements.length, onlyCall };
    for (const stmt of [made, ...elements]) this.#byStatement.set(stmt, literal);
    if (onlyCall !== undefined) this.#byCall.set(onlyCall, literal);
  }
}

/** How often a statement names a register, those inside it included. */
function usesIn(stmt: LoweredStmt, register: Register): number {
  let count = registersOf(stmt).filter((used) => used === register).length;
  for (const block of innerBlocks(stmt)) for (const inner of block) count += usesIn(inner, register);
  return count;
}
