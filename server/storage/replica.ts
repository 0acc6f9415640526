/** An engine that follows a log of writes, and appends to it. */

import { randomUUID } from 'node:crypto';
import { type Change, type CommitOptions, type Engine, PolicyError, SerialQueue } from '../../engine/index.js';
import { AppliedLog, type WriteAttempt } from './applied-log.js';
import type { LocalSnapshot } from './local-snapshot.js';
import { LogHealth, type StorageLogger } from './log-health.js';
import { SnapshotMaker } from './snapshot-maker.js';
import { isUnavailable, StorageError } from './storage-error.js';
import { checkSnapshot } from './stored-snapshot.js';
import type { LogPosition, WriteLog } from './write-log.js';
import type { MakeChange, Writing, WritingOptions, WritingState, Written } from './writing.js';

export interface ReplicaOptions {
  readonly engine: Engine;
  readonly log: WriteLog;
  readonly logger: StorageLogger;
  /** The release of this process, for those who look at the log. */
  readonly release: string;
  /** Entries after which a snapshot is made. */
  readonly snapshotEvery: number;
  /** Seconds behind the log after which the process is not healthy. */
  readonly maxLagSeconds: number;
  /** Whether writes may change what is within the roots of bundles. */
  readonly amendsBundles: boolean;
  /** Where the last snapshot is kept, to start without the log. */
  readonly local?: LocalSnapshot | undefined;
}

/** The log is asked so often for its head: a notice may be lost. */
const pollMs = 1000;
/** A follower tells so often how far it is. */
const noteMs = 10_000;
const page = { entries: 10_000, bytes: 16 * 1024 * 1024 };

/** Somebody else has appended to the log meanwhile. */
class HeadMoved extends Error {}

