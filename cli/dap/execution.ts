/** Runs an evaluation for a client, and tells it of stops, output and the end. */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { type DebugOutput, type DebugSession, type Granularity, newsLines, type Stop } from '../../views/index.js';
import type { ClientBreakpoints } from './breakpoints.js';
import type { Debuggee } from './debuggee.js';
import type { LaunchSettings } from './launch.js';
import { ArgumentError } from './protocol/arguments.js';
import type { DapConnection } from './protocol/connection.js';
import { outcomeEvent, stoppedEvent } from './stops.js';

type Movement = (session: DebugSession) => Promise<Stop>;

interface ExecutionContext {
  readonly connection: DapConnection;
  readonly breakpoints: ClientBreakpoints;
  readonly settings: LaunchSettings;
  /** Whether the client is told of movements that take long. */
  readonly showsProgress: boolean;
}

export class Execution {
  readonly debuggee: Debuggee;
  readonly thread: number;
  readonly #connection: DapConnection;
  readonly #breakpoints: ClientBreakpoints;
  readonly #settings: LaunchSettings;
  readonly #onEnd: () => void;
  /** Undefined for a client that shows no progress. */
  readonly #progress: DebugProgress | undefined;
  #isStarted = false;
  #isMoving = false;
  #isDisposed = false;

  /** @param onEnd called when the evaluation is done, and the client does not look at its end */
  constructor(debuggee: Debuggee, thread: number, context: ExecutionContext, onEnd: () => void) {
    this.debuggee = debuggee;
    this.thread = thread;
    this.#connection = context.connection;
    this.#breakpoints = context.breakpoints;
    this.#settings = context.settings;
    this.#onEnd = onEnd;
    this.#progress = context.showsProgress
      ? new DebugProgress(context.connection, () => debuggee.session.position)
      : undefined;
  }

  get isMoving(): boolean {
    return this.#isMoving;
  }

  /** Begins, once. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const { stopOnEntry, isPlainRun } = this.#settings;
    this.move((session) => session.start({ stopOnEntry: stopOnEntry && !isPlainRun }));
  }

  /**
   * Begins a movement, whose stop is told later. Throws an ArgumentError while another one runs.
   */
  move(movement: Movement): void {
    this.checkStopped();
    this.#isMoving = true;
    this.debuggee.leaveStop();
    this.#progress?.begin();
    movement(this.debuggee.session).then(
      (stop) => this.#arrive(stop),
      (error: Error) => this.#break(error),
    );
  }

  checkStopped(): void {
    if (this.#isMoving) throw new ArgumentError('the evaluation is running');
  }

  /** Goes on, or is over where it has reached its end. */
  continue(): void {
    this.checkStopped();
    if (this.debuggee.session.stop?.reason === 'end') this.#onEnd();
    else this.move((session) => session.continue());
  }

  /** A step at least; of lines, until another line. */
  step(direction: 'into' | 'over' | 'out' | 'back', granularity: string | undefined, target?: string): void {
    const options = { granularity: this.#granularity(granularity), ...(target === undefined ? {} : { target }) };
    this.move(
      granularity === 'line'
        ? (session) => untilOtherLine(session, () => session[direction](options))
        : (session) => session[direction](options),
    );
  }

  /** Begins again with other documents. */
  restartWith(documents: Parameters<DebugSession['restart']>[0]): void {
    this.move((session) => session.restart(documents, { stopOnEntry: true }));
  }

  pause(): void {
    if (this.#isMoving) this.debuggee.session.pause();
  }

  /** Ends a movement that the client was told of. */
  cancel(progressId: string): void {
    if (this.#progress?.is(progressId) === true) this.pause();
  }

  output({ kind, text, place }: DebugOutput): void {
    if (kind === 'print' && !this.#settings.printsOutput) return;
    const { sources, notation } = this.debuggee;
    const source = place && sources.at(place.file);
    const location =
      place === undefined || source === undefined
        ? {}
        : { source, line: notation.line(place.row), column: notation.column(place.col) };
    const body: DebugProtocol.OutputEvent['body'] = {
      category: categories[kind],
      output: `${text}\n`,
      ...location,
    };
    this.#connection.output(body);
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#progress?.end();
    this.debuggee.session.dispose();
  }

  #granularity(asked: string | undefined): Granularity {
    if (asked === 'instruction') return 'statement';
    return this.#settings.stepsRules && asked !== 'line' ? 'rule' : 'expression';
  }

  #leaveMovement(): void {
    this.#isMoving = false;
    this.#progress?.end();
  }

  #arrive(stop: Stop): void {
    this.#leaveMovement();
    if (this.#isDisposed) return;
    const { sources, notation } = this.debuggee;
    if (stop.outcome !== undefined) this.#connection.output(outcomeEvent(stop.outcome, sources, notation));
    if (stop.reason === 'end' && !this.#settings.stopOnResult) return this.#onEnd();
    this.#connection.event('stopped', stoppedEvent(stop, this.#breakpoints, this.thread));
    for (const line of newsLines(stop.news)) this.#connection.output({ category: 'console', output: `${line}\n` });
  }

  /** A movement was refused, or the session was disposed. */
  #break(error: Error): void {
    this.#leaveMovement();
    if (this.#isDisposed) return;
    this.#connection.output({ category: 'important', output: `${error.message}\n` });
    const { stop } = this.debuggee.session;
    if (stop === undefined) this.#onEnd();
    else this.#connection.event('stopped', stoppedEvent(stop, this.#breakpoints, this.thread));
  }
}

const categories = { print: 'stdout', log: 'console', error: 'stderr' } as const;

/** Steps until the evaluation stands at another line or in another frame, or stops for a reason. */
async function untilOtherLine(session: DebugSession, step: () => Promise<Stop>): Promise<Stop> {
  const from = lineOf(session);
  for (;;) {
    const stop = await step();
    if (stop.reason !== 'step' || lineOf(session) !== from) return stop;
  }
}

function lineOf(session: DebugSession): string {
  const frames = session.frames();
  const range = frames[0]?.range;
  return `${frames.length} ${range?.file} ${range?.row}`;
}

/** Milliseconds until a movement is told of, and between two reports. */
const interval = 500;

/** Tells a client how far a movement has come that takes long. */
class DebugProgress {
  readonly #connection: DapConnection;
  /** How many statements the evaluation has passed. */
  readonly #position: () => number;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The movement that the client was told of. */
  #told: string | undefined;

  constructor(connection: DapConnection, position: () => number) {
    this.#connection = connection;
    this.#position = position;
  }

  /** A movement begins. */
  begin(): void {
    const progressId = `evaluation ${++this.#count}`;
    this.#timer = setInterval(() => this.#tell(progressId), interval);
    this.#timer.unref();
  }

  /** The movement is over. */
  end(): void {
    clearInterval(this.#timer);
    if (this.#told === undefined) return;
    this.#connection.event('progressEnd', { progressId: this.#told });
    this.#told = undefined;
  }

  /** Whether a client names the movement of now. */
  is(progressId: string): boolean {
    return this.#told === progressId;
  }

  #tell(progressId: string): void {
    const message = `${this.#position().toLocaleString('en')} statements`;
    if (this.#told !== undefined) {
      this.#connection.event('progressUpdate', { progressId, message });
      return;
    }
    this.#told = progressId;
    this.#connection.event('progressStart', { progressId, title: 'Evaluating', message, cancellable: true });
  }
}
