/** The part of an engine's policies and documents that comes from a log of writes. */

import type { Change, CommitOptions, Engine } from '../../engine/index.js';
import { type Entry, entryOf, type Origin, storedEntry, type Writes } from './entry.js';
import { Overlay } from './overlay.js';
import type { LoggedState } from './snapshot-maker.js';
import { StorageError } from './storage-error.js';
import { snapshotOf } from './stored-snapshot.js';
import { beginning, type LogPosition, type StoredEntry, type StoredSnapshot } from './write-log.js';

/** A write that may have to be repeated. */
export interface WriteAttempt {
  readonly id: string;
  readonly origin: Origin;
  /** The revision of its entry, once that is applied as one of the log. */
  found: number | undefined;
}

interface AppliedLogOptions {
  readonly engine: Engine;
  /** Whether writes may change what is within the roots of bundles. */
  readonly amendsBundles: boolean;
}

/** The counts of entries applied since the last snapshot. */
interface SnapshotNotes {
  noteEntry(bytes: number): void;
  noteSnapshot(): void;
}

export class AppliedLog {
  readonly #engine: Engine;
  readonly #amendsBundles: boolean;
  readonly #notes: SnapshotNotes;
  /** Until the engine has applied it, the position before it counts. */
  #next: LogPosition = beginning;
  #position: LogPosition = beginning;
  #overlay = new Overlay();
  /** The write whose entry is looked for among those that are applied. */
  sought: WriteAttempt | undefined;

  constructor({ engine, amendsBundles }: AppliedLogOptions, notes: SnapshotNotes) {
    this.#engine = engine;
    this.#amendsBundles = amendsBundles;
    this.#notes = notes;
  }

  /** The position that the engine has. */
  get position(): LogPosition {
    if (this.#next.revision === this.#engine.version.revision) this.#position = this.#next;
    return this.#position;
  }

  /** The entry of a checked change, at the turn of its commit, and its writes. */
  async entryFor(
    { policies = new Map(), data = [] }: Change,
    { id, origin }: WriteAttempt,
  ): Promise<{ readonly entry: StoredEntry; readonly writes: Writes }> {
    const hasPolicy = (one: string) => this.#engine.policy(one) !== undefined;
    const writes = this.#overlay.placed({ policies, data }, { hasPolicy, data: this.#engine.store.root });
    const entry = await storedEntry(this.position, { id, time: new Date().toISOString(), ...origin, ...writes });
    return { entry, writes };
  }

  /** Notes an entry that the engine is about to apply. */
  reach({ revision, checksum, body }: StoredEntry, writes: Writes): void {
    this.#overlay.mark(writes);
    this.#next = { revision, checksum };
    this.#notes.noteEntry(body.length);
  }

  /** Applies entries up to the first damaged one, and throws its fault. */
  async applyEntries(stored: readonly StoredEntry[], after: LogPosition): Promise<void> {
    const { entries, fault } = await readEntries(stored, after);
    if (entries.length > 0) await this.#apply(entries);
    if (fault !== undefined) throw fault;
  }

  /** Applies all of them at once; where that fails, one by one up to the one at fault. */
  async #apply(entries: readonly ReadEntry[]): Promise<void> {
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
      for (const entry of entries) await this.#apply([entry]);
    }
  }

  async #applyTogether(given: readonly ReadEntry[]): Promise<void> {
    let entries = given;
    const make = () => {
      // Own writes may have come in between.
      const { revision } = this.position;
      entries = given.filter(({ stored }) => stored.revision > revision);
      return entries.length === 0 ? undefined : folded(entries.map(({ entry }) => entry));
    };
    const revision = () => {
      for (const { stored, entry } of entries) this.reach(stored, entry);
      return entries.at(-1)!.stored.revision;
    };
    await this.#engine.commit(make, { ...this.#over, revision });
    const { sought } = this;
    const own = given.find(({ entry }) => entry.id === sought?.id);
    if (sought !== undefined && own !== undefined) sought.found = own.entry.revision;
  }

  /** Options of commits of the log: what bundles own is theirs, unless it may be amended. */
  get #over(): CommitOptions {
    return { fills: true, ignoreRoots: true, skipsRoots: !this.#amendsBundles };
  }

  async applySnapshot(stored: StoredSnapshot): Promise<void> {
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
      this.#notes.noteSnapshot();
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

  /** A change of files or bundles, with the writes of the log over it. */
  amended(change: Change): Change {
    const { policies, data = [], bundles } = change;
    const isAmended = bundles !== undefined && this.#amendsBundles;
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
  async stateOfNow(): Promise<LoggedState> {
    return await new Promise((resolve, reject) => {
      this.#engine
        .commit(() => {
          const { position } = this;
          const writes = this.#overlay.writes(this.#state);
          this.#notes.noteSnapshot();
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

/** The entries up to the first damaged one. */
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
