import { type Engine, missingIn, type Prepared } from '../engine/index.js';
import type { Host, Value } from '../values/index.js';
import type { AsyncDecisionOptions, DecisionOptions } from './decision-options.js';
import type { EngineOptions } from './engine-options.js';
import type { EngineThreads } from './engine-threads.js';
import { EngineError } from './errors/engine-error.js';
import { isDefined, segmentsIn } from './paths/listed-paths.js';
import { type MissingWarnings, missingWarnings } from './paths/missing-warnings.js';
import type { Attachment } from './services/attachment.js';
import type { LibraryBundles } from './sources/library-bundles.js';
import type { WatchedSources } from './sources/watched-sources.js';

interface EngineParts {
  readonly engine: Engine;
  readonly bundles: LibraryBundles;
  readonly options: EngineOptions;
  readonly threads: EngineThreads;
  readonly ownHost: Host | undefined;
  readonly attachment: Attachment | undefined;
}

/** The parts of a library's engine from its opening to its end, which its decisions share. */
export class OpenEngine {
  readonly engine: Engine;
  /** Replaced when their files are read again. */
  bundles: LibraryBundles;
  readonly options: EngineOptions;
  readonly attachment: Attachment | undefined;
  /** Undefined where no files are watched. */
  watched: WatchedSources | undefined;
  /** A signal takes longer to ask. */
  isClosed = false;
  readonly #threads: EngineThreads;
  /** The host whose connections are closed with the engine. */
  readonly #ownHost: Host | undefined;
  /** Null in production. */
  #missingWarnings: MissingWarnings | null | undefined;
  /** Aborted when the engine is closed; made for the first decision that waits. */
  #closing: AbortController | undefined;

  constructor({ engine, bundles, options, threads, ownHost, attachment }: EngineParts) {
    this.engine = engine;
    this.bundles = bundles;
    this.options = options;
    this.attachment = attachment;
    this.#threads = threads;
    this.#ownHost = ownHost;
  }

  checkOpen(): void {
    if (this.isClosed) throw new EngineError('closed', 'the engine is closed');
  }

  /** Throws an EngineError, if the options are strict, where nothing can answer. */
  checkDefined(path: string, { strict = this.options.strict }: DecisionOptions): void {
    const { engine } = this;
    const missingName = () => missingIn(engine, segmentsIn(engine.version, path));
    if (strict !== true) {
      // Asking for the mode takes as long as a decision.
      if (this.#missingWarnings === undefined) this.#missingWarnings = missingWarnings(this.options);
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

  /** Aborted when the caller's signal is, or the engine is closed. */
  signalOf({ signal }: AsyncDecisionOptions): AbortSignal {
    this.#closing ??= new AbortController();
    return signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
  }

  inThread(prepared: Prepared, input: Value | undefined, options: AsyncDecisionOptions): Promise<Value | undefined> {
    return this.#threads.decide(this.engine, prepared, input, { ...options, signal: this.signalOf(options) });
  }

  /** From now on nothing is decided, and decisions that wait end. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#closing?.abort();
    await this.watched?.close();
    await this.attachment?.close();
    await Promise.all([this.#threads.close(), this.#ownHost?.network?.close()]);
  }
}
