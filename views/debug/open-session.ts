/** Debug sessions over the machine of plans. */

import { withPlainObjects } from '../../engine/index.js';
import type { Stmt } from '../../ir-schema/index.js';
import { AnswerRecord } from '../../runtime/index.js';
import type { Value } from '../../values/index.js';
import { Breakpoints } from './breakpoints.js';
import type { DebugProgram } from './debug-program.js';
import { type FrameExpression, FrameExpressions, numberedLocals, toldError } from './frame-expressions.js';
import { loopOfRound, ruleWrites, variableWrites } from './last-write.js';
import { type MappedStatement, PlanMap } from './plan-map.js';
import { Reasons } from './reasons.js';
import {
  type Breakpoint,
  type BreakpointPlace,
  type BreakpointRequest,
  type Completion,
  DebugError,
  type DebugFrame,
  type DebugScope,
  type DebugSession,
  type DebugStatement,
  type EvaluatedExpression,
  type Granularity,
  type SessionFilter,
  type SessionOptions,
  type SessionOutcome,
  type SessionSource,
  type SkippedRule,
  type StepOptions,
  type Stop,
  type TextRange,
} from './session.js';
import { listingName, SessionView } from './session-view.js';
import { nameOfFrame, standsAt } from './stack-view.js';
import { StepWatch } from './step-news.js';
import { type ActiveFilter, isConflict, Stops, type StopTest } from './stops.js';
import { SessionTimeline } from './timeline.js';
import { SessionTurns } from './turns.js';
import { type Here, WayBack } from './way-back.js';

/** Opens a session on a plan. Nothing is evaluated yet. */
export function openSession(program: DebugProgram, options: SessionOptions = {}): DebugSession {
  return new Session(program, options);
}

class Session implements DebugSession {
  readonly #program: DebugProgram;
  readonly #options: SessionOptions;
  readonly #map: PlanMap;
  readonly #reasons: Reasons;
  readonly #expressions: FrameExpressions;
  readonly #breakpoints: Breakpoints;
  readonly #stops: Stops;
  readonly #view: SessionView;
  readonly #wayBack: WayBack;
  readonly #abort = new AbortController();
  readonly sources: readonly SessionSource[];
  readonly hasNames: boolean;

  get ruleNames(): readonly string[] {
    return this.#breakpoints.ruleNames;
  }

  input: Value | undefined;
  data: Value;
  stop: Stop | undefined;
  #timeline: SessionTimeline;
  #record: AnswerRecord;
  #isRunning = false;
  #isPaused = false;
  /** Steps forward without another stop: from where to where. */
  #trail: { readonly from: number; readonly to: number }[] = [];

