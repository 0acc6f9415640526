/**
 * The log of writes: each entry has the revision after the one before, given under a lock. Whoever
 * opens the same log sees the same entries.
 */

/** A place in the log: the checksum covers the whole history up to the revision. */
export interface LogPosition {
  readonly revision: number;
  readonly checksum: string;
}

/** Before the first entry. */
export const beginning: LogPosition = { revision: 0, checksum: '' };

/** An entry as it is stored. */
export interface StoredEntry extends LogPosition {
  /** JSON in UTF-8: see `entry.ts`. */
  readonly body: Uint8Array;
}

/** All that was written up to a position, as it is stored. */
export interface StoredSnapshot extends LogPosition {
  /** The checksum of the body. */
  readonly bodyChecksum: string;
  /** Compressed: see `stored-snapshot.ts`. */
  readonly body: Uint8Array;
}

/** How much of a log is kept, for those who size it. */
export interface LogSize {
  readonly entries: number;
  readonly entryBytes: number;
  /** The revision of the first entry that is kept; undefined without entries. */
  readonly firstRevision: number | undefined;
  readonly snapshots: readonly { readonly revision: number; readonly bytes: number }[];
  /** The followers of the log, with the last revision that each has applied. */
  readonly followers: readonly Follower[];
}

interface Follower {
  readonly id: string;
  readonly revision: number;
  /** RFC 3339. */
  readonly seen: string;
  /** The release of its process. */
  readonly release: string;
  /** Whether it was seen lately, so that what it needs is kept. */
  readonly isLive: boolean;
}

/** Pages of entries. */
export interface PageLimits {
  readonly entries: number;
  /** A page has one entry at least. */
  readonly bytes: number;
}

/** Methods reject with a StorageError. */
export interface WriteLog {
  /** The kind of the log and its place, without secrets. */
  readonly name: string;
  /** Whether all of it is checked after a start, since nobody else looks after its bytes. */
  readonly isChecked?: boolean;
  /** Makes or upgrades the tables. Called once, before the others. */
  open(): Promise<void>;
  head(): Promise<LogPosition>;
  /**
   * Appends an entry durably, if the head is still the one before it. False where it is not.
   * Where this rejects, the entry may have been appended.
   */
  append(after: LogPosition, entry: StoredEntry): Promise<boolean>;
  /** Entries after a revision, in order. Those of before the oldest one kept are missing. */
  entriesAfter(revision: number, limits: PageLimits): Promise<readonly StoredEntry[]>;
  /** Calls a listener when there may be new entries, up to a revision if it is known: a hint. */
  follow(listener: (revision?: number) => void): void;
  /** The newest snapshot of at most a revision; undefined without one. */
  snapshot(atMost?: number): Promise<StoredSnapshot | undefined>;
  saveSnapshot(snapshot: StoredSnapshot): Promise<void>;
  /** Makes an empty log go on after a position, of which it has a snapshot. */
  beginAt(position: LogPosition): Promise<void>;
  /** Tells how far a follower is. */
  noteFollower(id: string, revision: number, release: string): Promise<void>;
  /**
   * Deletes entries that a snapshot covers and that no live follower needs, and snapshots but the
   * last two. Returns the number of entries that went.
   */
  compact(): Promise<number>;
  size(): Promise<LogSize>;
  /** Whether an entry of this length would find room. Absent where that is not known. */
  hasRoomFor?(bytes: number): Promise<boolean>;
  close(): Promise<void>;
}
