/** The interface of stores for base documents. */
import type { PlainObject, Value } from '../../values/index.js';
import type { Path } from './path.js';

/**
 * A change at one path. `add` sets a key of an object, inserts before an array's position, and
 * appends at `-` or at the array's length; the parent must exist. `replace` and `remove` require
 * that the path itself exists. `write` implements the Data API's PUT: `add`, after creating the
 * missing parent objects.
 */
export type DataOperation =
  | {
      readonly op: 'add' | 'replace' | 'write';
      readonly path: Path;
      readonly value: Value;
      /**
       * Transfers the value to the store: there are no other references to the value or to a part
       * of it, and no part occurs in it twice, so later commits may write into it. Other values are
       * not changed: the first write into one of their objects copies that object, which takes a
       * second for a million keys.
       */
      readonly transferred?: boolean;
    }
  | { readonly op: 'remove'; readonly path: Path };

/** One version of all documents, unchanged until it is released. */
export interface HeldVersion {
  /** The object `data`, for the VM. */
  readonly root: PlainObject;
  readonly version: number;
  /** Releases the version; a second call has no effect. */
  release(): void;
}

/**
 * Called when a commit's changes are visible, in the order of commits. The listener must not write
 * or throw.
 */
export type CommitListener = (commit: Commit) => void;

/** The result of a commit. */
export interface Commit {
  /** The number of the new version. */
  readonly version: number;
  /** The operations in order. */
  readonly operations: readonly DataOperation[];
  /**
   * Objects that were written in place; only objects that the store owns are. They keep their
   * identity and have other content, so caches of their content must be dropped. The store itself
   * drops the cached order of their keys (`sortedKeys`), and notes the change for indexes of the
   * objects above (`values/changes.ts`). Indexes of arrays (`ArrayIndexes`) are never affected,
   * because an array with a change anywhere below it is always copied.
   */
  readonly changedInPlace: readonly PlainObject[];
}

/**
 * Changes that become visible together or not at all. They are invisible to others before the
 * commit, so a transaction may stay open while others read, for example during the compilation of
 * policies that depend on it. A failed write leaves the transaction unchanged.
 */
export interface Transaction {
  /**
   * The document at a path including the changes so far, as a copy if it was changed. Throws a
   * StoreError if there is none.
   */
  read(path: Path): Value;
  /**
   * Whether a document exists at a path, or an array or a scalar above it: a rule there would
   * conflict with it.
   */
  occupied(path: Path): boolean;
  /**
   * Throws a StoreError. The caller must not change the value any more; the store may if it is
   * transferred.
   */
  write(operation: DataOperation): void;
  /** Makes all changes visible. Throws a StoreError, and then nothing has changed. */
  commit(): Commit;
  /** Drops the changes; no effect after a commit. */
  abort(): void;
}

/** The documents of now, for evaluations. */
export interface Documents {
  /**
   * The current `data` object, valid until the next commit, which may write into it. Callers that
   * wait in between must hold a version.
   */
  readonly root: PlainObject;
  /**
   * Holds the current version. While any version is held, commits copy the documents that they
   * change.
   */
  hold(): HeldVersion;
}

export interface Store extends Documents {
  /** The number of commits. */
  readonly version: number;
  /** The document at a path, valid until the next commit. Throws a StoreError if there is none. */
  read(path: Path): Value;
  /** Whether a document exists at a path, or an array or a scalar above it. */
  occupied(path: Path): boolean;
  /**
   * Resolves with true when no version is held, with false after `timeoutMs`; a commit into large
   * objects may wait for this.
   */
  whenFree(timeoutMs: number): Promise<boolean>;
  /** Begins a transaction. Throws a StoreError if another one is open. */
  begin(): Transaction;
  /**
   * Applies all operations in one transaction. Throws a StoreError, and then nothing has changed.
   */
  apply(operations: readonly DataOperation[]): Commit;
  /** Adds a listener for commits, and returns a function that removes it. */
  onCommit(listener: CommitListener): () => void;
}
