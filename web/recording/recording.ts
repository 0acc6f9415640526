/** A recorded run, and questions about it: values at an event, their origin, differences. */
import { eventNames } from '../../engine/recording/plan-events.js';
import type { RecordedRun } from '../../engine/recording/recording.js';
import type { Addresses } from '../../ir-schema/address.js';
import { effectsOf, mutatedBy } from '../../ir-schema/effects.js';
import type { Stmt } from '../../ir-schema/plan.js';
import { blocksOf } from '../../ir-schema/walk.js';

/** Events by their number in recordings. */
export const op = Object.fromEntries(eventNames.map((name, i) => [name, i])) as Readonly<Record<(typeof eventNames)[number], number>>;

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

/** Of the way of one value: more than this nobody reads. */
const mostOrigins = 200;
const documents = ['input', 'data'];

/** An event that gave a local its value. */
interface Definition {
  readonly local: number;
  readonly event: number;
  readonly text: string | undefined;
}

export class Recording {
  readonly run: RecordedRun;
  readonly length: number;
  /** Numbers of `eventNames`. */
  readonly ops: Uint8Array;
  /** Of a call or return the number of the owner, else that of the statement. */
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
    for (let at = 0; at < length; at++) {
      const kind = this.ops[at]!;
      const isOfOwner = kind === op.call || kind === op.return;
      const what = (isOfOwner ? ownerNumbers : statementNumbers)[events.at[at]!]!;
      this.what[at] = what;
      this.#stored[at + 1] = this.#stored[at]! + events.stores[at]!;
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
    return values.slice(this.#stored[at]!, this.#stored[at + 1]!).map((value) => texts[value]);
  }

  /** The statement of an event: of a call its first, of a return its last. */
  statementAt(at: number): number | undefined {
    if (this.ops[at] !== op.call && this.ops[at] !== op.return) return this.what[at];
    const inside = this.#addresses.inside(this.#addresses.owners[this.what[at]!]!);
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
    const found = new Map<number, LocalAt>();
    for (const { local, event, text } of this.#definitions(at)) {
      if (!found.has(local)) found.set(local, { local, at: event, text: text ?? 'undefined' });
    }
    return [...found.values()].sort((a, b) => a.local - b.local);
  }

  /** By statement, what those of the innermost call gave until an event, each the last time. */
  notesAt(at: number): ReadonlyMap<number, string> {
    const notes = new Map<number, string>();
    for (const event of this.#eventsOfCall(at)) {
      const kind = this.ops[event]!;
      if (kind === op.call || kind === op.return || notes.has(this.what[event]!)) continue;
      // Of a statement that went on without a value, no earlier failure is shown.
      notes.set(this.what[event]!, kind === op.fail ? 'failed' : this.textOf(event));
    }
    return new Map([...notes].filter(([, text]) => text !== ''));
  }

  /** What an event gave, as text; empty for nothing. */
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
        const frame = this.frames[before]!;
        const title = documents[this.#paramsOf(frame).indexOf(wanted)];
        if (title !== undefined && !seen.has(title)) steps.push({ at: frame, statement: undefined, title, depth, text: '' });
        if (title !== undefined) seen.add(title);
        return;
      }
      const { event, text = 'undefined' } = given;
      if (seen.has(`${event} ${wanted}`)) return;
      seen.add(`${event} ${wanted}`);
      if (this.ops[event] === op.call) {
        const { name } = this.#addresses.owners[this.what[event]!]!;
        steps.push({ at: event, statement: undefined, title: `argument of ${name}`, depth, text });
        const operand = this.#argument(event, wanted);
        if (operand !== undefined) follow(operand, event - 1, depth + 1);
        return;
      }
      const statement = this.what[event]!;
      const { stmt } = this.#addresses.get(statement)!;
      steps.push({ at: event, statement, title: '', depth, text });
      const returned = this.#returnInside(event);
      if (returned !== undefined) return follow(returned.local, returned.at, depth + 1);
      for (const read of readsOf(stmt, wanted)) follow(read, event - 1, depth + 1);
    };
    follow(local, at, 0);
    return steps;
  }

  #paramsOf(call: number): readonly number[] {
    const { body } = this.#addresses.owners[this.what[call]!]!;
    return 'params' in body ? (body.params ?? []) : [0, 1];
  }

  /** The caller's local behind a parameter. */
  #argument(call: number, param: number): number | undefined {
    if (call === 0) return undefined;
    const index = this.#paramsOf(call).indexOf(param);
    const stmt = this.#addresses.get(this.what[call - 1]!)?.stmt;
    if (stmt?.type === 'CallDynamicStmt') return stmt.stmt.args?.[index];
    const operand = stmt?.type === 'CallStmt' ? stmt.stmt.args?.[index] : undefined;
    return operand?.type === 'local' ? operand.value : undefined;
  }

  /** The local that a call returned which passed at an event, and the event of its return. */
  #returnInside(passed: number): { readonly local: number; readonly at: number } | undefined {
    const { stmt } = this.#addresses.get(this.what[passed]!)!;
    const isCall = stmt.type === 'CallStmt' || stmt.type === 'CallDynamicStmt';
    if (!isCall || this.ops[passed - 1] !== op.return) return undefined;
    const frame = this.frames[passed - 1]!;
    for (let event = passed - 2; event > frame; event--) {
      if (this.frames[event] !== frame) continue;
      const inside = this.#addresses.get(this.what[event]!)!.stmt;
      if (inside.type === 'ReturnLocalStmt') return { local: inside.stmt.source, at: event };
    }
    return undefined;
  }

  /** The events of the call around an event, from it back to the call's begin. */
  *#eventsOfCall(at: number): Generator<number> {
    const frame = this.frames[at]!;
    for (let event = at; event > frame; event--) if (this.frames[event] === frame) yield event;
    yield frame;
  }

  #definition(local: number, at: number): Definition | undefined {
    for (const definition of this.#definitions(at)) if (definition.local === local) return definition;
    return undefined;
  }

  /** What gave values to locals of the call around an event until it, the latest first. */
  *#definitions(at: number): Generator<Definition> {
    for (const event of this.#eventsOfCall(at)) {
      const locals = this.#localsOf(event);
      if (locals.length === 0) continue;
      const texts = this.valuesOf(event);
      for (const [i, local] of locals.entries()) yield { local, event, text: texts[i] };
    }
  }

  /** The locals that an event stored. */
  #localsOf(event: number): readonly number[] {
    switch (this.ops[event]) {
      case op.call: {
        const params = this.#paramsOf(event);
        return this.#stored[event] === this.#stored[event + 1] ? [] : params.slice(documents.length);
      }
      case op.round: {
        const { stmt } = this.#addresses.get(this.what[event]!)!;
        return stmt.type === 'ScanStmt' ? [stmt.stmt.key, stmt.stmt.value] : [];
      }
      case op.pass: {
        const { stmt } = this.#addresses.get(this.what[event]!)!;
        if (blocksOf(stmt).length > 0) return [];
        const { writes, mutates } = effectsOf(stmt);
        return [...writes, ...mutates];
      }
      default:
        return [];
    }
  }
}

/** The first event at which two recordings of one plan differ; undefined where they are alike. */
export function firstDifference(a: Recording, b: Recording): { readonly at: number; readonly kind: 'way' | 'value' } | undefined {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    if (a.ops[at] !== b.ops[at] || a.what[at] !== b.what[at]) return { at, kind: 'way' };
    if (a.textOf(at) !== b.textOf(at)) return { at, kind: 'value' };
  }
  return a.length === b.length ? undefined : { at: Math.max(0, length - 1), kind: 'way' };
}

function readsOf(stmt: Stmt, wanted: number): readonly number[] {
  // What is added to a collection comes with what it has.
  const { reads } = effectsOf(stmt);
  return mutatedBy(stmt) === wanted ? reads : reads.filter((local) => local !== wanted);
}
