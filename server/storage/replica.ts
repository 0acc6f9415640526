/** An engine that follows a log of writes, and appends to it. */

import { randomUUID } from 'node:crypto';
import type { Change, CommitOptions, Engine } from '../../engine/index.js';
import { PolicyError, SerialQueue } from '../../engine/index.js';
import { type Entry, entryOf, type Origin, storedEntry, type Writes } from './entry.js';
import type { LocalSnapshot } from './local-snapshot.js';
import { Overlay } from './overlay.js';
import { type LoggedState, SnapshotMaker } from './snapshot-maker.js';
import { StorageError } from './storage-error.js';
import { checkSnapshot, snapshotOf } from './stored-snapshot.js';
import { beginning, type LogPosition, type StoredEntry, type StoredSnapshot, type WriteLog } from './write-log.js';
import type { MakeChange, Writing, WritingOptions, WritingState, Written } from './writing.js';

interface Logger {
  info(message: string): unknown;
  warn(message: string): unknown;
  error(message: string): unknown;
}

export interface ReplicaOptions {
  readonly engine: Engine;
  readonly log: WriteLog;
  readonly logger: Logger;
  /** Of this process, for those who look at the log. */
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

/** A write that may have to be repeated. */
interface Attempt {
  readonly id: string;
  readonly origin: Origin;
  /** The revision of its entry, once that is applied as one of the log. */
  found: number | undefined;
}

export class Replica implements Writing {
  readonly #options: ReplicaOptions;
  readonly #engine: Engine;
  readonly #log: WriteLog;
  readonly #snapshots: SnapshotMaker;
  readonly #id = randomUUID();
  /** One write after the other: each is validated against the one before. */
  readonly #writes = new SerialQueue();
  readonly #follows = new SerialQueue();
  /** Until the engine has applied it, the position before it counts. */
  #next: LogPosition = beginning;
  #applied: LogPosition = beginning;
  #overlay = new Overlay();
  #attempt: Attempt | undefined;
  #head = 0;
  #isOpen = false;
  #isReachable = false;
  #isStopped = false;
  /** Resolves once the log was checked after the start. */
  #checked: Promise<void> | undefined;
  #problem: string | undefined;
  /** Why the last write was not taken by a log that can be read. */
  #writeFault: { readonly message: string; readonly bytes: number } | undefined;
  /** The damage that a check of the whole log has found. */
  #damage: string | undefined;
  /** The last error that was logged, until the log is followed again. */
  #complaint: string | undefined;
  /** When the engine last had all of the log, as `performance.now()` counts. */
  #currentAt = performance.now();
  #notedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isFollowing = false;
  /** Whether there was another reason to follow meanwhile. */
  #isWoken = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.#engine = options.engine;
    this.#log = options.log;
    this.#snapshots = new SnapshotMaker(options, () => this.#stateOfNow());
  }

