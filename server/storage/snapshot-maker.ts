/** When an engine that follows a log makes snapshots, for the log and for its own disk. */

import { fileErrorText } from '../../engine/node.js';
import type { HeldVersion } from '../../runtime/index.js';
import type { Writes } from './entry.js';
import type { LocalSnapshot } from './local-snapshot.js';
import { storedSnapshot } from './stored-snapshot.js';
import type { LogPosition, StoredSnapshot, WriteLog } from './write-log.js';

/** The log's part of the state at a position, whose documents are held. */
export interface LoggedState {
  readonly position: LogPosition;
  readonly held: HeldVersion;
  readonly writes: Writes;
}

interface SnapshotOptions {
  readonly log: WriteLog;
  readonly logger: { warn(message: string): unknown };
  /** Entries after which a snapshot is made. */
  readonly snapshotEvery: number;
  /** Where the last snapshot is kept, to start without the log. */
  readonly local?: LocalSnapshot | undefined;
}

/** Bytes of entries that are worth a snapshot, however few the entries are. */
const manyBytes = 64 * 1024 * 1024;
/** Making snapshots takes a tenth of the time at most. */
const share = 10;
/** A replica keeps its own snapshot so often, if anything was written. */
const localMs = 60_000;

export class SnapshotMaker {
  readonly #options: SnapshotOptions;
  /** The state of now, between two commits. */
  readonly #stateOfNow: () => Promise<LoggedState>;
  /** Since the last snapshot. */
  #entries = 0;
  #bytes = 0;
  #localRevision = 0;
  #localAt = performance.now();
  #making: Promise<void> | undefined;
  #endedAt = Number.NEGATIVE_INFINITY;
  #tookMs = 0;

  constructor(options: SnapshotOptions, stateOfNow: () => Promise<LoggedState>) {
    this.#options = options;
    this.#stateOfNow = stateOfNow;
  }

  /** An entry is applied that no snapshot has. */
  noteEntry(bytes: number): void {
    this.#entries++;
    this.#bytes += bytes;
  }

  /** A snapshot has all that is applied. */
  noteSnapshot(): void {
    this.#entries = 0;
    this.#bytes = 0;
  }

  /** The snapshot of the own disk; undefined where there is none. */
  async local(): Promise<StoredSnapshot | undefined> {
    const snapshot = await this.#options.local?.read();
    if (snapshot !== undefined) this.#localRevision = snapshot.revision;
    return snapshot;
  }

  /** The process that has appended the last entry makes the log's snapshot. */
  makeIfDue(revision: number, hasAppended: boolean): void {
    const { local, snapshotEvery, logger } = this.#options;
    const now = performance.now();
    if (this.#making !== undefined || now - this.#endedAt < share * this.#tookMs) return;
    const isDue = hasAppended && (this.#entries >= snapshotEvery || this.#bytes >= manyBytes);
    const isOld = revision > this.#localRevision && now - this.#localAt > localMs;
    if (!isDue && !(local !== undefined && isOld)) return;
    this.#making = this.#make(isDue)
      .catch((error: Error) => void logger.warn(`A snapshot could not be made: ${fileErrorText(error)}.`))
      .finally(() => {
        this.#endedAt = performance.now();
        this.#tookMs = this.#endedAt - now;
        this.#making = undefined;
      });
  }

  /** Waits for a snapshot that is being made. */
  async ended(): Promise<void> {
    await this.#making;
  }

  /** Has the last writes in the snapshot of the own disk. */
  async makeLast(revision: number): Promise<void> {
    if (this.#options.local !== undefined && revision > this.#localRevision)
      await this.#make(false).catch(() => undefined);
  }

  async #make(isShared: boolean): Promise<void> {
    const { local, log } = this.#options;
    this.#localAt = performance.now();
    const { position, held, writes } = await this.#stateOfNow();
    let stored: StoredSnapshot;
    try {
      stored = await storedSnapshot(position, writes);
    } finally {
      held.release();
    }
    try {
      await local?.save(stored);
      this.#localRevision = position.revision;
    } finally {
      // Without it the log would grow because of a full disk here.
      if (isShared) {
        await log.saveSnapshot(stored);
        await log.compact();
      }
    }
  }
}
