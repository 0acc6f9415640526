/** Base documents in memory. */

import type { PlainObject, Value } from '../../values/index.js';
import type { Staged } from './draft.js';
import { DraftWriter } from './draft-writer.js';
import { Owners } from './ownership.js';
import { type Path, readPath } from './path.js';
import type { Commit, CommitListener, DataOperation, HeldVersion, Store, Transaction } from './store.js';
import { StoreError } from './store-errors.js';
import { StagedTransaction } from './transaction.js';

interface MemoryStoreOptions {
  /** Whether the initial documents are transferred to the store, see `DataOperation`. */
  readonly transferred?: boolean;
}

/**
 * Stores documents as JSON values, without conversion. A commit copies the objects and arrays on
 * the path of a change and shares the rest. If no version is held, it writes in place into the
 * objects that the store owns: transferred ones, and its own copies. So the results of `root` and
 * `read` are valid until the next commit, and a small change of a large object needs no copy of it.
 */
export class MemoryStore implements Store {
  #root: PlainObject;
  #version = 0;
  #holders = 0;
  #isOpen = false;
  #waiting: (() => void)[] = [];
  readonly #listeners = new Set<CommitListener>();
  readonly #owners = new Owners();

  /** @param root not changed unless it is transferred; the caller must not change it any more */
  constructor(root: PlainObject = {}, options: MemoryStoreOptions = {}) {
    this.#root = root;
    this.#owners.recordValue(root, options.transferred === true);
  }

  get root(): PlainObject {
    return this.#root;
  }

  get version(): number {
    return this.#version;
  }

  read(path: Path): Value {
    return readPath(this.#root, path);
  }

  occupied(path: Path): boolean {
    return new StagedTransaction(this.#root, () => undefined).occupied(path);
  }

  hold(): HeldVersion {
    this.#holders++;
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      if (--this.#holders > 0) return;
      for (const resolve of this.#waiting.splice(0)) resolve();
    };
    return { root: this.#root, version: this.#version, release };
  }

  whenFree(timeoutMs: number): Promise<boolean> {
    if (this.#holders === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== free);
        resolve(false);
      }, timeoutMs);
      const free = () => {
        clearTimeout(timer);
        resolve(true);
      };
      this.#waiting.push(free);
    });
  }

  begin(): Transaction {
    if (this.#isOpen) throw new StoreError('storage_invalid_txn_error', 'another transaction is open');
    this.#isOpen = true;
    return new StagedTransaction(this.#root, (root, operations) => {
      this.#isOpen = false;
      return root === undefined ? undefined : this.#commit(root, operations);
    });
  }

  apply(operations: readonly DataOperation[]): Commit {
    const transaction = this.begin();
    try {
      for (const operation of operations) transaction.write(operation);
      return transaction.commit();
    } finally {
      transaction.abort();
    }
  }

  onCommit(listener: CommitListener): () => void {
    // A new function each time, so that a listener added twice is called twice.
    const entry: CommitListener = (commit) => listener(commit);
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  #commit(staged: Staged, operations: readonly DataOperation[]): Commit {
    const writer = new DraftWriter(this.#owners, this.#holders === 0);
    for (const operation of operations) {
      if (operation.op !== 'remove') this.#owners.recordValue(operation.value, operation.transferred === true);
    }
    try {
      this.#root = writer.documentOf(staged) as PlainObject;
    } catch (error) {
      writer.rollBack();
      if (error instanceof RangeError) throw new StoreError('storage_internal_error', error.message);
      throw error;
    }
    const commit = { version: ++this.#version, operations, changedInPlace: writer.changedInPlace };
    for (const listener of [...this.#listeners]) listener(commit);
    return commit;
  }
}
