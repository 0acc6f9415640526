/** The events of a plan's evaluation, statement by statement. docs/recordings.md tells of each. */

import type { AddressedOwner, AddressedStatement, Addresses } from '../../ir-schema/address.js';
import { effectsOf } from '../../ir-schema/effects.js';
import type { Func, Plan, Stmt } from '../../ir-schema/plan.js';
import { blocksOf } from '../../ir-schema/walk.js';
import type { ReadLocals, StatementObserver } from '../../runtime/vm/plan-tables.js';
import type { Value } from '../../values/value.js';

/** What events are called, by their number in a recording. */
export const eventNames = ['call', 'return', 'begin', 'round', 'pass', 'fail', 'leave', 'note', 'error'] as const;

export type EventName = (typeof eventNames)[number];

/** An event of the evaluation. */
export interface PlanEvent {
  readonly name: EventName;
  /** The plan or function that begins or ends, or in which the statement is. */
  readonly owner: AddressedOwner;
  /** Undefined for `call` and `return`. */
  readonly statement: AddressedStatement | undefined;
  /** The locals that got a value, or whose collection got a member. */
  readonly stored: readonly number[];
  /** How many calls are around it. */
  readonly depth: number;
  readonly locals: ReadLocals;
  /** The result of a `return`; undefined where there is none. */
  readonly result?: Value | undefined;
  /** Of a `note` or an `error`. */
  readonly text?: string;
}

interface Call {
  readonly owner: AddressedOwner;
  readonly locals: ReadLocals;
  /** The statements that have begun and not ended. */
  readonly open: AddressedStatement[];
}

/** The first parameters of a plan or function are the documents. */
const documents = 2;
const nothing: readonly number[] = [];

/** Turns what the walker tells into events. */
export class PlanEvents implements StatementObserver {
  readonly #addresses: Addresses;
  readonly #owners: ReadonlyMap<Plan | Func, AddressedOwner>;
  readonly #take: (event: PlanEvent) => void;
  readonly #calls: Call[] = [];
  readonly #stored = new Map<Stmt, readonly number[]>();

  constructor(addresses: Addresses, take: (event: PlanEvent) => void) {
    this.#addresses = addresses;
    this.#owners = new Map(addresses.owners.toReversed().map((owner) => [owner.body, owner]));
    this.#take = take;
  }

  enter(body: Plan | Func, locals: ReadLocals): void {
    const owner = this.#owners.get(body)!;
    const caller = this.#calls.at(-1);
    if (caller !== undefined) this.#statement('begin', caller, caller.open.at(-1)!, nothing);
    this.#calls.push({ owner, locals, open: [] });
    const params = 'params' in body ? (body.params ?? []).slice(documents) : nothing;
    this.#take({ name: 'call', owner, statement: undefined, stored: params, depth: this.#calls.length - 1, locals });
  }

  exit(_body: Plan | Func, result: Value | undefined): void {
    const { owner, locals } = this.#calls.pop()!;
    this.#take({ name: 'return', owner, statement: undefined, stored: nothing, depth: this.#calls.length, locals, result });
  }

  before(stmt: Stmt): void {
    const call = this.#calls.at(-1)!;
    const statement = this.#addresses.find(stmt)!;
    const { parent } = statement;
    if (parent?.stmt.type === 'ScanStmt' && statement.steps.at(-1) === 0)
      this.#statement('round', call, parent, [parent.stmt.stmt.key, parent.stmt.stmt.value]);
    call.open.push(statement);
    if (blocksOf(stmt).length > 0) this.#statement('begin', call, statement, nothing);
  }

  passed(stmt: Stmt): void {
    const call = this.#calls.at(-1)!;
    this.#statement('pass', call, call.open.pop()!, this.#storedBy(stmt));
  }

  ended(_stmt: Stmt, how: 'failed' | 'left'): void {
    const call = this.#calls.at(-1)!;
    this.#statement(how === 'failed' ? 'fail' : 'leave', call, call.open.pop()!, nothing);
  }

  /** A call of `trace` or `print`. */
  note(text: string): void {
    this.#say('note', text);
  }

  /** The evaluation ends here with an error. */
  error(text: string): void {
    this.#say('error', text);
  }

  #say(name: EventName, text: string): void {
    const call = this.#calls.at(-1);
    if (call === undefined) return;
    const { owner, locals, open } = call;
    this.#take({ name, owner, statement: open.at(-1), stored: nothing, depth: this.#calls.length, locals, text });
  }

  #statement(name: EventName, { owner, locals }: Call, statement: AddressedStatement, stored: readonly number[]): void {
    this.#take({ name, owner, statement, stored, depth: this.#calls.length, locals });
  }

  /** The rounds of a loop and the blocks of a `with` have the values that these store. */
  #storedBy(stmt: Stmt): readonly number[] {
    let stored = this.#stored.get(stmt);
    if (stored === undefined) {
      const { writes, mutates } = effectsOf(stmt);
      this.#stored.set(stmt, (stored = blocksOf(stmt).length > 0 || stmt.type === 'ScanStmt' ? nothing : [...writes, ...mutates]));
    }
    return stored;
  }
}
