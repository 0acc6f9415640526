/**
 * A debug session, as those who drive one see it: the command `writ debug` and the adapter of the
 * debug adapter protocol. `openSession` makes one.
 *
 * A session evaluates one decision, statement by statement, and stops between two statements. It
 * can go back to any statement that it has passed: results of non-deterministic built-ins are
 * recorded, so evaluating again up to there gives the same state.
 */

import type { Value } from '../../values/index.js';

/** The arguments that start a session; paths are those of files. */
export interface LaunchArguments {
  /** Exactly one of the four, which is evaluated. */
  readonly query?: string;
  /** The name of a test, such as `data.authz_test.test_owner` or `test_owner`. */
  readonly test?: string;
  /** A file with an event of a decision log, which is decided again with its recorded built-ins. */
  readonly decision?: string;
  /** The event: its `decision_id`, or its place in the file from 1 on. Default: the first. */
  readonly decisionId?: string;
  /** A plan, or a bundle with one; with `entrypoint` where it has several. */
  readonly plan?: string;
  readonly entrypoint?: string;
  readonly data?: readonly string[];
  readonly bundle?: readonly string[];
  /** A file, or the document itself. */
  readonly inputPath?: string;
  readonly input?: Value;
  /** Package and imports that a query sees. */
  readonly package?: string;
  readonly imports?: readonly string[];
  readonly ignore?: readonly string[];
  readonly v0Compatible?: boolean;
  readonly v1Compatible?: boolean;
  readonly strictBuiltinErrors?: boolean;
  readonly capabilities?: string;
  /** Where sources are: `FROM=TO`, or a folder. */
  readonly sourceRoots?: readonly string[];
}

/**
 * Loads and compiles what the arguments name. Rejects with a DebugError, or with the errors of
 * loading and compiling.
 */
export type Launch = (args: LaunchArguments, options?: SessionOptions) => Promise<DebugSession>;

export interface SessionOptions {
  /** Takes prints and log points, in their order, and not again when the session goes back. */
  readonly onOutput?: (output: DebugOutput) => void;
}

export interface DebugOutput {
  /** An `error` is that of a built-in whose call is undefined. */
  readonly kind: 'print' | 'log' | 'error';
  readonly text: string;
  readonly place: TextRange | undefined;
}

/** A fault of whoever drives the session: its message is a sentence for users. */
export class DebugError extends Error {
  override readonly name = 'DebugError';
  readonly code: DebugErrorCode;