  /**
   * Brings the engine, which has the files' policies and documents, to the head of the log. Without
   * the log it starts from its own last snapshot. Rejects with a StorageError.
   */
  async start(): Promise<void> {
    this.#engine.amendBy((change) => this.#amended(change));
    try {
      await this.#open();
      await this.#restore();
      await this.#followOnce();
    } catch (error) {
      if (!isUnavailable(error) || !(await this.#startLocally())) throw error;
      this.#lose(error as StorageError);
    }
    this.#log.follow((revision) => {
      if (revision === undefined || revision > this.#position.revision) this.#wake();
    });
    this.#wait();
    if (this.#log.isChecked === true) this.#checked = this.#check();
  }

  /** Looks at all that is stored, also what a snapshot stands for. */
  async #check(): Promise<void> {
    const { verifyLog } = await import('./log-content.js');
    try {
      await verifyLog(this.#log, checkSnapshot);
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'storage_corrupt' || this.#isStopped) return;
      this.#damage = `the log is damaged: ${error.message}`;
      this.#options.logger.error(`The log of writes is damaged: ${error.message}.`);
    }
  }

  /** The position that the engine has. */
  get #position(): LogPosition {
    if (this.#next.revision === this.#engine.version.revision) this.#applied = this.#next;
    return this.#applied;
  }

  async write(make: MakeChange, { origin = {}, ...options }: WritingOptions = {}): Promise<Written> {
    return await this.#writes.run(() => this.#write(make, { id: randomUUID(), origin, found: undefined }, options));
  }

  async #write(make: MakeChange, attempt: Attempt, options: CommitOptions): Promise<Written> {
    let isRepeated = false;
    for (;;) {
      this.#checkWritable();
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

  /** Applies what others have appended. The entry of a lost answer may be there too. */
  async #seek(attempt: Attempt, isLost: boolean): Promise<void> {
    this.#attempt = attempt;
    try {
      await this.#follow();
    } catch (error) {
      if (!isLost) throw error;
      throw new StorageError(
        'storage_unavailable',
        `${this.#log.name} does not answer: it is not known whether the write was made`,
      );
    } finally {
      this.#attempt = undefined;
    }
  }

  #checkWritable(): void {
    if (this.#problem !== undefined)
      throw new StorageError('storage_unavailable', `writes are refused: ${this.#problem}`);
    if (!this.#isReachable) throw new StorageError('storage_unavailable', `${this.#log.name} cannot be reached`);
  }

  /** Appends the entry of a checked change, at the turn of its commit. */
  async #append({ policies = new Map(), data = [] }: Change, { id, origin }: Attempt): Promise<number> {
    const after = this.#position;
    const hasPolicy = (one: string) => this.#engine.policy(one) !== undefined;
    const writes = this.#overlay.placed({ policies, data }, { hasPolicy, data: this.#engine.store.root });
    const entry = await storedEntry(after, { id, time: new Date().toISOString(), ...origin, ...writes });
    let isAppended: boolean;
    try {
      isAppended = await this.#log.append(after, entry);
    } catch (error) {
      if (isUnavailable(error)) {
        this.#isReachable = false;
        this.#writeFault = { message: error.message, bytes: entry.body.length };
      }
      throw error;
    }
    this.#writeFault = undefined;
    if (!isAppended) throw new HeadMoved();
    this.#reach(entry, writes);
    return entry.revision;
  }

  /** Notes what the engine is about to apply. */
  #reach({ revision, checksum, body }: StoredEntry, writes: Writes): void {
    this.#overlay.mark(writes);
    this.#next = { revision, checksum };
    this.#head = Math.max(this.#head, revision);
    this.#snapshots.noteEntry(body.length);
  }

  async head(): Promise<number> {
    if (!this.#isOpen) throw new StorageError('storage_unavailable', `${this.#log.name} cannot be reached`);
    // Own writes may come meanwhile.
    const before = this.#position;
    const head = await this.#log.head();
    try {
      this.#checkHistory(head, before);
    } catch (error) {
      this.#lose(error);
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
    const isCurrent = this.#isReachable && this.#problem === undefined && revision >= this.#head;
    const lagSeconds = isCurrent ? 0 : (performance.now() - this.#currentAt) / 1000;
    // A log that cannot be read has its own bound.
    const fault = this.#isReachable && this.#writeFault && `writes are not taken: ${this.#writeFault.message}`;
    const problem = this.#problem ?? (fault || this.#damage);
    const isHealthy = problem === undefined && lagSeconds <= this.#options.maxLagSeconds;
    const { name } = this.#log;
    return {
      name,
      revision,
      head: this.#head,
      isReachable: this.#isReachable,
      lagSeconds,
      isHealthy,
      problem,
    };
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
        if (this.#isWoken && this.#isReachable && this.#problem === undefined) this.#wake();
        else this.#wait();
      });
  }

  /** Applies what is in the log. Rejects with a StorageError, which the state then shows. */
  async #follow(): Promise<void> {
    await this.#follows.run(async () => {
      try {
        await this.#followOnce();
      } catch (error) {
        this.#lose(error);
        throw error;
      }
    });
    this.#snapshots.makeIfDue(this.#position.revision, false);
  }

