/** Keeps events with the bindings of their moment. */

import type { TraceEvent, Tracer } from '../../tracer.js';
import { FrameLocals, noLocals, type TracedLocals } from './locals.js';

export interface RecordedEvent extends TraceEvent {
  readonly locals: TracedLocals;
}

/** The most events: more would fill the memory of a server, and are too many to read. */
const maxEvents = 50_000;
/** Bindings of all events. */
const maxBindings = 2_000_000;

export type ExplainMode = 'full' | 'debug' | 'notes' | 'fails';

interface RecorderOptions {
  /** Whether values are shown beside the events. */
  readonly values?: boolean | undefined;
  readonly plugged?: Tracer['plugged'];
}

/** Ends an evaluation whose trace is full: nothing that follows would be shown. */
export class TraceFull extends Error {}

export class Recorder implements Tracer {
  readonly wantsUnify: boolean;
  readonly wantsPrints: boolean;
  readonly wantsRemembered: boolean;
  readonly plugged: Tracer['plugged'];
  readonly events: RecordedEvent[] = [];
  readonly #context: ContextFilter | undefined;
  readonly #locals = new FrameLocals();
  #bindings = 0;

  constructor(mode: ExplainMode, wantsPrints: boolean, { values = false, plugged }: RecorderOptions = {}) {
    this.plugged = plugged;
    this.wantsRemembered = values;
    this.wantsUnify = mode === 'debug';
    this.wantsPrints = wantsPrints;
    if (mode === 'notes' || mode === 'fails') this.#context = new ContextFilter(mode === 'notes' ? 'note' : 'fail');
  }

  trace(event: TraceEvent): void {
    if (this.#context?.wants(event) === false) return;
    const locals = event.op === 'note' ? noLocals : this.#locals.of(event.frame);
    const { op, query, node, frame, at, message, document, excluded, value, remembered } = event;
    // All have one shape, and take less time than copies of any shape.
    const recorded = { op, query, node, frame, at, message, document, excluded, value, remembered, locals };
    if (this.#context === undefined) this.#add(recorded);
    else for (const shown of this.#context.shown(recorded)) this.#add(shown);
  }

  #add(event: RecordedEvent): void {
    const { length } = this.events;
    this.#bindings += event.locals.names.length;
    const isFull = length >= maxEvents || this.#bindings > maxBindings;
    this.events.push(isFull ? endOfTrace(event, length) : event);
    if (isFull) throw new TraceFull();
  }
}

/** The note behind the last of `count` events. */
export function endOfTrace(event: RecordedEvent, count: number): RecordedEvent {
  return { ...event, op: 'note', node: undefined, message: `the trace ends after ${count} events`, locals: noLocals };
}

interface Context {
  readonly event: RecordedEvent;
  isShown: boolean;
}

/** Whether a rule or a body begins, or goes on for another solution. */
function isBeginning({ op, node }: TraceEvent): boolean {
  return (op === 'enter' || op === 'redo') && node?.type !== 'expr';
}

/** Events of one kind, and how the evaluation came to their queries. */
class ContextFilter {
  readonly #op: 'note' | 'fail';
  /** The beginnings of the queries that are under evaluation; those of `every` are left out. */
  readonly #stack: Context[] = [];

  constructor(op: 'note' | 'fail') {
    this.#op = op;
  }

  /** Whether an event may be shown, now or later. */
  wants(event: TraceEvent): boolean {
    return event.op === this.#op || isBeginning(event);
  }

  /** The events that can be shown now. */
  shown(event: RecordedEvent): RecordedEvent[] {
    const { query } = event;
    if (isBeginning(event)) {
      this.#leave(query.parent);
      this.#stack.push({ event, isShown: false });
      return [];
    }
    this.#leave(query.id);
    const hidden = this.#stack.filter(({ isShown }) => !isShown);
    for (const context of hidden) context.isShown = true;
    return [...hidden.map((context) => context.event), event];
  }

  /** Leaves the queries within one that goes on. */
  #leave(id: number): void {
    let last = this.#stack.at(-1);
    for (; last !== undefined && last.event.query.id !== id; last = this.#stack.at(-1)) this.#stack.pop();
  }
}