  constructor(code: DebugErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** An expression names variables that have no value where it stands. */
export class UnboundNames extends DebugError {
  readonly names: readonly string[];

  constructor(names: readonly string[], message: string) {
    super('invalid_expression', message);
    this.names = names;
  }
}

export type DebugErrorCode =
  | 'invalid_launch'
  | 'not_stopped'
  | 'unknown_frame'
  | 'unknown_source'
  | 'unknown_statement'
  | 'invalid_expression'
  | 'invalid_value'
  | 'invalid_breakpoint';

/**
 * A range of a source's text. Rows and columns count from 1; the end is behind the last character.
 */
export interface TextRange {
  /** A name of `DebugSession.sources`. */
  readonly file: string;
  readonly row: number;
  readonly col: number;
  readonly endRow: number;
  readonly endCol: number;
}

/** A source text that the evaluation may stop in. */
export interface SessionSource {
  /** The name of the source in positions: the path of the file, or the name inside a bundle. */
  readonly name: string;
  /** The file on disk; undefined for a query, and for the files of an archive. */
  readonly path: string | undefined;
  readonly kind: 'policy' | 'query' | 'listing';
}

/** A statement of the plan, as a listing shows it. */
export interface DebugStatement {
  /** Unique in the plan: `authz/allow/0.3.2`. */
  readonly address: string;
  readonly text: string;
  /** How many blocks are around it. */
  readonly depth: number;
  readonly place: TextRange | undefined;
  /** Why it stands where it stands, if that is not the order of the source. */
  readonly reason: string | undefined;
}

/** The part that one step passes: a statement of the plan, an expression of a body, or a rule. */
export type Granularity = 'statement' | 'expression' | 'rule';

/** Why the session stands where it stands. */
type StopReason =
  /** Before the first statement, by request. */
  | 'entry'
  | 'step'
  | 'breakpoint'
  /** A data breakpoint: a rule or path got its value. */
  | 'data breakpoint'
  /** An exception filter; `filter` says which. */
  | 'exception'
  | 'pause'
  /** A frame or the session was started again. */
  | 'restart'
  /** Going back has reached the first statement. */
  | 'start'
  /** The evaluation is done: `result` or `error` is set. Going back is possible. */
  | 'end';

export interface Stop {
  readonly reason: StopReason;
  /** One sentence or less, for users: `allow is false`. */
  readonly text?: string;
  readonly filter?: ExceptionFilter;
  /** The breakpoints that were hit. */
  readonly breakpoints?: readonly number[];
  /** The innermost frame; undefined at the end. */
  readonly frame: DebugFrame | undefined;
  /** Moves of the evaluation so far: a position to compare with others. */
  readonly at: number;
  /** The outcome, at the end alone. */
  readonly outcome?: SessionOutcome;
  /** The news of a step forward. */
  readonly news?: StepNews;
}

export interface NamedValue {
  readonly name: string;
  readonly value: Value | undefined;
}

/** The news of a step. */
export interface StepNews {
  /** Variables of the innermost call that got a value, or another one. */
  readonly bound: readonly NamedValue[];
  /** Values of calls that have returned, in their order. */
  readonly returned: readonly NamedValue[];
}

export type SessionOutcome =
  /** The solutions of a query, or the value of the entrypoint. */
  | {
      readonly kind: 'result';
      readonly value: Value | undefined;
      readonly solutions: readonly Value[];
      /** The result in the decision log. */
      readonly logged?: Value;
    }
  | { readonly kind: 'error'; readonly code: string; readonly message: string; readonly place: TextRange | undefined };

/**
 * The stops of a run besides breakpoints. `error`: a built-in fails or the evaluation ends with an
 * error. `undefined`: a name or a call is undefined. `fail`: an expression fails, for whatever
 * reason. `conflict`: two values for one rule or key. `rule-exit`: a rule has been evaluated.
 * `skipped`: the rule index passes over a rule; the text has its reason.
 */
export type ExceptionFilter = 'error' | 'undefined' | 'fail' | 'conflict' | 'rule-exit' | 'skipped';

export interface SessionFilter {
  readonly filter: ExceptionFilter;
  /** An expression that must hold; at a rule's exit `result` is its value. */
  readonly condition?: string;
}

/** Where a breakpoint stands. */
export type BreakpointPlace =
  | { readonly kind: 'line'; readonly file: string; readonly row: number; readonly col?: number }
  /** A rule or function by its path: `data.authz.allow`, or its end: `allow`. */
  | { readonly kind: 'rule'; readonly name: string }
  /** A statement by its address. */
  | { readonly kind: 'statement'; readonly address: string }
  /**
   * Stops when a rule or a path of it gets a value: `data.authz.roles.admin`; or a variable of any
   * rule that has this name.
   */
  | { readonly kind: 'data'; readonly path: string };

export interface BreakpointRequest {
  readonly place: BreakpointPlace;
  /** An expression: stops only where it is neither undefined nor false. */
  readonly condition?: string;
  /** Logs instead of stopping; `{expression}` in it is evaluated. */
  readonly log?: string;
  /** Stops at this visit and not before: `5`, `>5`, `%5`. */
  readonly hit?: string;
}

export interface Breakpoint extends BreakpointRequest {
  readonly id: number;
  /** Whether something of the plan is there. */
  readonly verified: boolean;
  /** Why not, or where it was moved. */
  readonly message?: string;
  /** The real place, for a line the next one with an expression. */
  readonly range?: TextRange;
  /** Visits so far at which the condition held. */
  readonly hits: number;
}

/** A call of the evaluation, or a part of it that has a body of its own. */
export interface DebugFrame {
  /** Valid until the session goes on. */
  readonly id: number;
  readonly kind: 'query' | 'rule' | 'function' | 'comprehension' | 'negation' | 'every' | 'with' | 'plan';
  /** The call as its author would say it: `data.authz.allow`, `data.authz.may(action)`, `query`. */
  readonly name: string;
  /** The expression that is next. */
  readonly range: TextRange | undefined;
  /** The head of the rule. */
  readonly head: TextRange | undefined;
  /** The statement that is next, or the call that is being evaluated. */
  readonly address: string;
}

export interface SessionVariable {
  readonly name: string;
  /** Undefined where it has none, which is shown as `undefined`. */
  readonly value: Value | undefined;
  /** `input` and `data` can be set, and parts of them. */
  readonly isWritable: boolean;
  /** An expression that gives the same value. */
  readonly expression: string | undefined;
}

export type ScopeName = 'Variables' | 'Rule so far' | 'Rules computed' | 'Input' | 'Data' | 'Why here' | 'Locals';

export interface DebugScope {
  readonly name: ScopeName;
  /** Whether showing it is costly; its variables are made when they are read. */
  readonly isExpensive: boolean;
  variables(): readonly SessionVariable[];
}

export interface SkippedRule {
  readonly name: string;
  readonly range: TextRange;
  /** `input.x is 3, the rule needs 4` */
  readonly reason: string;
}

export interface Completion {
  readonly label: string;
  readonly kind: 'variable' | 'rule' | 'builtin' | 'keyword' | 'property';
  /** Where in the text it begins, and how many characters it replaces. */
  readonly start: number;
  readonly length: number;
}

/** The result of an expression: all of its solutions; none where it is undefined. */
export interface EvaluatedExpression {
  readonly value: Value | undefined;
  readonly solutions: readonly Value[];
  readonly error?: { readonly code: string; readonly message: string };
  /** The errors of built-ins that made calls undefined. */
  readonly failures?: readonly string[];
  /** Variables of the policies that have no value at the frame: so the expression has none. */
  readonly unbound?: readonly string[];
}

/** `undefined: div: divide by zero`. */
export function undefinedText(failures: readonly string[] = []): string {
  return ['undefined', ...new Set(failures)].slice(0, 4).join(': ');
}

/** `role has no value here`. */
export function unboundText(names: readonly string[]): string {
  return `${new Intl.ListFormat('en').format(names)} ${names.length === 1 ? 'has' : 'have'} no value here`;
}

export interface StepOptions {
  /** Default: `expression`. */
  readonly granularity?: Granularity;
  /** The name of the callee for `into`. */
  readonly target?: string;
}

/**
 * Movements resolve at the next stop, which may be the end. One runs at a time; another one
 * meanwhile rejects with a DebugError. Everything else is only possible at a stop.
 */
export interface DebugSession {
  /** Where the session stands; undefined before the first movement and while one runs. */
  readonly stop: Stop | undefined;
  /** How many statements the evaluation has passed: it counts on while it runs. */
  readonly position: number;
  /** Evaluates up to the first stop: with `stopOnEntry` before the first expression. */
  start(options?: { readonly stopOnEntry?: boolean }): Promise<Stop>;
  /** To the next step, into calls. */
  into(options?: StepOptions): Promise<Stop>;
  /** To the next step of this frame or of an outer one. */
  over(options?: StepOptions): Promise<Stop>;
  /** Until this frame has ended. */
  out(options?: StepOptions): Promise<Stop>;
  /** To the step before; right after a step forward that is where the step began. */
  back(options?: StepOptions): Promise<Stop>;
  /** Until a breakpoint, a filter, or the end. */
  continue(): Promise<Stop>;
  /**
   * Back to where a variable of a frame, or a rule (`data.authz.allow`), got its value. Throws a
   * DebugError where nothing has given it one.
   */
  backToWrite(name: string, frame: number): Promise<Stop>;
  /** The last stop by a breakpoint or filter before this one, or the start. */
  reverseContinue(): Promise<Stop>;
  /** Until a place, once; breakpoints and filters stop on the way. */
  until(place: BreakpointPlace): Promise<Stop>;
  /** To the beginning of a frame. */
  restartFrame(frame: number): Promise<Stop>;
  /** Begins again, with another input or data if given, and the same breakpoints and answers. */
  restart(
    documents?: { readonly input?: Value | undefined; readonly data?: Value },
    options?: { readonly stopOnEntry?: boolean },
  ): Promise<Stop>;
  /** Ends the current movement at the next statement. */
  pause(): void;
  /** Ends the session; a movement rejects. */
  dispose(): void;

  /**
   * Adds a breakpoint, verified or not. Throws a DebugError for a condition that does not compile.
   */
  addBreakpoint(request: BreakpointRequest): Breakpoint;
  removeBreakpoint(id: number): boolean;
  readonly breakpoints: readonly Breakpoint[];
  /** Replaces the filters. */
  setFilters(filters: readonly SessionFilter[]): void;
  /**
   * The name that positions have for a file, of which a client knows the path: the one that ends
   * alike. Plans may name files that are not there.
   */
  fileOf(path: string): string | undefined;
  /** The ranges of a file where a breakpoint can stand, by rows. */
  breakpointLocations(file: string, fromRow: number, toRow: number): readonly TextRange[];

  /** The stack at the stop, innermost first. */
  frames(): readonly DebugFrame[];
  scopes(frame: number): readonly DebugScope[];
  /** The rules that the index passed over in the calls so far, the newest last. */
  skipped(): readonly SkippedRule[];
  /** Why the session is here or why the last expression failed, in sentences. */
  why(): readonly string[];
  /** Calls that `into` could enter from the current expression. */
  stepTargets(frame: number): readonly { readonly name: string; readonly range: TextRange | undefined }[];
  /** Evaluates an expression with the variables of a frame; without one, over input and data. */
  evaluate(text: string, frame?: number): Promise<EvaluatedExpression>;
  completions(text: string, column: number, frame?: number): readonly Completion[];

  readonly input: Value | undefined;
  readonly data: Value | undefined;

  readonly sources: readonly SessionSource[];
  /** The rules that can be evaluated: `data.authz.allow`. */
  readonly ruleNames: readonly string[];
  /** Whether variables have the authors' names: not in a plan without debug information. */
  readonly hasNames: boolean;
  /** The text of a source. Throws a DebugError. */
  sourceText(name: string): string;
  /** Statements around an address, in the order of the listing. */
  statements(address: string, before: number, after: number): readonly DebugStatement[];
}
