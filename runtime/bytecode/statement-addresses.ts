/**
 * The addresses of the statements that a program came from, for its errors. A program lasts and its
 * plan does not, so they are a few bytes each, read when there is an error.
 */

import type { Block, Policy, Stmt } from '../../ir-schema/index.js';
import { addressedOwners, blocksOf, hasNumberedBlocks } from '../../ir-schema/index.js';

export interface StatementAddresses {
  /** Names of plans and functions, as addresses have them. */
  readonly owners: readonly string[];
  /** The start of each place's statement in `bytes`; 0 without one. */
  readonly starts: Int32Array;
  /**
   * The number of each statement's owner, the number of its steps, and the steps: numbers of seven
   * bits a byte, the lowest first. All but the last byte of a number have the highest bit.
   */
  readonly bytes: Uint8Array;
}

/** @param placed the statements by the number of their place; none for the first */
export function statementAddresses(policy: Policy, placed: readonly (Stmt | undefined)[]): StatementAddresses {
  return new AddressWriter(placed).write(policy);
}

/** The address of the statement of a place; undefined where it has none. */
export function statementAddressAt({ owners, starts, bytes }: StatementAddresses, place: number): string | undefined {
  let at = starts[place] ?? 0;
  if (at === 0) return undefined;
  const next = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const owner = owners[next()];
  const steps = Array.from({ length: next() }, next);
  return `${owner}/${steps.join('.')}`;
}

class AddressWriter {
  readonly #placed: readonly (Stmt | undefined)[];
  readonly #wanted: ReadonlySet<Stmt | undefined>;
  readonly #starts = new Map<Stmt, number>();
  /** The first byte is nobody's: 0 is no start. */
  readonly #bytes: number[] = [0];
  #owner = 0;
  /** Where the walk stands. */
  readonly #steps: number[] = [];

  constructor(placed: readonly (Stmt | undefined)[]) {
    this.#placed = placed;
    this.#wanted = new Set(placed);
  }

  write(policy: Policy): StatementAddresses {
    const owners = addressedOwners(policy);
    for (const [i, { body }] of owners.entries()) {
      this.#owner = i;
      this.#blocks(body.blocks ?? [], true);
    }
    const starts = Int32Array.from(this.#placed, (stmt) => (stmt && this.#starts.get(stmt)) ?? 0);
    return { owners: owners.map(({ name }) => name), starts, bytes: Uint8Array.from(this.#bytes) };
  }

  /** @param areNumbered whether the number of the block is a step */
  #blocks(blocks: readonly Block[], areNumbered: boolean): void {
    const steps = this.#steps;
    for (let i = 0; i < blocks.length; i++) {
      if (areNumbered) steps.push(i);
      const { stmts } = blocks[i]!;
      for (let j = 0; j < stmts.length; j++) {
        steps.push(j);
        this.#statement(stmts[j]!);
        steps.pop();
      }
      if (areNumbered) steps.pop();
    }
  }

  #statement(stmt: Stmt): void {
    if (this.#wanted.has(stmt) && !this.#starts.has(stmt)) {
      this.#starts.set(stmt, this.#bytes.length);
      this.#number(this.#owner);
      this.#number(this.#steps.length);
      for (const step of this.#steps) this.#number(step);
    }
    this.#blocks(blocksOf(stmt), hasNumberedBlocks(stmt));
  }

  #number(value: number): void {
    let rest = value;
    for (; rest > 127; rest >>>= 7) this.#bytes.push((rest & 127) | 128);
    this.#bytes.push(rest);
  }
}