export class Replica implements Writing {
  readonly #options: ReplicaOptions;
  readonly #engine: Engine;
  readonly #log: WriteLog;
  readonly #applied: AppliedLog;
  readonly #snapshots: SnapshotMaker;
  readonly #health: LogHealth;
  readonly #id = randomUUID();
  /** One write after the other: each is validated against the one before. */
  readonly #writes = new SerialQueue();
  readonly #follows = new SerialQueue();
  /** The head of the log when it was last asked. */
  #head = 0;
  #isOpen = false;
  #isStopped = false;
  /** Resolves once the log was checked after the start. */
  #checked: Promise<void> | undefined;
  #notedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isFollowing = false;
  /** Whether there was another reason to follow meanwhile. */
  #isWoken = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.#engine = options.engine;
    this.#log = options.log;
    this.#applied = new AppliedLog(options, {
      noteEntry: (bytes) => this.#snapshots.noteEntry(bytes),
      noteSnapshot: () => this.#snapshots.noteSnapshot(),
    });
    this.#snapshots = new SnapshotMaker(options, () => this.#applied.stateOfNow());
    this.#health = new LogHealth(options.log, options.logger, options.maxLagSeconds);
  }

  /**
   * Brings the engine, which has the files' policies and documents, to the head of the log. Without
   * the log it starts from its own last snapshot. Rejects with a StorageError.
   */
  async start(): Promise<void> {
    this.#engine.amendBy((change) => this.#applied.amended(change));
    try {
      await this.#open();
      await this.#restore();
      await this.#followOnce();
    } catch (error) {
      if (!isUnavailable(error) || !(await this.#startLocally())) throw error;
      this.#health.lost(error);
    }
    this.#log.follow((revision) => {
      if (revision === undefined || revision > this.#position.revision) this.#wake();
    });
    this.#wait();
    if (this.#log.isChecked === true) this.#checked = this.#check();
  }

  /** Checks all stored entries, also those that a snapshot stands for. */
  async #check(): Promise<void> {
    const { verifyLog } = await import('./log-content.js');
    try {
      await verifyLog(this.#log, checkSnapshot);
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'storage_corrupt' || this.#isStopped) return;
      this.#health.damaged(error.message);
    }
  }

  async write(make: MakeChange, { origin = {}, ...options }: WritingOptions = {}): Promise<Written> {
    return await this.#writes.run(() => this.#write(make, { id: randomUUID(), origin, found: undefined }, options));
  }

  async #write(make: MakeChange, attempt: WriteAttempt, options: CommitOptions): Promise<Written> {
    let isRepeated = false;
    for (;;) {
      this.#health.checkWritable();
      try {
        const revision = (change: Change) => this.#append(change, attempt);
        const report = await this.#engine.commit(make, {
          ...options,
          ignoreRoots: this.#options.amendsBundles,
          revision,
        });
        if (!report.done && (await this.#isBehind(report.revision))) continue;
        this.#snapshots.makeIfDue(this.#position.revision, true);
        return { revision: report.revision, done: report.done };
      } catch (error) {
        const isLost = isUnavailable(error);
        if (!isLost && !(error instanceof HeadMoved)) {
          // A write that the log refuses is refused by a replica, too.
          const isFinal = error instanceof StorageError || (error instanceof PolicyError && error.code === 'timed_out');
          if (isFinal || !(await this.#isBehind(this.#position.revision))) throw error;
          continue;
        }
        await this.#seek(attempt, isLost);
        if (attempt.found !== undefined) return { revision: attempt.found, done: true };
        // The same entry after the same head: only one of both can be in the log.
        if (isLost && isRepeated) throw error;
        isRepeated = isLost;
      }
    }
  }

  /** Whether the log has more than a revision: then it is applied. */
  async #isBehind(revision: number): Promise<boolean> {
    if ((await this.head()) <= revision) return false;
    await this.#follow();
    return true;
  }

  /** Applies the entries that others have appended. The entry of a lost answer may be there too. */
  async #seek(attempt: WriteAttempt, isLost: boolean): Promise<void> {
    this.#applied.sought = attempt;
    try {
      await this.#follow();
    } catch (error) {
      if (!isLost) throw error;
      throw new StorageError(
        'storage_unavailable',
        `${this.#log.name} does not answer: it is not known whether the write was made`,
      );
    } finally {
      this.#applied.sought = undefined;
    }
  }

  /** Appends the entry of a checked change, at the turn of its commit. */
  async #append(change: Change, attempt: WriteAttempt): Promise<number> {
    const after = this.#position;
    const { entry, writes } = await this.#applied.entryFor(change, attempt);
    let isAppended: boolean;
    try {
      isAppended = await this.#log.append(after, entry);
    } catch (error) {
      if (isUnavailable(error)) this.#health.writeLost(error.message, entry.body.length);
      throw error;
    }
    this.#health.takesWrites();
    if (!isAppended) throw new HeadMoved();
    this.#applied.reach(entry, writes);
    return entry.revision;
  }

  async head(): Promise<number> {
    if (!this.#isOpen) throw new StorageError('storage_unavailable', `${this.#log.name} cannot be reached`);
    // Own writes may come meanwhile.
    const before = this.#position;
    const head = await this.#log.head();
    try {
      this.#checkHistory(head, before);
    } catch (error) {
      this.#health.lost(error);
      throw error;
    }
    this.#head = Math.max(this.#head, head.revision);
    if (head.revision > this.#position.revision) this.#wake();
    return head.revision;
  }

  /** Throws a StorageError where the log is another one than that which was applied. */
  #checkHistory(head: LogPosition, { revision, checksum }: LogPosition): void {
    const isOther = head.revision === revision && head.checksum !== checksum;
    if (head.revision >= revision && !isOther) return;
    const problem = `${this.#log.name} is at revision ${head.revision} of another history than the one applied up to ${revision}`;
    throw new StorageError('storage_diverged', `${problem}: restart to take it over`);
  }

  state(): WritingState {
    const { revision } = this.#position;
    return this.#health.state(revision, Math.max(this.#head, revision));
  }

  get #position(): LogPosition {
    return this.#applied.position;
  }

  /** Ends following. The last writes are in the local snapshot. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await Promise.all([this.#writes.ended(), this.#follows.ended(), this.#snapshots.ended(), this.#checked]);
    await this.#snapshots.makeLast(this.#position.revision);
    await this.#log.close();
  }

  async #open(): Promise<void> {
    if (this.#isOpen) return;
    await this.#log.open();
    this.#isOpen = true;
  }

  #wait(): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#wake(), pollMs);
    this.#timer.unref();
  }

  /** Follows now. A notice that comes meanwhile is not lost: the log is asked again. */
  #wake(): void {
    this.#isWoken = this.#isFollowing;
    if (this.#isStopped || this.#isFollowing) return;
    this.#isFollowing = true;
    this.#follow()
      .catch(() => undefined)
      .finally(() => {
        this.#isFollowing = false;
        if (this.#isWoken && this.#health.isFollowing) this.#wake();
        else this.#wait();
      });
  }

  /** Applies the log's entries. Rejects with a StorageError, which the state then shows. */
  async #follow(): Promise<void> {
    await this.#follows.run(async () => {
      try {
        await this.#followOnce();
      } catch (error) {
        this.#health.lost(error);
        throw error;
      }
    });
    this.#snapshots.makeIfDue(this.#position.revision, false);
  }

  async #followOnce(): Promise<void> {
    await this.#open();
    // The position is kept: own writes may come meanwhile.
    const before = this.#position;
    const head = await this.#log.head();
    this.#head = head.revision;
    this.#checkHistory(head, before);
    while (this.#position.revision < head.revision) await this.#applyPage();
    if (this.#position.revision === head.revision && this.#position.checksum !== head.checksum)
      throw new StorageError(
        'storage_corrupt',
        `the head of the log does not match entry ${head.revision}`,
        head.revision,
      );
    this.#health.followed(this.#position.revision);
    await this.#note();
  }

  /** Also finds out whether the log takes writes again. */
  async #note(): Promise<void> {
    const fault = this.#health.writeFault;
    if (fault === undefined && performance.now() - this.#notedAt < noteMs) return;
    this.#notedAt = performance.now();
    try {
      const hasRoom = (await this.#log.hasRoomFor?.(fault?.bytes ?? 0)) ?? true;
      await this.#log.noteFollower(this.#id, this.#position.revision, this.#options.release);
      if (hasRoom) this.#health.takesWrites();
      else if (fault === undefined) this.#health.cannotWrite(`${this.#log.name}: the disk is full`);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // Where it cannot be read either, it is away.
      await this.#log.head();
      if (fault === undefined) this.#health.cannotWrite(error.message);
    }
  }

  async #applyPage(): Promise<void> {
    const after = this.#position;
    const stored = await this.#log.entriesAfter(after.revision, page);
    if (stored[0]?.revision !== after.revision + 1) {
      const snapshot = await this.#log.snapshot();
      if (snapshot === undefined || snapshot.revision <= after.revision) {
        const missing = after.revision + 1;
        throw new StorageError('storage_corrupt', `entry ${missing} is missing`, missing);
      }
      await this.#applied.applySnapshot(snapshot);
      return;
    }
    await this.#applied.applyEntries(stored, after);
  }

  /** Applies the newest snapshot that is not damaged. */
  async #restore(): Promise<void> {
    let fault: StorageError | undefined;
    for (let atMost = Number.MAX_SAFE_INTEGER; ; ) {
      const snapshot = await this.#log.snapshot(atMost);
      if (snapshot === undefined) break;
      try {
        await this.#applied.applySnapshot(snapshot);
        return;
      } catch (error) {
        if (!(error instanceof StorageError) || error.code !== 'storage_corrupt') throw error;
        this.#options.logger.error(`${error.message}: the one before it is taken.`);
        fault ??= error;
        atMost = snapshot.revision - 1;
      }
    }
    // Without entries from the beginning nothing can stand for the snapshot.
    const [first] = fault === undefined ? [] : await this.#log.entriesAfter(0, { entries: 1, bytes: 1 });
    if (fault !== undefined && first?.revision !== 1) throw fault;
  }

  async #startLocally(): Promise<boolean> {
    const snapshot = await this.#snapshots.local();
    if (snapshot === undefined) return false;
    await this.#applied.applySnapshot(snapshot);
    this.#options.logger.warn(`Started without ${this.#log.name}, at revision ${snapshot.revision}.`);
    return true;
  }
}
