/** The trace of a plan that has no policy source beside it: its functions and statements. */
import { type Func, fileNames, type Policy, type Stmt } from '../../ir-schema/index.js';
import { type PlainObject, termText, type Value } from '../../values/index.js';

/** A listener to the evaluation of a plan, statement by statement. */
export interface PlanTracer {
  enter(name: string, path: readonly string[]): void;
  /** Undefined where a function has no value. */
  exit(value: Value | undefined): void;
  /** A statement that was undefined, with its operands: undefined ones are left out. */
  fail(stmt: Stmt, operands: ReadonlyMap<string, Value>): void;
}

interface PlanEvent {
  readonly op: 'enter' | 'exit' | 'fail' | 'note';
  readonly query: number;
  readonly parent: number;
  readonly depth: number;
  /** A function or plan, a statement, or the text of a note. */
  readonly subject: string;
  readonly operands: ReadonlyMap<string, Value>;
  readonly location: { readonly file: string; readonly row: number; readonly col: number } | undefined;
}

interface Call {
  readonly query: number;
  readonly subject: string;
  /** The event of its beginning, until it is shown. */
  begin: PlanEvent | undefined;
}

/** The most events: more would fill the memory of a server. */
const maxEvents = 50_000;

const nothing: ReadonlyMap<string, Value> = new Map();
const notice = 'no policy source is beside the plan: the trace is of its statements';

/** Ends an evaluation whose trace is full. */
export class PlanTraceFull extends Error {}

/** The detail of a trace; `debug` is the same as `full`. */
type PlanTraceMode = 'full' | 'debug' | 'notes' | 'fails';

export class PlanTrace implements PlanTracer {
  readonly events: PlanEvent[] = [];
  readonly #mode: PlanTraceMode;
  readonly #files: readonly string[];
  readonly #calls: Call[] = [];
  #queries = 0;

  constructor(policy: Policy, mode: PlanTraceMode) {
    this.#mode = mode;
    this.#files = fileNames(policy);
    this.#add({ op: 'note', query: 0, parent: 0, depth: 0, subject: notice, operands: nothing, location: undefined });
  }

  /** Whether it takes no more events. */
  get isFull(): boolean {
    return this.events.length >= maxEvents;
  }

  get #isWhole(): boolean {
    return this.#mode === 'full' || this.#mode === 'debug';
  }

  enter(name: string, path: readonly string[]): void {
    const subject = path.length === 0 ? `plan ${name}` : path.join('.');
    const query = this.#queries++;
    const parent = this.#calls.at(-1)?.query ?? query;
    const begin: PlanEvent = {
      op: 'enter',
      query,
      parent,
      depth: this.#calls.length,
      subject,
      operands: nothing,
      location: undefined,
    };
    this.#calls.push({ query, subject, begin });
    if (this.#isWhole) this.#showCalls();
  }

  exit(value: Value | undefined): void {
    const operands = value === undefined ? nothing : new Map([['result', value]]);
    if (this.#isWhole) this.#show(value === undefined ? 'fail' : 'exit', this.#calls.at(-1)?.subject ?? '', operands);
    this.#calls.pop();
  }

  fail(stmt: Stmt, operands: ReadonlyMap<string, Value>): void {
    if (this.#mode === 'notes') return;
    const { file, row, col } = stmt.stmt;
    this.#showCalls();
    this.#show('fail', stmt.type, operands, { file: this.#files[file] ?? '', row, col });
  }

  /** A call of `trace`. */
  readonly note = (text: string): void => {
    if (this.#mode === 'fails') return;
    this.#showCalls();
    this.#show('note', text, nothing);
  };

  /** The beginnings that led here and are not shown yet. */
  #showCalls(): void {
    for (const call of this.#calls) {
      if (call.begin !== undefined) this.#add(call.begin);
      call.begin = undefined;
    }
  }

  #show(
    op: PlanEvent['op'],
    subject: string,
    operands: ReadonlyMap<string, Value>,
    location?: PlanEvent['location'],
  ): void {
    const depth = this.#calls.length;
    const query = this.#calls.at(-1)?.query ?? 0;
    this.#add({ op, query, parent: this.#calls.at(-2)?.query ?? query, depth, subject, operands, location });
  }

  #add(event: PlanEvent): void {
    const { length } = this.events;
    if (length > maxEvents) return;
    const isFull = length === maxEvents;
    const end = {
      op: 'note',
      subject: `the trace ends after ${maxEvents} events`,
      operands: nothing,
      location: undefined,
    } as const;
    this.events.push(isFull ? { ...event, ...end } : event);
    if (isFull) throw new PlanTraceFull(end.subject);
  }

  /** For programs. */
  toValues(): readonly PlainObject[] {
    return this.events.map(({ op, query, parent, subject, operands, location }) => {
      const isNote = op === 'note';
      const type = isNote ? '' : location === undefined ? 'function' : 'statement';
      const fields = {
        op,
        query_id: query,
        parent_id: parent,
        type,
        node: isNote ? null : subject,
        operands: Object.fromEntries(operands),
      };
      return { ...fields, ...(isNote && { message: subject }), ...(location && { location }) };
    });
  }

  toText(): readonly string[] {
    const placed = this.events.map((event) => ({ event, place: placeOf(event) }));
    const width = placed.reduce((longest, { place }) => Math.max(longest, place.length), 0) + gap;
    return placed.map(({ event, place }) => `${place.padEnd(width)}${'| '.repeat(event.depth)}${lineOf(event)}`);
  }
}

function placeOf({ location }: PlanEvent): string {
  return location === undefined ? 'plan' : `${location.file || 'query'}:${location.row}`;
}

/** Blanks between the longest place and the events. */
const gap = 5;

const longestValue = 200;

function lineOf({ op, subject, operands }: PlanEvent): string {
  const title = op.charAt(0).toUpperCase() + op.slice(1);
  if (op === 'note') return `${title} ${JSON.stringify(subject)}`;
  const values = [...operands].map(([name, value]) => `${name} = ${cut(termText(value))}`);
  return [`${title} ${subject}`, ...values].join(', ');
}

function cut(text: string): string {
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

/** The path of a function, or its name. */
export function tracedPath({ name, path }: Func): readonly string[] {
  return path === undefined || path.length < 2 ? [name] : ['data', ...path.slice(1)];
}
