/** Base documents in memory. */

import { forgetSortedKeys } from '../values/compare.js';
import type { PlainObject, Value } from '../values/value.js';
import { setOwn } from '../vm/objects.js';
import { copyOf, type Staged, settle } from './draft.js';
import { StoreError } from './errors.js';
import { type Path, readPath } from './path.js';
import type { Commit, DataOperation, HeldVersion, Store, Transaction } from './store.js';
import { StagedTransaction } from './transaction.js';
import { type CommitListener, Triggers } from './triggers.js';

/** Keys from which on an object is written in place: a copy of a large one costs about a microsecond a key. */
const largeFrom = 512;

export interface MemoryStoreOptions {
  /** Told of listeners that throw. */
  readonly onListenerError?: (error: unknown) => void;
}

/** A key of an object as it was. */
interface Undo {
  readonly object: PlainObject;
  readonly key: string;
  readonly value: Value | undefined;
}

/**
 * Documents as their JSON values, used as they are given and never changed. A commit copies the objects and arrays on the way to what it changes and shares
 * the rest. A large object that was copied so is the store's alone, and is written in place from then on, where no version is held: what comes out of
 * `root` and `read` is good until the next commit.
 */
export class MemoryStore implements Store {
  #root: PlainObject;
  #version = 0;
  #holders = 0;
  #isOpen = false;
  #waiting: (() => void)[] = [];
  readonly #triggers: Triggers;
  /** Large objects that the store made, with the number of their keys. Given ones may be elsewhere as well: in a bundle, or twice in one document. */
  readonly #own = new WeakMap<PlainObject, number>();

  /** @param root nobody may change it any more */
  constructor(root: PlainObject = {}, options: MemoryStoreOptions = {}) {
    this.#root = root;
    this.#triggers = new Triggers(options.onListenerError ?? (() => undefined));
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
    return this.#triggers.add(listener);
  }

  #commit(staged: Staged, operations: readonly DataOperation[]): Commit {
    const changedInPlace: PlainObject[] = [];
    const undo: Undo[] = [];
    const change = (base: PlainObject, changes: ReadonlyMap<string, Value | undefined>): PlainObject => {
      const size = this.#holders === 0 ? this.#own.get(base) : undefined;
      if (size === undefined) return this.#copyWith(base, changes);
      changedInPlace.push(base);
      this.#writeInPlace(base, size, changes, undo);
      return base;
    };
    try {
      this.#root = settle(staged, change) as PlainObject;
    } catch (error) {
      this.#takeBack(undo);
      if (error instanceof RangeError) throw new StoreError('storage_internal_error', error.message);
      throw error;
    }
    const commit = { version: ++this.#version, operations, changedInPlace };
    this.#triggers.fire(commit);
    return commit;
  }

  #copyWith(base: PlainObject, changes: ReadonlyMap<string, Value | undefined>): PlainObject {
    const keys = Object.keys(base);
    if (keys.length < largeFrom) return copyOf(base, changes);
    // Key by key: three quarters of the time that spreading an object of this size takes.
    const copy: PlainObject = {};
    for (const key of keys) if (!changes.has(key)) setOwn(copy, key, base[key]!);
    let size = keys.length;
    for (const [key, value] of changes) {
      if (value !== undefined) setOwn(copy, key, value);
      size += Number(value !== undefined) - Number(Object.hasOwn(base, key));
    }
    this.#own.set(copy, size);
    return copy;
  }

  #writeInPlace(object: PlainObject, size: number, changes: ReadonlyMap<string, Value | undefined>, undo: Undo[]): void {
    let after = size;
    let sameKeys = true;
    for (const [key, value] of changes) {
      const before = Object.hasOwn(object, key) ? object[key] : undefined;
      undo.push({ object, key, value: before });
      assign(object, key, value);
      const grown = Number(value !== undefined) - Number(before !== undefined);
      after += grown;
      sameKeys &&= grown === 0;
    }
    // A small one is copied as fast.
    if (after < largeFrom) this.#own.delete(object);
    else this.#own.set(object, after);
    if (!sameKeys) forgetSortedKeys(object);
  }

  #takeBack(undo: readonly Undo[]): void {
    for (const { object, key, value } of undo.toReversed()) {
      assign(object, key, value);
      this.#own.delete(object);
      forgetSortedKeys(object);
    }
  }
}

function assign(object: PlainObject, key: string, value: Value | undefined): void {
  if (value === undefined) delete (object as { [key: string]: Value })[key];
  else setOwn(object, key, value);
}
