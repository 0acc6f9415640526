/** Whether a process follows its log, and whether the log takes writes. */

import { isUnavailable, StorageError } from './storage-error.js';
import type { WriteLog } from './write-log.js';
import type { WritingState } from './writing.js';

export interface StorageLogger {
  info(message: string): unknown;
  warn(message: string): unknown;
  error(message: string): unknown;
}

/** The reason why the last write was not taken by a log that can be read, and its bytes. */
interface WriteFault {
  readonly message: string;
  readonly bytes: number;
}

/** Each reason is logged once. */
export class LogHealth {
  readonly #log: Pick<WriteLog, 'name'>;
  readonly #logger: StorageLogger;
  readonly #maxLagSeconds: number;
  #isReachable = false;
  #problem: string | undefined;
  #writeFault: WriteFault | undefined;
  /** The damage that a check of the whole log has found. */
  #damage: string | undefined;
  /** The last error that was logged, until the log is followed again. */
  #complaint: string | undefined;
  /** When the engine last had all of the log, as `performance.now()` counts. */
  #currentAt = performance.now();

  /** @param maxLagSeconds behind the log after which the process is not healthy */
  constructor(log: Pick<WriteLog, 'name'>, logger: StorageLogger, maxLagSeconds: number) {
    this.#log = log;
    this.#logger = logger;
    this.#maxLagSeconds = maxLagSeconds;
  }

  get isFollowing(): boolean {
    return this.#isReachable && this.#problem === undefined;
  }

  get writeFault(): WriteFault | undefined {
    return this.#writeFault;
  }

  /** Throws a StorageError where writes are refused. */
  checkWritable(): void {
    if (this.#problem !== undefined)
      throw new StorageError('storage_unavailable', `writes are refused: ${this.#problem}`);
    if (!this.#isReachable) throw new StorageError('storage_unavailable', `${this.#log.name} cannot be reached`);
  }

  /** The engine has all of the log. */
  followed(revision: number): void {
    const wasFollowing = this.#isReachable && this.#complaint === undefined;
    this.#complaint = undefined;
    this.#isReachable = true;
    this.#problem = undefined;
    this.#currentAt = performance.now();
    if (!wasFollowing) this.#logger.info(`Following ${this.#log.name} at revision ${revision}.`);
  }

  /** The log cannot be followed. */
  lost(error: unknown): void {
    const { message } = error as Error;
    if (isUnavailable(error)) this.#isReachable = false;
    else this.#problem = message;
    if (this.#complaint !== message) this.#logger.error(`The log of writes is not followed: ${message}.`);
    this.#complaint = message;
  }

  /** A write got no answer. */
  writeLost(message: string, bytes: number): void {
    this.#isReachable = false;
    this.#writeFault = { message, bytes };
  }

  /** The log can be read, and takes no writes. */
  cannotWrite(message: string): void {
    this.#logger.error(`The log of writes takes no writes: ${message}.`);
    this.#writeFault = { message, bytes: 0 };
  }

  takesWrites(): void {
    this.#writeFault = undefined;
  }

  damaged(message: string): void {
    this.#damage = `the log is damaged: ${message}`;
    this.#logger.error(`The log of writes is damaged: ${message}.`);
  }

  state(revision: number, head: number): WritingState {
    const isCurrent = this.isFollowing && revision >= head;
    const lagSeconds = isCurrent ? 0 : (performance.now() - this.#currentAt) / 1000;
    // A log that cannot be read has its own bound.
    const fault = this.#isReachable && this.#writeFault && `writes are not taken: ${this.#writeFault.message}`;
    const problem = this.#problem ?? (fault || this.#damage);
    return {
      name: this.#log.name,
      revision,
      head,
      isReachable: this.#isReachable,
      lagSeconds,
      isHealthy: problem === undefined && lagSeconds <= this.#maxLagSeconds,
      problem,
    };
  }
}
