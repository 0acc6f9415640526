/** The debug adapter for one client: the requests of the protocol over debug sessions. */
import type { DebugSession, SessionOptions } from '../../views/index.js';
import { DebugAttachment } from './attachment.js';
import { ClientBreakpoints, type SetBreakpoint } from './breakpoints.js';
import { adapterCapabilities } from './capabilities.js';
import { Debuggee } from './debuggee.js';
import { Execution } from './execution.js';
import type { AdapterHost, HeldRequest } from './host.js';
import { type LaunchSettings, launchArguments, settingsOf } from './launch.js';
import { ArgumentError, RequestArguments } from './protocol/arguments.js';
import type { DapConnection, DapHandler, Reply } from './protocol/connection.js';
import {
  type BreakpointContext,
  setBreakpoints,
  setDataBreakpoints,
  setExceptionBreakpoints,
  setFunctionBreakpoints,
  setInstructionBreakpoints,
  shownBreakpoint,
} from './requests/breakpoint-requests.js';
import {
  assignment,
  completions,
  dataBreakpointInfo,
  evaluateExpression,
  exceptionInfo,
  scopes,
  stackTrace,
  stepInTargets,
  variables,
  variableTarget,
} from './requests/inspection.js';
import {
  breakpointLocations,
  disassemble,
  gotoTargets,
  loadedSources,
  modules,
  source,
} from './requests/source-requests.js';
import { Notation } from './sources.js';
import { debugValueText } from './value-text.js';

type Answer = (args: RequestArguments) => Reply | Promise<Reply>;

/** Requests that are answered while others wait. */
const urgent: ReadonlySet<string> = new Set(['pause', 'cancel', 'terminate', 'terminateThreads', 'disconnect']);

export class Adapter implements DapHandler {
  readonly #connection: DapConnection;
  readonly #host: AdapterHost;
  readonly #breakpoints = new ClientBreakpoints();
  #notation = new Notation(new RequestArguments({}, 'initialize'));
  #showsProgress = false;
  /** The arguments of the launch, for a restart. */
  #launched: RequestArguments | undefined;
  #attachSettings: LaunchSettings | undefined;
  #execution: Execution | undefined;
  #attachment: DebugAttachment | undefined;
  #threads = 0;
  #isInitialized = false;
  #isConfigured = false;
  #isClosed = false;
  #isOver = false;

  constructor(connection: DapConnection, host: AdapterHost) {
    this.#connection = connection;
    this.#host = host;
  }

  isUrgent(command: string): boolean {
    return urgent.has(command);
  }