  /** Notes why the log is not followed, once for each reason. */
  #lose(error: unknown): void {
    const { message } = error as Error;
    if (isUnavailable(error)) this.#isReachable = false;
    else this.#problem = message;
    if (this.#complaint !== message) this.#options.logger.error(`The log of writes is not followed: ${message}.`);
    this.#complaint = message;
  }

  async #followOnce(): Promise<void> {
    await this.#open();
    // Of before: own writes may come meanwhile.
    const before = this.#position;
    const head = await this.#log.head();
    this.#head = Math.max(head.revision, this.#position.revision);
    this.#checkHistory(head, before);
    while (this.#position.revision < head.revision) await this.#applyPage();
    if (this.#position.revision === head.revision && this.#position.checksum !== head.checksum)
      throw new StorageError(
        'storage_corrupt',
        `the head of the log does not match entry ${head.revision}`,
        head.revision,
      );
    const wasFollowing = this.#isReachable && this.#complaint === undefined;
    this.#complaint = undefined;
    this.#isReachable = true;
    this.#problem = undefined;
    this.#currentAt = performance.now();
    if (!wasFollowing) this.#options.logger.info(`Following ${this.#log.name} at revision ${this.#position.revision}.`);
    await this.#note();
  }

  /** Also finds out whether the log takes writes again. */
  async #note(): Promise<void> {
    const fault = this.#writeFault;
    if (fault === undefined && performance.now() - this.#notedAt < noteMs) return;
    this.#notedAt = performance.now();
    try {
      const hasRoom = (await this.#log.hasRoomFor?.(fault?.bytes ?? 0)) ?? true;
      await this.#log.noteFollower(this.#id, this.#position.revision, this.#options.release);
      if (hasRoom) this.#writeFault = undefined;
      else if (fault === undefined) this.#cannotWrite(`${this.#log.name}: the disk is full`);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // Where it cannot be read either, it is away.
      await this.#log.head();
      if (fault === undefined) this.#cannotWrite(error.message);
    }
  }

  #cannotWrite(message: string, bytes = 0): void {
    this.#options.logger.error(`The log of writes takes no writes: ${message}.`);
    this.#writeFault = { message, bytes };
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
      await this.#applySnapshot(snapshot);
      return;
    }
    const { entries, fault } = await readEntries(stored, after);
    if (entries.length > 0) await this.#applyEntries(entries);
    if (fault !== undefined) throw fault;
  }

