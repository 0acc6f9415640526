/** The events of a plan's evaluation, statement by statement. docs/recordings.md tells of each. */

import type { AddressedOwner, AddressedStatement, Addresses, Func, Plan, Stmt } from '../../ir-schema/index.js';
import { effectsOf } from '../../ir-schema/index.js';
import type { ReadLocals, StatementObserver } from '../../runtime/index.js';
import type { Value } from '../../values/index.js';

/** The names of events, by their number in a recording. */
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
  /** The locals that a statement reads, where it has not been told of yet. */
  readonly read: readonly number[];
  /** The locals as they were before the statement. */
  readonly before: ReadLocals;
  /** How many calls are around it. */
  readonly depth: number;
  /** How many calls and open statements are around it. */
  readonly level: number;
  /** Whether a `begin` of the statement came before. */
  readonly hasBegun: boolean;
  readonly locals: ReadLocals;
  /** The result of a `return`; undefined where there is none. */
  readonly result?: Value | undefined;
  /** The text of a `note` or an `error`. */
  readonly text?: string;
}

interface OpenStatement {
  readonly statement: AddressedStatement;
  readonly effects: KnownEffects;
  readonly before: ReadLocals;
  hasBegun: boolean;
}

interface Call {
  readonly owner: AddressedOwner;
  readonly locals: ReadLocals;
  /** The statements that have begun and not ended. */
  readonly open: OpenStatement[];
}

/** The effects of a statement, as events have them. */
interface KnownEffects {
  readonly read: readonly number[];
  readonly stored: readonly number[];
  readonly hasBlocks: boolean;
  /** The locals that it reads, if it writes one of these. */
  readonly overwritten: readonly number[];
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
  /** How many statements are open in all calls. */
  #open = 0;
  readonly #known = new Map<Stmt, KnownEffects>();

  constructor(addresses: Addresses, take: (event: PlanEvent) => void) {
    this.#addresses = addresses;
    this.#owners = new Map(addresses.owners.toReversed().map((owner) => [owner.body, owner]));
    this.#take = take;
  }

  enter(body: Plan | Func, locals: ReadLocals): void {
    const caller = this.#calls.at(-1);
    const calling = caller?.open.at(-1);
    if (caller && calling) this.#begin(caller, calling, this.#calls.length + this.#open - 1);
    // The body is one of the policy.
    const call: Call = { owner: this.#owners.get(body)!, locals, open: [] };
    this.#calls.push(call);
    const stored = 'params' in body ? (body.params ?? []).slice(documents) : nothing;
    const depth = this.#calls.length - 1;
    this.#tell('call', call, { stored, depth, level: depth + this.#open });
  }

  exit(_body: Plan | Func, result: Value | undefined): void {
    this.#tell('return', this.#call, { depth: this.#calls.length - 1, result });
    this.#calls.pop();
  }

  before(stmt: Stmt, locals: ReadLocals): void {
    const call = this.#call;
    // It is one of the policy.
    const statement = this.#addresses.find(stmt)!;
    const { parent } = statement;
    if (parent?.stmt.type === 'ScanStmt' && statement.steps.at(-1) === 0)
      this.#tell('round', call, { statement: parent, stored: [parent.stmt.stmt.key, parent.stmt.stmt.value] });
    const effects = this.#effectsOf(stmt);
    const { overwritten } = effects;
    const before = overwritten.length > 0 ? new Map(overwritten.map((local) => [local, locals.get(local)])) : locals;
    const open: OpenStatement = { statement, effects, before, hasBegun: false };
    call.open.push(open);
    if (effects.hasBlocks) this.#begin(call, open);
    this.#open++;
  }

  passed(): void {
    this.#end('pass');
  }

  ended(_stmt: Stmt, how: 'failed' | 'left'): void {
    this.#end(how === 'failed' ? 'fail' : 'leave');
  }

  /** A call of `trace` or `print`. */
  note(text: string): void {
    this.#say('note', text);
  }

  /** The evaluation ends here with an error. */
  error(text: string): void {
    this.#say('error', text);
  }

  /** The innermost call: a plan is entered before anything in it is told. */
  get #call(): Call {
    return this.#calls.at(-1)!;
  }

  #say(name: EventName, text: string): void {
    const call = this.#calls.at(-1);
    if (call !== undefined) this.#tell(name, call, { statement: call.open.at(-1)?.statement, text });
  }

  #begin(call: Call, open: OpenStatement, level?: number): void {
    const { statement, effects, before } = open;
    this.#tell('begin', call, { statement, read: effects.read, before, ...(level !== undefined && { level }) });
    open.hasBegun = true;
  }

  #end(name: EventName): void {
    const call = this.#call;
    // It was told before that the statement begins.
    const { statement, effects, hasBegun, before } = call.open.pop()!;
    this.#open--;
    this.#tell(name, call, {
      statement,
      before,
      hasBegun,
      ...(!hasBegun && { read: effects.read }),
      ...(name === 'pass' && { stored: effects.stored }),
    });
  }

  #tell(name: EventName, { owner, locals }: Call, event: Partial<PlanEvent>): void {
    this.#take({
      name,
      owner,
      statement: undefined,
      stored: nothing,
      read: nothing,
      before: locals,
      depth: this.#calls.length,
      level: this.#calls.length + this.#open,
      hasBegun: false,
      locals,
      ...event,
    });
  }

  #effectsOf(stmt: Stmt): KnownEffects {
    let known = this.#known.get(stmt);
    if (known === undefined) this.#known.set(stmt, (known = knownEffects(stmt)));
    return known;
  }
}

/** The rounds of a loop and the blocks of a `with` have the values that these store. */
function knownEffects(stmt: Stmt): KnownEffects {
  const { reads, writes, mutates, blocks } = effectsOf(stmt);
  const hasBlocks = blocks.length > 0;
  const read = [...new Set(reads)].filter((local) => local >= documents && !mutates.includes(local));
  const isHolder = hasBlocks || stmt.type === 'ScanStmt' || stmt.type === 'WithStmt';
  const stored = isHolder ? nothing : [...writes, ...mutates];
  return { read, stored, hasBlocks, overwritten: reads.some((local) => writes.includes(local)) ? reads : nothing };
}
