import { missingIn } from '../engine/paths/missing-path.js';
import type { Prepared } from '../engine/prepared.js';
import type { Value } from '../values/value.js';
import type { AsyncDecisionOptions, DecisionOptions } from './decision-options.js';
import { EngineError } from './errors/engine-error.js';
import type { Opened } from './opened.js';
import { isDefined, segmentsIn } from './paths/listed-paths.js';
import { type MissingWarnings, missingWarnings } from './paths/missing-warnings.js';
import type { DecidingLibrary } from './prepared-decision.js';

/** An engine until it is closed, as its decisions see it. */
export class DecidingEngine implements DecidingLibrary {
  /** A signal takes longer to ask. */
  isClosed = false;
  readonly #opened: Opened;
  /** Null in production. */
  #missingWarnings: MissingWarnings | null | undefined;
  /** Aborted when the engine is closed; made for the first decision that waits. */
  #closing: AbortController | undefined;

  constructor(opened: Opened) {
    this.#opened = opened;
  }

  checkOpen(): void {
    if (this.isClosed) throw new EngineError('closed', 'the engine is closed');
  }

  checkDefined(path: string, { strict = this.#opened.options.strict }: DecisionOptions): void {
    const { engine, options } = this.#opened;
    const missingName = () => missingIn(engine, segmentsIn(engine.version, path));
    if (strict !== true) {
      // Asking for the mode takes as long as a decision.
      if (this.#missingWarnings === undefined) this.#missingWarnings = missingWarnings(options);
      this.#missingWarnings?.check(path, missingName);
      return;
    }
    this.checkOpen();
    if (isDefined(engine, path)) return;
    const missing = missingName();
    const cause = missing === undefined ? '' : ` (${missing})`;
    throw new EngineError(
      'undefined_path',
      `there is no rule, entrypoint or document at ${JSON.stringify(path)}${cause}; rules() lists what can be asked`,
    );
  }

  signalOf({ signal }: AsyncDecisionOptions): AbortSignal {
    this.#closing ??= new AbortController();
    return signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
  }

  inThread(prepared: Prepared, input: Value | undefined, options: AsyncDecisionOptions): Promise<Value | undefined> {
    const { engine, threads } = this.#opened;
    return threads.decide(engine, prepared, input, { ...options, signal: this.signalOf(options) });
  }

  /** From now on nothing is decided, and decisions that wait end. */
  close(): void {
    this.isClosed = true;
    this.#closing?.abort();
  }
}