  /** Applies all of them at once; where that fails, one by one up to the one at fault. */
  async #applyEntries(entries: readonly ReadEntry[]): Promise<void> {
    try {
      await this.#applyTogether(entries);
    } catch (error) {
      const [first, ...others] = entries;
      if (first !== undefined && others.length === 0) {
        const { revision } = first.stored;
        throw new StorageError(
          'storage_refused',
          `entry ${revision} cannot be applied here: ${(error as Error).message}`,
          revision,
        );
      }
      for (const entry of entries) await this.#applyEntries([entry]);
    }
  }

  async #applyTogether(given: readonly ReadEntry[]): Promise<void> {
    let entries = given;
    const make = () => {
      // Own writes may have come in between.
      const { revision } = this.#position;
      entries = given.filter(({ stored }) => stored.revision > revision);
      return entries.length === 0 ? undefined : folded(entries.map(({ entry }) => entry));
    };
    const revision = () => {
      for (const { stored, entry } of entries) this.#reach(stored, entry);
      return entries.at(-1)!.stored.revision;
    };
    await this.#engine.commit(make, { ...this.#over, revision });
    const attempt = this.#attempt;
    const own = given.find(({ entry }) => entry.id === attempt?.id);
    if (attempt !== undefined && own !== undefined) attempt.found = own.entry.revision;
  }

  /** How changes of the log are applied: what bundles own is theirs, unless it may be amended. */
  get #over(): CommitOptions {
    return { fills: true, ignoreRoots: true, skipsRoots: !this.#options.amendsBundles };
  }

  /** Applies the newest snapshot that is what was saved. */
  async #restore(): Promise<void> {
    let fault: StorageError | undefined;
    for (let atMost = Number.MAX_SAFE_INTEGER; ; ) {
      const snapshot = await this.#log.snapshot(atMost);
      if (snapshot === undefined) break;
      try {
        await this.#applySnapshot(snapshot);
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

  async #applySnapshot(stored: StoredSnapshot): Promise<void> {
    const writes = await snapshotOf(stored);
    const { revision, checksum } = stored;
    const overlay = new Overlay();
    overlay.mark(writes);
    const make = () => {
      const gone = this.#overlay.goneFrom(overlay);
      return { policies: new Map([...gone.policies, ...writes.policies]), data: [...gone.data, ...writes.data] };
    };
    const reach = () => {
      this.#overlay = overlay;
      this.#next = { revision, checksum };
      this.#head = Math.max(this.#head, revision);
      this.#snapshots.noteSnapshot();
      return revision;
    };
    try {
      await this.#engine.commit(make, { ...this.#over, revision: reach });
    } catch (error) {
      if (error instanceof StorageError) throw error;
      const problem = `the snapshot of revision ${revision} cannot be applied here: ${(error as Error).message}`;
      throw new StorageError('storage_refused', problem, revision);
    }
  }

  async #startLocally(): Promise<boolean> {
    const snapshot = await this.#snapshots.local();
    if (snapshot === undefined) return false;
    await this.#applySnapshot(snapshot);
    this.#options.logger.warn(`Started without ${this.#log.name}, at revision ${snapshot.revision}.`);
    return true;
  }

  /** The change, with the writes of the log over its files and bundles. */
  #amended(change: Change): Change {
    const { policies, data = [], bundles } = change;
    const isAmended = bundles !== undefined && this.#options.amendsBundles;
    const roots = !isAmended
      ? []
      : [...bundles].flatMap(([name, bundle]) => [
          ...(bundle?.manifest.roots ?? []),
          ...(this.#engine.version.bundles.get(name)?.manifest.roots ?? []),
        ]);
    const paths = [...data.map(({ path }) => path), ...roots.map((root) => (root === '' ? [] : root.split('/')))];
    const has = (id: string) => isAmended || policies?.has(id) === true;
    const own = this.#overlay.meeting(paths, has, this.#state);
    if (own.policies.size === 0 && own.data.length === 0) return change;
    return { ...change, policies: new Map([...(policies ?? []), ...own.policies]), data: [...data, ...own.data] };
  }

  /** The policies that no bundle has, and the documents. */
  get #state() {
    const textOf = (id: string) => {
      const record = this.#engine.policy(id);
      return record?.bundle === undefined ? record?.raw : undefined;
    };
    return { textOf, data: this.#engine.store.root };
  }

  /** The log's part of the state of now, between two commits. */
  async #stateOfNow(): Promise<LoggedState> {
    return await new Promise((resolve, reject) => {
      this.#engine
        .commit(() => {
          const position = this.#position;
          const writes = this.#overlay.writes(this.#state);
          this.#snapshots.noteSnapshot();
          resolve({ position, held: this.#engine.store.hold(), writes });
          return undefined;
        })
        .catch(reject);
    });
  }
}

interface ReadEntry {
  readonly stored: StoredEntry;
  readonly entry: Entry;
}

/** The entries up to the first that is not what was written. */
async function readEntries(
  stored: readonly StoredEntry[],
  after: LogPosition,
): Promise<{ readonly entries: readonly ReadEntry[]; readonly fault: unknown }> {
  const entries: ReadEntry[] = [];
  let before = after;
  for (const one of stored) {
    try {
      entries.push({ stored: one, entry: await entryOf(one, before) });
    } catch (fault) {
      return { entries, fault };
    }
    before = one;
  }
  return { entries, fault: undefined };
}

/** Several entries as one change. */
function folded(entries: readonly Entry[]): Change {
  const policies = new Map<string, string | undefined>();
  for (const entry of entries) for (const [id, text] of entry.policies) policies.set(id, text);
  return { policies, data: entries.flatMap(({ data }) => data) };
}

function isUnavailable(error: unknown): error is StorageError {
  return error instanceof StorageError && error.code === 'storage_unavailable';
}