  async answer(command: string, args: RequestArguments): Promise<Reply> {
    const answer = Object.hasOwn(this.#requests, command) ? this.#requests[command] : undefined;
    if (answer === undefined)
      throw new ArgumentError(`the request ${JSON.stringify(command.slice(0, 100))} is not supported`);
    return await answer(args);
  }

  close(): void {
    this.#isClosed = true;
    this.#end();
  }

  readonly #requests: Readonly<Record<string, Answer>> = {
    initialize: (args) => {
      if (this.#isInitialized) throw new ArgumentError('initialize: the session has been initialized before');
      this.#isInitialized = true;
      this.#notation = new Notation(args);
      this.#showsProgress = args.flag('supportsProgressReporting') === true;
      return { body: adapterCapabilities };
    },
    launch: (args) => this.#begun('launch', () => this.#launch(args)),
    attach: (args) => this.#begun('attach', () => this.#attach(args)),
    configurationDone: () => ({ after: () => this.#configured() }),
    restart: (args) => this.#restart(args),
    terminate: () => this.#terminate(),
    terminateThreads: () => this.#terminate(),
    disconnect: () => ({ after: () => this.#connection.close() }),
    cancel: (args) => {
      const seq = args.count('requestId');
      if (seq !== undefined) this.#connection.cancel(seq);
      const progressId = args.text('progressId');
      if (progressId !== undefined) this.#execution?.cancel(progressId);
      return {};
    },

    setBreakpoints: (args) => ({ body: setBreakpoints(this.#context, args) }),
    setFunctionBreakpoints: (args) => ({ body: setFunctionBreakpoints(this.#context, args) }),
    setDataBreakpoints: (args) => ({ body: setDataBreakpoints(this.#context, args) }),
    setInstructionBreakpoints: (args) => ({ body: setInstructionBreakpoints(this.#context, args) }),
    setExceptionBreakpoints: (args) => ({ body: setExceptionBreakpoints(this.#context, args) }),
    breakpointLocations: (args) => ({ body: breakpointLocations(this.#debuggee, args) }),
    dataBreakpointInfo: (args) => ({ body: dataBreakpointInfo(this.#stopped, args) }),

    threads: () => ({
      body: { threads: this.#execution === undefined ? [] : [{ id: this.#execution.thread, name: this.#threadName }] },
    }),
    continue: (args) => this.#move(args, (execution) => execution.continue(), { allThreadsContinued: true }),
    next: (args) => this.#move(args, (execution) => execution.step('over', args.text('granularity'))),
    stepIn: (args) => this.#stepIn(args),
    stepOut: (args) => this.#move(args, (execution) => execution.step('out', args.text('granularity'))),
    stepBack: (args) => this.#move(args, (execution) => execution.step('back', args.text('granularity'))),
    reverseContinue: (args) => this.#move(args, (execution) => execution.move((session) => session.reverseContinue())),
    restartFrame: (args) => {
      const frame = this.#stopped.frame(args);
      if (frame === undefined) throw new ArgumentError('restartFrame: "frameId" is missing');
      return this.#move(args, (execution) => execution.move((session) => session.restartFrame(frame.id)));
    },
    goto: (args) => {
      const target = this.#stopped.gotoTargets[args.neededCount('targetId')];
      if (target === undefined) throw new ArgumentError('there is no such target at this stop');
      const place = { kind: 'line', file: target.file, row: target.row, col: target.col } as const;
      return this.#move(args, (execution) => execution.move((session) => session.until(place)));
    },
    pause: () => {
      const execution = this.#running;
      return { after: () => execution.pause() };
    },

    stackTrace: (args) => ({ body: stackTrace(this.#stopped, args) }),
    scopes: (args) => ({ body: scopes(this.#stopped, args) }),
    variables: (args) => ({ body: variables(this.#stopped, args) }),
    evaluate: async (args) => ({ body: await evaluateExpression(this.#stopped, args) }),
    setVariable: (args) => this.#assign(args, variableTarget(this.#stopped, args)),
    setExpression: (args) => this.#assign(args, args.neededText('expression')),
    completions: (args) => ({ body: completions(this.#stopped, args) }),
    exceptionInfo: () => ({ body: exceptionInfo(this.#stopped) }),
    stepInTargets: (args) => ({ body: stepInTargets(this.#stopped, args) }),
    gotoTargets: (args) => ({ body: gotoTargets(this.#stopped, args) }),

    source: (args) => ({ body: source(this.#debuggee, args) }),
    loadedSources: () => ({ body: loadedSources(this.#debuggee) }),
    modules: (args) => ({ body: modules(this.#debuggee, args) }),
    disassemble: (args) => ({ body: disassemble(this.#stopped, args) }),
  };

  get #running(): Execution {
    if (this.#execution === undefined) throw new ArgumentError('nothing is being evaluated');
    return this.#execution;
  }

  get #debuggee(): Debuggee {
    return this.#running.debuggee;
  }

  /** Throws an ArgumentError while the evaluation runs. */
  get #stopped(): Debuggee {
    this.#running.checkStopped();
    return this.#debuggee;
  }

  get #context(): BreakpointContext {
    return { breakpoints: this.#breakpoints, notation: this.#notation, debuggee: this.#execution?.debuggee };
  }

  get #threadName(): string {
    return (
      this.#attachment?.held?.name ?? this.#launched?.text('query') ?? this.#launched?.text('test') ?? 'evaluation'
    );
  }

  #move(args: RequestArguments, movement: (execution: Execution) => void, body?: object): Reply {
    const execution = this.#running;
    const thread = args.count('threadId') ?? execution.thread;
    if (thread !== execution.thread) throw new ArgumentError(`there is no thread ${thread}`);
    execution.checkStopped();
    return { body, after: () => movement(execution) };
  }

  #stepIn(args: RequestArguments): Reply {
    const id = args.count('targetId');
    const { session, frames } = this.#stopped;
    const target =
      id === undefined || frames[0] === undefined ? undefined : session.stepTargets(frames[0].id)[id]?.name;
    if (id !== undefined && target === undefined) throw new ArgumentError('there is no such target at this stop');
    return this.#move(args, (execution) => execution.step('into', args.text('granularity'), target));
  }

  /** Begins again with another input or other data. */
  async #assign(args: RequestArguments, target: string): Promise<Reply> {
    const { documents, value } = await assignment(this.#stopped, target, args.neededText('value'));
    const body = { value: debugValueText(value, { hex: false, longest: 1000 }) };
    const execution = this.#running;
    return { body, after: () => execution.restartWith(documents) };
  }

  /** Before `initialize` nothing is known of the client: how it counts lines, what it can show. */
  #begun(command: string, answer: () => Promise<Reply>): Promise<Reply> {
    if (!this.#isInitialized)
      throw new ArgumentError(`${command}: the first request of a session must be "initialize"`);
    return answer();
  }

  async #launch(args: RequestArguments): Promise<Reply> {
    if (this.#launched !== undefined) throw new ArgumentError('the session has been launched before');
    const { settings, changed } = await this.#load(args);
    return {
      after: () => {
        for (const output of settings.notes) this.#connection.output({ category: 'console', output: `${output}\n` });
        this.#connection.event('initialized');
        this.#tell(changed);
        this.#begin();
      },
    };
  }

  /** Loads the sources that the arguments of a launch name, in the place of those loaded before. */
  async #load(
    args: RequestArguments,
  ): Promise<{ readonly settings: LaunchSettings; readonly changed: readonly SetBreakpoint[] }> {
    const settings = settingsOf(args);
    const wanted = launchArguments(args);
    const host = this.#host;
    if (!('launch' in host)) throw new ArgumentError('launch: this is a server; attach to it');
    this.#launched = args;
    try {
      return { settings, changed: await this.#open((options) => host.launch(wanted, options), settings) };
    } catch (error) {
      if (this.#execution === undefined) this.#launched = undefined;
      throw error;
    }
  }

  async #open(
    open: (options: SessionOptions) => Promise<DebugSession>,
    settings: LaunchSettings,
  ): Promise<readonly SetBreakpoint[]> {
    let execution: Execution | undefined;
    let session: DebugSession;
    try {
      session = await open({ onOutput: (output) => execution?.output(output) });
    } catch (error) {
      throw new ArgumentError((error as Error).message);
    }
    if (this.#isClosed) session.dispose();
    this.#execution?.dispose();
    const context = {
      connection: this.#connection,
      breakpoints: this.#breakpoints,
      settings,
      showsProgress: this.#showsProgress,
    };
    execution = new Execution(new Debuggee(session, this.#notation), ++this.#threads, context, () => this.#onEnd());
    this.#execution = execution;
    if (settings.isPlainRun) return [];
    return this.#breakpoints.open(execution.debuggee, settings.stopOnFail ? [{ filter: 'fail' }] : []);
  }

  /** Breakpoints that came before there was something to stop stand somewhere now. */
  #tell(changed: readonly SetBreakpoint[]): void {
    for (const one of changed)
      this.#connection.event('breakpoint', { reason: 'changed', breakpoint: shownBreakpoint(this.#context, one) });
  }

  #configured(): void {
    this.#isConfigured = true;
    this.#begin();
  }

  /** Starts once there is something to start, and the client has said what to stop at. */
  #begin(): void {
    if (!this.#isConfigured) return;
    if (this.#attachment?.held !== undefined && this.#execution === undefined)
      void this.#openHeld(this.#attachment, this.#attachment.held);
    else this.#execution?.start();
  }

  async #restart(args: RequestArguments): Promise<Reply> {
    const execution = this.#running;
    if (this.#attachment !== undefined) return this.#move(args, () => execution.restartWith({}));
    const { changed } = await this.#load(args.has('arguments') ? args.inner('arguments') : this.#launched!);
    return {
      after: () => {
        this.#isOver = false;
        this.#tell(changed);
        this.#begin();
      },
    };
  }

  async #attach(args: RequestArguments): Promise<Reply> {
    if (this.#launched !== undefined) throw new ArgumentError('the session has been launched before');
    if (!('holder' in this.#host))
      throw new ArgumentError('attach: this is no server; start one with "writ run --server --debug-attach"');
    this.#attachSettings = settingsOf(args, { stopOnEntry: true });
    const filter = { path: args.text('path'), condition: args.text('condition') };
    this.#launched = args;
    const attachment = new DebugAttachment();
    try {
      await attachment.begin(this.#host.holder, filter, () => this.#begin());
    } catch (error) {
      this.#launched = undefined;
      throw error;
    }
    this.#attachment = attachment;
    if (this.#isClosed) attachment.end();
    return {
      after: () => {
        this.#connection.event('initialized');
        this.#begin();
      },
    };
  }

  async #openHeld(attachment: DebugAttachment, held: HeldRequest): Promise<void> {
    try {
      const changed = await this.#open((options) => held.open(options), this.#attachSettings!);
      this.#connection.event('thread', { reason: 'started', threadId: this.#threads });
      this.#tell(changed);
      this.#begin();
    } catch (error) {
      this.#connection.output({
        category: 'important',
        output: `${held.name} cannot be debugged: ${(error as Error).message}\n`,
      });
      attachment.release();
    }
  }

  /** The evaluation is done. A server is waited for again; anything else is over. */
  #onEnd(): void {
    if (this.#attachment === undefined) return this.#finish();
    const { thread } = this.#running;
    this.#closeExecution();
    this.#connection.event('thread', { reason: 'exited', threadId: thread });
    this.#attachment.release();
  }

  #terminate(): Reply {
    return {
      after: () => {
        this.#end();
        this.#finish();
      },
    };
  }

  /** Tells the client, once, that nothing more is to be expected. */
  #finish(): void {
    if (this.#isOver || this.#launched === undefined) return;
    this.#isOver = true;
    const outcome = this.#execution?.debuggee.session.stop?.outcome;
    this.#connection.event('exited', { exitCode: outcome?.kind === 'error' ? 2 : 0 });
    this.#connection.event('terminated');
  }

  #end(): void {
    this.#attachment?.end();
    this.#closeExecution();
  }

  #closeExecution(): void {
    this.#breakpoints.close();
    this.#execution?.dispose();
    this.#execution = undefined;
  }
}
