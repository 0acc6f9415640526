/** A recorded run, and questions about it: values at an event, their origin, differences. */

import type { AddressedOwner, AddressedStatement, Addresses, Stmt } from '../../../ir-schema/index.js';
import { blocksOf, effectsOf, mutatedBy } from '../../../ir-schema/index.js';
import { countWhile } from '../../../values/index.js';
import { eventNames, type RecordedRun } from '../../../views/index.js';

/** Events by their number in recordings. */
export const op = Object.fromEntries(eventNames.map((name, i) => [name, i])) as Readonly<
  Record<(typeof eventNames)[number], number>
>;

/** A local of a call at an event. */
export interface LocalAt {
  readonly local: number;
  /** The event that gave it its value. */
  readonly at: number;
  readonly text: string;
}

/** An open call, the outermost first. */
export interface CallAt {
  readonly owner: number;
  /** The event in which it began. */
  readonly at: number;
}

/** A step of the way that a value came. */
export interface OriginStep {
  /** The event that gave the value. */
  readonly at: number;
  /** Undefined for an argument, and for input and data. */
  readonly statement: number | undefined;
  readonly title: string;
  /** How many steps are between it and the value asked for. */
  readonly depth: number;
  readonly text: string;
}

/** The most origins that are shown of one value. */
const mostOrigins = 200;
const documents = ['input', 'data'];

/** An event that gave a local its value. */
interface Definition {
  readonly local: number;
  readonly event: number;
  readonly text: string | undefined;
}

export class RecordedEvents {
  readonly run: RecordedRun;
  readonly length: number;
  /** Numbers of `eventNames`. */
  readonly ops: Uint8Array;
  /** The number of the owner for a call or return, else that of the statement. */
  readonly what: Uint32Array;
  /** How many calls are around the event. */
  readonly depths: Uint16Array;
  /** The event in which its call began. */
  readonly frames: Uint32Array;
  /** Whether a round is not the first of its loop. */
  readonly again: Uint8Array;
  /** The first of its values. */
  readonly #stored: Uint32Array;
  readonly #addresses: Addresses;
  readonly #writers = new Map<AddressedOwner, Map<number, number[]>>();
  #found: ReadonlyMap<number, readonly number[]> | undefined;

  constructor(run: RecordedRun, addresses: Addresses) {
    this.run = run;
    this.#addresses = addresses;
    const { events } = run;
    const owners = new Map(addresses.owners.map(({ name }, i) => [name, i]));
    const ownerNumbers = events.owners.map((name) => owners.get(name) ?? 0);
    const statementNumbers = events.statements.map((address) => addresses.at(address)?.index ?? 0);
    const { length } = events.op;
    this.length = length;
    this.ops = Uint8Array.from(events.op);
    this.what = new Uint32Array(length);
    this.depths = new Uint16Array(length);
    this.frames = new Uint32Array(length);
    this.again = new Uint8Array(length);
    this.#stored = new Uint32Array(length + 1);
    const open: number[] = [];
    /** Loops that had a round since they began. */
    const begun = new Set<number>();
    let stored = 0;
    for (const [at, kind] of this.ops.entries()) {
      const isOfOwner = kind === op.call || kind === op.return;
      const what = (isOfOwner ? ownerNumbers : statementNumbers)[events.at[at] ?? 0] ?? 0;
      this.what[at] = what;
      stored += events.stores[at] ?? 0;
      this.#stored[at + 1] = stored;
      if (kind === op.call) open.push(at);
      this.frames[at] = open.at(-1) ?? 0;
      this.depths[at] = Math.min(65_535, Math.max(0, open.length - 1));
      if (kind === op.return) open.pop();
      else if (kind === op.begin) begun.delete(what);
      else if (kind === op.round) {
        if (begun.has(what)) this.again[at] = 1;
        begun.add(what);
      }
    }
  }

