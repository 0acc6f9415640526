/**
 * The statements of a plan as instructions: clients sort and count by numbers, so each statement
 * has one beside its address.
 */
import type { DebugSession, DebugStatement } from '../../views/index.js';
import { ArgumentError } from './protocol/arguments.js';

/** The number of the first statement: clients ask for those before it, by positive numbers. */
const first = 0x10000;

const all = Number.MAX_SAFE_INTEGER;

export class Instructions {
  readonly #session: DebugSession;
  #statements: readonly DebugStatement[] = [];
  readonly #indexes = new Map<string, number>();

  constructor(session: DebugSession) {
    this.#session = session;
  }

  /** The number of a statement, as references to memory are written; undefined for a plan. */
  reference(address: string): string | undefined {
    const index = this.#all(address).get(address);
    return index === undefined ? undefined : numberText(index);
  }

  /** A statement by the reference or the address that a client gives. Throws an ArgumentError. */
  at(reference: string, offset: number): DebugStatement {
    const statement = this.#statements[this.#position(reference) + offset];
    if (statement === undefined) throw new ArgumentError(`there is no statement ${offset} after ${reference}`);
    return statement;
  }

  /** Exactly `count` statements from a position; undefined where the plan has none. */
  slice(
    reference: string,
    offset: number,
    count: number,
  ): readonly { readonly number: string; readonly statement: DebugStatement | undefined }[] {
    const from = Math.max(this.#position(reference) + offset, -first);
    return Array.from({ length: count }, (_, i) => ({
      number: numberText(from + i),
      statement: this.#statements[from + i],
    }));
  }

  #position(reference: string): number {
    return /^(?:0x[0-9a-f]+|\d+)$/i.test(reference) ? Number(reference) - first : this.#index(reference);
  }

  #index(address: string): number {
    const index = this.#all(address).get(address);
    if (index === undefined) throw new ArgumentError(`there is no statement ${address}`);
    return index;
  }

  /** All statements by their address, read when the first is asked for. */
  #all(address: string): ReadonlyMap<string, number> {
    if (this.#statements.length === 0) {
      this.#statements = this.#session.statements(address, all, all);
      for (const [i, statement] of this.#statements.entries()) this.#indexes.set(statement.address, i);
    }
    return this.#indexes;
  }
}

function numberText(index: number): string {
  return `0x${(index + first).toString(16)}`;
}