  constructor(program: DebugProgram, options: SessionOptions) {
    this.#program = program;
    this.#options = options;
    this.#map = new PlanMap(program);
    this.#reasons = new Reasons(
      this.#map,
      (program.policy.static?.strings ?? []).map(({ value }) => value),
    );
    this.#expressions = new FrameExpressions(program);
    this.#breakpoints = new Breakpoints(this.#map, (text, statements) => this.#prepareAt(text, statements));
    this.#stops = new Stops({
      program,
      map: this.#map,
      reasons: this.#reasons,
      breakpoints: this.#breakpoints,
      timeline: () => this.#timeline,
      onOutput: options.onOutput,
    });
    this.#wayBack = new WayBack({
      map: this.#map,
      stops: this.#stops,
      signal: this.#abort.signal,
      timeline: () => this.#timeline,
      isPaused: () => this.#isPaused,
    });
    this.#view = new SessionView({
      program,
      map: this.#map,
      reasons: this.#reasons,
      expressions: this.#expressions,
      stops: this.#stops,
      now: this,
    });
    this.hasNames = program.info !== undefined;
    this.input = program.input;
    this.data = program.data;
    this.#record = new AnswerRecord(program.known);
    this.#timeline = this.#begin();
    const listing: SessionSource = { name: listingName, path: undefined, kind: 'listing' };
    this.sources = [...program.sources.map(({ name, path, kind }): SessionSource => ({ name, path, kind })), listing];
  }

  get timeline(): SessionTimeline {
    return this.#timeline;
  }

  get position(): number {
    return this.#timeline.at;
  }

  #begin(): SessionTimeline {
    const place = () => this.frames()[0]?.range;
    return new SessionTimeline(this.#program, this.input, this.data, this.#record, {
      print: (text) => {
        this.#view.leave();
        this.#options.onOutput?.({ kind: 'print', text, place: place() });
      },
      builtinFailed: (message, isNew) => {
        this.#stops.failure = message;
        if (!isNew) return;
        this.#view.leave();
        this.#options.onOutput?.({ kind: 'error', text: message, place: place() });
      },
    });
  }

  // Movements

  async start({ stopOnEntry = false }: { readonly stopOnEntry?: boolean } = {}): Promise<Stop> {
    if (this.stop !== undefined) return await this.restart(undefined, { stopOnEntry });
    return await this.#moving(async () => {
      if (stopOnEntry) return await this.#forward(this.#entry());
      return await this.#forward(this.#stops.before(), { looksFirst: true });
    });
  }

  /** Before the first expression. */
  #entry(): StopTest {
    return (next) =>
      this.#map.of(next).begins.expression ? { reason: 'entry', frame: undefined, at: this.#timeline.at } : undefined;
  }

  async into({ granularity = 'expression', target }: StepOptions = {}): Promise<Stop> {
    const { started } = this.#call();
    return await this.#stepping((next) => {
      if (!this.#map.of(next).begins[granularity]) return false;
      if (target === undefined) return true;
      const { frame } = this.#timeline.machine;
      if (frame === undefined || frame.started === started)
        return frame?.started === started && granularity !== 'statement';
      return nameOfFrame(frame.owner, this.#map.of(next).rule, this.#map, this.#program.name) === target;
    });
  }

  async over({ granularity = 'expression' }: StepOptions = {}): Promise<Stop> {
    const here = this.#here();
    return await this.#stepping((next) => this.#isWithin(here, this.#map.of(next), granularity));
  }

  async out({ granularity = 'expression' }: StepOptions = {}): Promise<Stop> {
    const here = this.#here();
    const { machine } = this.#timeline;
    return await this.#stepping((next) => {
      const mapped = this.#map.of(next);
      if (!mapped.begins[granularity]) return false;
      if (machine.depth < here.depth) return true;
      return (
        machine.depth === here.depth && machine.frame?.started === here.calls.at(-1) && mapped.nesting < here.nesting
      );
    });
  }

  async back({ granularity = 'expression' }: StepOptions = {}): Promise<Stop> {
    return await this.#moving(async () => {
      const { at } = this.#timeline;
      const last = this.#trail.at(-1);
      if (last?.to === at) {
        this.#trail.pop();
        return await this.#goBack({ reason: 'step', frame: undefined, at: last.from }, at);
      }
      const here = this.#here();
      const test: StopTest = (next) =>
        this.#isWithin(here, this.#map.of(next), granularity)
          ? { reason: 'step', frame: undefined, at: this.#timeline.at }
          : undefined;
      const found = await this.#wayBack.lastBefore(at, test, granularity === 'expression' ? { within: here } : {});
      return await this.#goBack(found, at);
    });
  }

  async continue(): Promise<Stop> {
    return await this.#moving(() => this.#forward(this.#stops.before()));
  }

  async backToWrite(name: string, frame: number): Promise<Stop> {
    const viewed = this.#timeline.machine.isDone ? undefined : this.#view.frame(frame);
    const variable = name.startsWith('data.') ? undefined : variableWrites(name, viewed, this.#map, this.#timeline);
    const writes = variable ?? ruleWrites(this.#breakpoints.ownersOf(name), this.#map, this.#timeline);
    if (writes === undefined) throw new DebugError('invalid_expression', `${name} has no value here`);
    const { at, machine } = this.#timeline;
    const { next } = machine;
    if (next !== undefined && loopOfRound(machine) !== undefined && writes(next))
      throw new DebugError('invalid_expression', `${name} has got its value here, by the round of the loop`);
    const text = `${name} gets its value here`;
    const stop = await this.#moving(async () => {
      const test: StopTest = (next) =>
        writes(next) ? { reason: 'step', text, frame: undefined, at: this.#timeline.at } : undefined;
      const found = await this.#wayBack.lastBefore(at, test);
      return await this.#goBack(found ?? { reason: 'step', frame: undefined, at }, at);
    });
    if (stop.at === at) throw new DebugError('invalid_expression', `nothing before has given ${name} a value`);
    return stop;
  }

  async reverseContinue(): Promise<Stop> {
    return await this.#moving(async () => {
      const { at } = this.#timeline;
      const found = await this.#wayBack.lastBefore(at, this.#stops.before({ isAgain: true }), { looksAfter: true });
      return await this.#goBack(found, at);
    });
  }

  async until(place: BreakpointPlace): Promise<Stop> {
    const { statements, message } = this.#breakpoints.resolve(place);
    if (statements.length === 0) throw new DebugError('unknown_statement', message ?? 'nothing is evaluated there');
    const wanted = new Set(statements.map(({ stmt }) => stmt));
    return await this.#moving(() => this.#forwardTo((next) => wanted.has(next)));
  }

  async restartFrame(id: number): Promise<Stop> {
    const { call } = this.#view.frame(id);
    return await this.#moving(async () => {
      this.#timeline.goTo(call.func === undefined ? 0 : call.started + 1);
      return await this.#forward(() => ({ reason: 'restart', frame: undefined, at: this.#timeline.at }), {
        looksFirst: true,
      });
    });
  }

  async restart(
    documents: { readonly input?: Value | undefined; readonly data?: Value } = {},
    { stopOnEntry = false }: { readonly stopOnEntry?: boolean } = {},
  ): Promise<Stop> {
    return await this.#moving(async () => {
      if ('input' in documents) this.input = documents.input;
      if (documents.data !== undefined) this.data = documents.data;
      this.#breakpoints.forget();
      this.#trail = [];
      this.#lastException = -1;
      this.#timeline = this.#begin();
      if (!stopOnEntry) return await this.#forward(this.#stops.before(), { looksFirst: true });
      return { ...(await this.#forward(this.#entry())), reason: 'restart' };
    });
  }

  pause(): void {
    this.#isPaused = true;
  }

  dispose(): void {
    this.#abort.abort();
  }

  async #stepping(isStep: (next: Stmt) => boolean): Promise<Stop> {
    const watch = new StepWatch(this.#map, this.#timeline, this.#view.frames()[0]);
    return await this.#moving(async () => {
      const from = this.#timeline.at;
      const stop = await this.#forwardTo(isStep, (moved) => watch.moved(moved));
      this.#trail.push({ from, to: stop.at });
      this.#view.leave();
      return { ...stop, news: watch.news(this.#view.frames()[0]) };
    });
  }

  /** One movement at a time; what was shown of the last stop is not valid any more. */
  async #moving(move: () => Promise<Stop>): Promise<Stop> {
    if (this.#abort.signal.aborted) throw new DebugError('not_stopped', 'the session has ended');
    if (this.#isRunning) throw new DebugError('not_stopped', 'the evaluation is running');
    this.#isRunning = true;
    this.#isPaused = false;
    this.#view.leave();
    this.stop = undefined;
    try {
      await this.#expressions.loaded;
      const stop = await move();
      this.#view.leave();
      this.stop = { ...stop, frame: this.#view.frames()[0] };
      return this.stop;
    } finally {
      this.#isRunning = false;
    }
  }

  /** Evaluates up to a statement, or to a stop before it. */
  async #forwardTo(isThere: (next: Stmt) => boolean, onMove?: (moved: Stmt | undefined) => void): Promise<Stop> {
    const breaks = this.#stops.before();
    return await this.#forward(
      (next) =>
        breaks(next) ?? (isThere(next) ? { reason: 'step', frame: undefined, at: this.#timeline.at } : undefined),
      { onMove },
    );
  }

  /** Evaluates up to a stop: tests before each statement but the first, and events after each. */
  async #forward(
    test: StopTest,
    {
      looksFirst = false,
      onMove,
    }: { readonly looksFirst?: boolean; readonly onMove?: ((moved: Stmt | undefined) => void) | undefined } = {},
  ): Promise<Stop> {
    const timeline = this.#timeline;
    const { machine } = timeline;
    const breaksAfter = this.#stops.after();
    this.#stops.failure = undefined;
    let looks = looksFirst;
    const turns = new SessionTurns(this.#abort.signal);
    for (;;) {
      if (timeline.hasEnded) return this.#ended();
      const { next } = machine;
      const stop = looks && next !== undefined ? test(next) : undefined;
      if (stop !== undefined) return stop;
      const waiting = timeline.move();
      looks = waiting === undefined;
      if (waiting !== undefined) await this.#record.answer(waiting, this.#abort.signal);
      if (looks) onMove?.(next);
      const after = looks ? breaksAfter?.(next) : undefined;
      if (after !== undefined) return after;
      if (turns.isDue()) await turns.take();
      if (this.#isPaused && machine.next !== undefined) return { reason: 'pause', frame: undefined, at: timeline.at };
    }
  }

  /** Goes to a stop before a position; without one, to the start. */
  async #goBack(found: Stop | undefined, from: number): Promise<Stop> {
    const stop = found ?? (await this.#wayBack.start(from));
    this.#timeline.goTo(stop.at);
    return stop;
  }

  #ended(): Stop {
    const { error } = this.#timeline;
    const { at } = this.#timeline;
    if (error === undefined) {
      const { logged } = this.#program;
      const answer = this.#program.answer(this.#timeline.machine.results.map(withPlainObjects));
      return {
        reason: 'end',
        frame: undefined,
        at,
        outcome: { kind: 'result', ...answer, ...(logged !== undefined && { logged }) },
      };
    }
    const place = this.#view.frames()[0]?.range;
    const outcome: SessionOutcome = { kind: 'error', ...toldError(error), place };
    const filter = isConflict(error) ? 'conflict' : 'error';
    if (this.#stops.filters.some((one) => one.filter === filter) && this.#lastException !== at) {
      this.#lastException = at;
      return { reason: 'exception', filter, text: outcome.message, frame: undefined, at };
    }
    return { reason: 'end', frame: undefined, at, outcome };
  }

  /** The position of an error that a filter has stopped at: the next movement ends there. */
  #lastException = -1;

  /** Whether a step from a place stops before a statement: in the same call or an outer one. */
  #isWithin(here: Here, mapped: MappedStatement, granularity: Granularity): boolean {
    if (!mapped.begins[granularity]) return false;
    const { depth, frame } = this.#timeline.machine;
    if (frame === undefined || depth > here.depth || frame.started !== here.calls[depth - 1]) return false;
    return depth < here.depth || granularity !== 'expression' || mapped.nesting <= here.nesting;
  }

  #here(): Here {
    const { machine } = this.#timeline;
    // At the end, the outermost call is gone.
    if (machine.isDone) return { depth: 1, calls: [0], nesting: 0 };
    const mapped = standsAt(machine, this.#map).at(-1);
    return { depth: machine.depth, calls: machine.frames.map(({ started }) => started), nesting: mapped?.nesting ?? 0 };
  }

  #call(): { readonly started: number } {
    return { started: this.#timeline.machine.frame?.started ?? -1 };
  }

  // Breakpoints

  addBreakpoint(request: BreakpointRequest): Breakpoint {
    return this.#breakpoints.add(request);
  }

  removeBreakpoint(id: number): boolean {
    return this.#breakpoints.remove(id);
  }

  get breakpoints(): readonly Breakpoint[] {
    return this.#breakpoints.all;
  }

  setFilters(filters: readonly SessionFilter[]): void {
    // A condition may name any variable, and it is undefined where there is none of this name.
    const names = ['result', ...(this.#map.index?.info.names ?? [])];
    this.#stops.filters = filters.map(({ filter, condition }): ActiveFilter => {
      if (condition === undefined) return { filter, test: undefined };
      return {
        filter,
        test: this.#expressions.prepare(condition, {
          names: [...names, ...numberedLocals(condition)],
          file: undefined,
        }),
      };
    });
  }

  fileOf(path: string): string | undefined {
    return this.#breakpoints.fileOf(path);
  }

  breakpointLocations(file: string, fromRow: number, toRow: number): readonly TextRange[] {
    return this.#breakpoints.locations(file).filter(({ row }) => fromRow <= row && row <= toRow);
  }

  #prepareAt(text: string, statements: readonly MappedStatement[]): FrameExpression {
    const names = new Set(numberedLocals(text));
    for (const statement of statements) {
      for (const name of this.#map.namesOfRule(statement)) names.add(name);
      for (const name of this.#map.namesAt(statement.address).keys()) names.add(name);
    }
    return this.#expressions.prepare(text, { names: [...names], file: statements[0]?.range?.file });
  }

  // The views

  frames(): readonly DebugFrame[] {
    return this.#view.frames();
  }

  scopes(id: number): readonly DebugScope[] {
    return this.#view.scopes(id);
  }

  skipped(): readonly SkippedRule[] {
    return this.#view.skipped();
  }

  why(): readonly string[] {
    return this.#view.why();
  }

  stepTargets(id: number): ReturnType<DebugSession['stepTargets']> {
    return this.#view.stepTargets(id);
  }

  async evaluate(text: string, id?: number): Promise<EvaluatedExpression> {
    if (this.#isRunning) throw new DebugError('not_stopped', 'the evaluation is running');
    return await this.#view.evaluate(text, id);
  }

  completions(text: string, column: number, id?: number): readonly Completion[] {
    return this.#view.completions(text, column, id);
  }

  sourceText(name: string): string {
    return this.#view.sourceText(name);
  }

  statements(address: string, before: number, after: number): readonly DebugStatement[] {
    return this.#view.statements(address, before, after);
  }
}