  /** The texts of the values that an event stored; undefined for a local without a value. */
  valuesOf(at: number): readonly (string | undefined)[] {
    const { values, texts } = this.run.events;
    return values.slice(this.#stored[at], this.#stored[at + 1]).map((value) => texts[value]);
  }

  /** The statement of an event: of a call its first, of a return its last. */
  statementAt(at: number): number | undefined {
    if (!this.#isOfOwner(at)) return this.what[at];
    const inside = this.#addresses.inside(this.#callAround(at).owner);
    return (this.ops[at] === op.call ? inside[0] : inside.at(-1))?.index;
  }

  /** The calls around an event. */
  stackAt(at: number): readonly CallAt[] {
    const calls: CallAt[] = [];
    for (let frame = this.frames[at]!; ; ) {
      calls.unshift({ owner: this.what[frame]!, at: frame });
      if (frame === 0) return calls;
      frame = this.frames[frame - 1]!;
    }
  }

  /** The locals of the innermost call that have a value at an event, in the order of the plan. */
  localsAt(at: number): readonly LocalAt[] {
    const { frame, owner } = this.#callAround(at);
    const locals = new Set([...this.#localsOf(frame), ...this.#writersIn(owner).keys()]);
    const found = [...locals].map((local) => this.#definition(local, at)).filter((given) => given !== undefined);
    return found
      .map(({ local, event, text }) => ({ local, at: event, text: text ?? 'undefined' }))
      .sort((a, b) => a.local - b.local);
  }

  /** The last texts of the statements of the innermost call before an event, by statement. */
  notesAt(at: number): ReadonlyMap<number, string> {
    const { owner } = this.#callAround(at);
    const notes = new Map<number, string>();
    for (const { index } of this.#addresses.inside(owner)) {
      const event = this.lastOf(index, at);
      if (event === undefined) continue;
      // An earlier failure is not shown once the statement went on without a value.
      const text = this.ops[event] === op.fail ? 'failed' : this.textOf(event);
      if (text !== '') notes.set(index, text);
    }
    return notes;
  }

  /**
   * The last event of a statement in the innermost call until an event; of a loop that was left in
   * a round, that round.
   */
  lastOf(statement: number, at: number): number | undefined {
    const { frame } = this.#callAround(at);
    const last = this.#lastOf(statement, at, frame);
    const isLeft = last !== undefined && this.ops[last] === op.leave;
    return isLeft ? (this.#lastOf(statement, at, frame, op.round) ?? last) : last;
  }

  /** The result of an event, as text; empty for nothing. */
  textOf(at: number): string {
    const values = this.valuesOf(at).map((text) => text ?? 'undefined');
    return values.join(this.ops[at] === op.round ? ': ' : ', ');
  }

  /** The way back of a local's value: the event that gave it, and those behind what that read. */
  originOf(local: number, at: number): readonly OriginStep[] {
    const steps: OriginStep[] = [];
    const seen = new Set<string>();
    const follow = (wanted: number, before: number, depth: number): void => {
      if (steps.length >= mostOrigins) return;
      const given = this.#definition(wanted, before);
      if (given === undefined) {
        // The documents are the first parameters of each call, and recordings do not hold them.
        const { frame } = this.#callAround(before);
        const title = documents[this.#paramsOf(frame).indexOf(wanted)];
        if (title !== undefined && !seen.has(title))
          steps.push({ at: frame, statement: undefined, title, depth, text: '' });
        if (title !== undefined) seen.add(title);
        return;
      }
      const { event, text = 'undefined' } = given;
      if (seen.has(`${event} ${wanted}`)) return;
      seen.add(`${event} ${wanted}`);
      if (this.ops[event] === op.call) {
        const title = `argument of ${this.#callAround(event).owner.name}`;
        steps.push({ at: event, statement: undefined, title, depth, text });
        const operand = this.#argument(event, wanted);
        if (operand !== undefined) follow(operand, event - 1, depth + 1);
        return;
      }
      const { stmt, index } = this.#statementOf(event);
      steps.push({ at: event, statement: index, title: '', depth, text });
      const returned = this.#returnInside(event);
      if (returned !== undefined) return follow(returned.local, returned.at, depth + 1);
      for (const read of readsOf(stmt, wanted)) follow(read, event - 1, depth + 1);
    };
    follow(local, at, 0);
    return steps;
  }

  #isOfOwner(at: number): boolean {
    return this.ops[at] === op.call || this.ops[at] === op.return;
  }

  /** The innermost call around an event, or of it: where it began, and its plan or function. */
  #callAround(at: number): { readonly frame: number; readonly owner: AddressedOwner } {
    // Events have a call, and calls an owner: the engine that recorded them saw to it.
    const frame = this.frames[at]!;
    return { frame, owner: this.#addresses.owners[this.what[frame]!]! };
  }

  /** The statement of an event that is neither a call nor a return. */
  #statementOf(event: number): AddressedStatement {
    return this.#addresses.get(this.what[event]!)!;
  }

  #paramsOf(call: number): readonly number[] {
    const { body } = this.#callAround(call).owner;
    return 'params' in body ? (body.params ?? []) : [0, 1];
  }

  /** The caller's local behind a parameter. */
  #argument(call: number, param: number): number | undefined {
    if (call === 0) return undefined;
    const index = this.#paramsOf(call).indexOf(param);
    const { stmt } = this.#statementOf(call - 1);
    if (stmt.type === 'CallDynamicStmt') return stmt.stmt.args?.[index];
    const operand = stmt.type === 'CallStmt' ? stmt.stmt.args?.[index] : undefined;
    return operand?.type === 'local' ? operand.value : undefined;
  }

  /** The local that a call returned which passed at an event, and the event of its return. */
  #returnInside(passed: number): { readonly local: number; readonly at: number } | undefined {
    const { stmt } = this.#statementOf(passed);
    const isCall = stmt.type === 'CallStmt' || stmt.type === 'CallDynamicStmt';
    if (!isCall || this.ops[passed - 1] !== op.return) return undefined;
    const { frame } = this.#callAround(passed - 1);
    for (let event = passed - 2; event > frame; event--) {
      if (this.frames[event] !== frame) continue;
      const { stmt: inside } = this.#statementOf(event);
      if (inside.type === 'ReturnLocalStmt') return { local: inside.stmt.source, at: event };
    }
    return undefined;
  }

  /** The event that gave a local of the call around an event its value, until that event. */
  #definition(local: number, at: number): Definition | undefined {
    const { frame, owner } = this.#callAround(at);
    let event: number | undefined;
    for (const statement of this.#writersIn(owner).get(local) ?? []) {
      // The locals of loops have their values in rounds.
      const wanted = this.#addresses.get(statement)?.stmt.type === 'ScanStmt' ? op.round : op.pass;
      const last = this.#lastOf(statement, at, frame, wanted);
      if (last !== undefined && (event === undefined || last > event)) event = last;
    }
    event ??= this.#localsOf(frame).includes(local) ? frame : undefined;
    return event === undefined
      ? undefined
      : { local, event, text: this.valuesOf(event)[this.#localsOf(event).indexOf(local)] };
  }

  /** The last event of a statement in a call until an event. */
  #lastOf(statement: number, at: number, frame: number, wanted?: number): number | undefined {
    const events = this.#occurrences.get(statement) ?? [];
    // No function calls itself: between the call's begin and the event all are of this call.
    for (let i = countWhile(events, (event) => event <= at) - 1; i >= 0; i--) {
      const event = events[i]!;
      if (event <= frame) break;
      if (wanted === undefined || this.ops[event] === wanted) return event;
    }
    return undefined;
  }

  /** The events of each statement, in order. */
  get #occurrences(): ReadonlyMap<number, readonly number[]> {
    if (this.#found !== undefined) return this.#found;
    const found = new Map<number, number[]>();
    for (const [at, statement] of this.what.entries()) {
      if (this.#isOfOwner(at)) continue;
      const known = found.get(statement);
      if (known === undefined) found.set(statement, [at]);
      else known.push(at);
    }
    this.#found = found;
    return found;
  }

  /** The statements of an owner that write or change each local. */
  #writersIn(owner: AddressedOwner): ReadonlyMap<number, readonly number[]> {
    let writers = this.#writers.get(owner);
    if (writers !== undefined) return writers;
    this.#writers.set(owner, (writers = new Map<number, number[]>()));
    for (const { stmt, index } of this.#addresses.inside(owner)) {
      for (const local of storedBy(stmt)) writers.set(local, [...(writers.get(local) ?? []), index]);
    }
    return writers;
  }

  /** The locals that an event stored. */
  #localsOf(event: number): readonly number[] {
    switch (this.ops[event]) {
      case op.call: {
        const params = this.#paramsOf(event);
        return this.#stored[event] === this.#stored[event + 1] ? [] : params.slice(documents.length);
      }
      case op.round:
      case op.pass: {
        const { stmt } = this.#statementOf(event);
        return (stmt.type === 'ScanStmt') === (this.ops[event] === op.round) ? storedBy(stmt) : [];
      }
      default:
        return [];
    }
  }
}

/** The locals that a statement stores, in the order of the recording's values. */
function storedBy(stmt: Stmt): readonly number[] {
  const { writes, mutates } = effectsOf(stmt);
  if (stmt.type === 'ScanStmt') return writes;
  return blocksOf(stmt).length > 0 ? [] : [...writes, ...mutates];
}

function readsOf(stmt: Stmt, wanted: number): readonly number[] {
  // A member that is added to a collection is shown with the others.
  const { reads } = effectsOf(stmt);
  return mutatedBy(stmt) === wanted ? reads : reads.filter((local) => local !== wanted);
}
