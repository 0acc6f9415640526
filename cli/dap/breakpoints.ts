/**
 * The breakpoints that a client has set. Those that come before the launch are kept, and are
 * verified when there is something to stop.
 */
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Breakpoint, BreakpointRequest, ExceptionFilter, SessionFilter } from '../../views/index.js';
import { DebugError } from '../../views/index.js';
import type { Debuggee } from './debuggee.js';
import { ArgumentError } from './protocol/arguments.js';

/** A breakpoint as a client asks for it; the place is known once there is a session. */
export interface Wanted {
  /** Throws an ArgumentError where there is no such place. */
  readonly request: (debuggee: Debuggee) => BreakpointRequest;
  /** Equal texts ask for the same. */
  readonly text: string;
}

/** A breakpoint of the client, in a list that is replaced as a whole. */
interface Entry {
  readonly id: number;
  readonly wanted: Wanted;
  breakpoint: Breakpoint | undefined;
  /** Why there is none. */
  fault: string | undefined;
}

export interface SetBreakpoint {
  readonly id: number;
  readonly breakpoint: Breakpoint | undefined;
  readonly fault: string | undefined;
}

/** Lists of breakpoints, of which each file has one. */
const mostLists = 1000;

export class ClientBreakpoints {
  readonly #lists = new Map<string, readonly Entry[]>();
  #debuggee: Debuggee | undefined;
  #filters: readonly SessionFilter[] = [];
  #always: readonly SessionFilter[] = [];
  #last = 0;

  /** Replaces the breakpoints of a list. One that is asked for again keeps its visits. */
  set(list: string, wanted: readonly Wanted[]): readonly SetBreakpoint[] {
    const before = [...(this.#lists.get(list) ?? [])];
    if (!this.#lists.has(list) && this.#lists.size >= mostLists)
      throw new ArgumentError(`breakpoints in more than ${mostLists} files`);
    const entries = wanted.map((one) => {
      const same = before.find((entry) => entry.wanted.text === one.text);
      if (same === undefined) return this.#entry(one);
      before.splice(before.indexOf(same), 1);
      return same;
    });
    for (const { breakpoint } of before)
      if (breakpoint !== undefined) this.#debuggee?.session.removeBreakpoint(breakpoint.id);
    if (entries.length === 0) this.#lists.delete(list);
    else this.#lists.set(list, entries);
    return entries;
  }

  /**
   * Replaces the filters.
   * @returns for each the reason why it cannot be used, or undefined
   */
  filter(filters: readonly SessionFilter[]): readonly (string | undefined)[] {
    this.#filters = filters;
    return this.#setFilters();
  }

  /**
   * Sets all breakpoints and filters in a session, and gives the breakpoints.
   * @param always filters that are set whatever the client says
   */
  open(debuggee: Debuggee, always: readonly SessionFilter[]): readonly SetBreakpoint[] {
    this.#debuggee = debuggee;
    this.#always = always;
    this.#setFilters();
    const entries = [...this.#lists.values()].flat();
    for (const entry of entries) this.#add(entry, debuggee);
    return entries;
  }

  /** The session is over: breakpoints wait for the next one. */
  close(): void {
    this.#debuggee = undefined;
  }

  /** The numbers that the client knows of breakpoints of the session, and where they stand. */
  hit(ids: readonly number[]): {
    readonly ids: readonly number[];
    readonly kinds: readonly BreakpointRequest['place']['kind'][];
  } {
    const entries = [...this.#lists.values()]
      .flat()
      .flatMap(({ id, breakpoint }) => (breakpoint && ids.includes(breakpoint.id) ? [{ id, breakpoint }] : []));
    return { ids: entries.map(({ id }) => id), kinds: entries.map(({ breakpoint }) => breakpoint.place.kind) };
  }

  #entry(wanted: Wanted): Entry {
    const entry: Entry = { id: ++this.#last, wanted, breakpoint: undefined, fault: undefined };
    if (this.#debuggee === undefined) entry.fault = 'not verified before the launch';
    else this.#add(entry, this.#debuggee);
    return entry;
  }

  #add(entry: Entry, debuggee: Debuggee): void {
    entry.breakpoint = undefined;
    entry.fault = faultOf(() => {
      entry.breakpoint = debuggee.session.addBreakpoint(entry.wanted.request(debuggee));
    });
  }

  /** One after the other first: the session refuses all if it refuses one. */
  #setFilters(): readonly (string | undefined)[] {
    const session = this.#debuggee?.session;
    if (session === undefined) return this.#filters.map(() => undefined);
    const faults = this.#filters.map((filter) => faultOf(() => session.setFilters([filter])));
    session.setFilters([...this.#always, ...this.#filters.filter((_, i) => faults[i] === undefined)]);
    return faults;
  }
}

/** The sentence of a refusal. */
function faultOf(action: () => void): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof DebugError || error instanceof ArgumentError) return error.message;
    throw error;
  }
}

/** The filters that a client offers, in the order in which it shows them. */
export const exceptionFilters: readonly (DebugProtocol.ExceptionBreakpointsFilter & {
  readonly filter: ExceptionFilter;
})[] = (
  [
    ['error', 'Errors', 'A built-in fails, or the evaluation ends with an error', true],
    ['conflict', 'Conflicts', 'A rule or a key gets two values', true],
    ['fail', 'Failing expressions', 'An expression is false or undefined', false],
    ['undefined', 'Undefined values', 'A name or a call is undefined', false],
    ['rule-exit', 'Rules that are done', 'A rule has been evaluated; its value is `result`', false],
    ['skipped', 'Rules that the index skips', 'The rule index passes over a rule', false],
  ] as const
).map(([filter, label, description, isDefault]) => ({
  filter,
  label,
  description,
  default: isDefault,
  supportsCondition: true,
  conditionDescription: 'an expression that must hold, such as input.user == "alice"',
}));
