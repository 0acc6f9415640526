/** Keeps events with the bindings of their moment. */

import type { Value } from '../../runtime/values/value.js';
import type { TraceEvent, Tracer } from '../tracer.js';

type Locals = ReadonlyMap<string, Value>;

export interface RecordedEvent extends TraceEvent {
  readonly locals: Locals;
}

const none: Locals = new Map();

/** More would fill the memory of a server, and are too many to read. */
const maxEvents = 50_000;

/** Begins the names of marks for variables whose values are unknown: no event shows them. */
export const unknownMark = '?';

export type ExplainMode = 'full' | 'debug' | 'notes' | 'fails';

export class Recorder implements Tracer {
  readonly wantsUnify: boolean;
  readonly wantsPrints: boolean;
  readonly plugged: Tracer['plugged'];
  readonly events: RecordedEvent[] = [];
  readonly #context: ContextFilter | undefined;

  constructor(mode: ExplainMode, wantsPrints: boolean, plugged?: Tracer['plugged']) {
    this.plugged = plugged;
    this.wantsUnify = mode === 'debug';
    this.wantsPrints = wantsPrints;
    if (mode === 'notes' || mode === 'fails') this.#context = new ContextFilter(mode === 'notes' ? 'note' : 'fail');
  }

  trace(event: TraceEvent): void {
    if (this.events.length > maxEvents) return;
    if (this.events.length === maxEvents) {
      const message = `the trace ends after ${maxEvents} events`;
      this.events.push({ ...event, op: 'note', node: undefined, message, locals: none });
      return;
    }
    const { values } = event.frame;
    const locals: Locals = values.size === 0 || event.op === 'note' ? none : new Map(values);
    for (const name of locals.keys()) if (name.startsWith(unknownMark)) (locals as Map<string, Value>).delete(name);
    const recorded = { ...event, locals };
    if (this.#context === undefined) this.events.push(recorded);
    else this.events.push(...this.#context.shown(recorded));
  }
}

interface Context {
  readonly event: RecordedEvent;
  isShown: boolean;
}

/** Events of one kind, and how the evaluation came to their queries. */
class ContextFilter {
  readonly #op: 'note' | 'fail';
  /** The beginnings of the queries that are under evaluation; those of `every` are left out. */
  readonly #stack: Context[] = [];

  constructor(op: 'note' | 'fail') {
    this.#op = op;
  }

  /** The events that are shown now. */
  shown(event: RecordedEvent): RecordedEvent[] {
    const { op, node, query } = event;
    if ((op === 'enter' || op === 'redo') && node?.type !== 'expr') {
      this.#leave(query.parent);
      this.#stack.push({ event, isShown: false });
      return [];
    }
    if (op !== this.#op) return [];
    this.#leave(query.id);
    const hidden = this.#stack.filter(({ isShown }) => !isShown);
    for (const context of hidden) context.isShown = true;
    return [...hidden.map((context) => context.event), event];
  }

  /** Leaves the queries within one that goes on. */
  #leave(id: number): void {
    while (this.#stack.length > 0 && this.#stack.at(-1)!.event.query.id !== id) this.#stack.pop();
  }
}
