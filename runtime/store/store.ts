/** What keeps base documents. */
import type { PlainObject, Value } from '../values/value.js';
import type { Path } from './path.js';

/**
 * A change of one place. `add` sets a key of an object, inserts before an array's position, and appends at `-` or at the array's length; the parent must exist.
 * `replace` and `remove` want the place itself to exist. `write` is what the Data API's PUT does: `add`, after making the objects
 * that contain the place.
 */
export type DataOperation =
  | {
      readonly op: 'add' | 'replace' | 'write';
      readonly path: Path;
      readonly value: Value;
      /**
       * Nobody else has the value or part of it, from now on, and no part is in it twice: later commits may write into it. What is not handed over stays
       * as it is: the first write into an object of it copies that object, which takes a second for a million keys.
       */
      readonly transferred?: boolean;
    }
  | { readonly op: 'remove'; readonly path: Path };

/** One version of all documents, which stays as it is until it is released. */
export interface HeldVersion {
  /** The object `data`, for the VM. */
  readonly root: PlainObject;
  readonly version: number;
  /** Gives the version up; without effect the second time. */
  release(): void;
}

/** Called when a commit's changes are visible, in the order of commits. It must not write. */
export type CommitListener = (commit: Commit) => void;

/** What a commit did. */
export interface Commit {
  /** The number of the version that it made. */
  readonly version: number;
  /** The operations in their order. */
  readonly operations: readonly DataOperation[];
  /**
   * Objects that were written in place, which only happens to those that were handed over or that the store made: they are the same objects as before,
   * with other content. Whatever was remembered of such an object's content must go. The order of their keys (`sortedKeys`) the store forgets itself;
   * indexes of arrays (`ArrayIndexes`) are never affected, for an array with a change anywhere below it is always copied.
   */
  readonly changedInPlace: readonly PlainObject[];
}

/**
 * Changes that become visible together or not at all. Nobody but the transaction sees them before the commit, so it may stay open while
 * others read, for as long as it takes to compile what depends on them. A write that fails leaves the transaction as it was.
 */
export interface Transaction {
  /** What stands at a path with the changes so far; copies what was changed. Throws a StoreError where there is nothing. */
  read(path: Path): Value;
  /** Whether something stands at a path, or an array or a scalar above it: whether a rule there would be in a document's way. */
  occupied(path: Path): boolean;
  /** Throws a StoreError. Nobody may change the value from now on; the store does where it is handed over. */
  write(operation: DataOperation): void;
  /** Makes the changes visible at once. Throws a StoreError, and then nothing has changed. */
  commit(): Commit;
  /** Forgets the changes; without effect after a commit. */
  abort(): void;
}

export interface Store {
  /** The object `data` as it is now: good until the next commit, which may write into it. Whoever waits in between holds a version. */
  readonly root: PlainObject;
  /** Counts commits. */
  readonly version: number;
  /** What stands at a path; good until the next commit. Throws a StoreError where there is nothing. */
  read(path: Path): Value;
  /** Whether something stands at a path, or an array or a scalar above it. */
  occupied(path: Path): boolean;
  /** Holds the current version. While any is held, commits copy what they change, as if nothing had been handed over. */
  hold(): HeldVersion;
  /** Resolves with true when no version is held, with false after `timeoutMs`: what a commit into large objects may wait for. */
  whenFree(timeoutMs: number): Promise<boolean>;
  /** Begins the one transaction that may be open. Throws a StoreError where another is. */
  begin(): Transaction;
  /** All operations in a transaction of their own. Throws a StoreError, and then nothing has changed. */
  apply(operations: readonly DataOperation[]): Commit;
  /** Has a listener told of commits, until the function that comes back is called. */
  onCommit(listener: CommitListener): () => void;
}
