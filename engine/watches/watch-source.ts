/** A document or a query under watch. Watches that ask the same share it, and its evaluations. */
import type { DataOperation } from '../../runtime/index.js';
import type { ReadTree } from './read-tree.js';

/** A document or a query that is prepared and evaluated again. */
export interface Watched<Asking, T> {
  /**
   * Prepares it for the current policies. Resolves with whether its plans differ from the plans of
   * the last evaluation. Rejects with CompileErrors.
   */
  refresh(): Promise<boolean>;
  /** Rejects with an EvaluationError. */
  evaluate(asking: Asking): Promise<T>;
  /** The reads of the last evaluation. */
  readonly reads: ReadTree;
}

/** An answer, or the error of an evaluation. With `isLast` the watch has ended. */
export type Notification<T> = { readonly answer: T } | { readonly error: unknown; readonly isLast: boolean };

/** A watch, as its source sees it. */
export interface Watcher<Asking, T> {
  /** The options that it evaluates with, and its client. */
  readonly asking: Asking;
  readonly hasEnded: boolean;
  isSame(one: T, other: T): boolean;
  /** Its answer may have changed. */
  wake(): void;
}

interface SourceListeners {
  /** An evaluation begins: until it is over, any change may concern it. */
  evaluating(): void;
  evaluated(reads: ReadTree): void;
  /** It has no watches any more. */
  ended(): void;
}

export class WatchSource<Asking, T> {
  readonly #watched: Watched<Asking, T>;
  readonly #listeners: SourceListeners;
  readonly #watchers = new Set<Watcher<Asking, T>>();
  /** Whether documents that it read have changed. */
  #isTouched = true;
  /** Whether policies have changed. */
  #isStale = true;
  #isEvaluating = false;
  #isUpdating = false;
  #last: Notification<T> | undefined;

  constructor(watched: Watched<Asking, T>, listeners: SourceListeners) {
    this.#watched = watched;
    this.#listeners = listeners;
  }

  /** Adds a watch, whose first answer is of now: time is no document. */
  join(watcher: Watcher<Asking, T>): void {
    this.#watchers.add(watcher);
    this.#isTouched = true;
  }

  leave(watcher: Watcher<Asking, T>): void {
    this.#watchers.delete(watcher);
    if (this.#watchers.size === 0) this.#listeners.ended();
  }

  /** A commit has changed documents. */
  touch(operations: readonly DataOperation[]): void {
    const { root } = this.#watched.reads;
    // The reads of an evaluation that is under way are not complete.
    const isTouched =
      this.#isTouched || this.#isEvaluating || operations.some((operation) => root.isTouchedBy(operation));
    if (!isTouched) return;
    this.#isTouched = true;
    this.#wakeAll();
  }

  /** A commit has changed policies. */
  policiesChanged(): void {
    this.#isStale = true;
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const watcher of this.#watchers) watcher.wake();
  }

  /** Whether `last` is the answer of now. */
  get isCurrent(): boolean {
    return !this.#isStale && !this.#isTouched && !this.#isUpdating;
  }

  get last(): Notification<T> | undefined {
    return this.#last;
  }

  /** Whether an evaluation is under way: its watches are woken when it is over. */
  get isUpdating(): boolean {
    return this.#isUpdating;
  }

  /** Evaluates for one watch; undefined where that one has ended meanwhile. Does not reject. */
  async update(watcher: Watcher<Asking, T>): Promise<Notification<T> | undefined> {
    this.#isUpdating = true;
    try {
      return await this.#evaluate(watcher);
    } catch (error) {
      // All its watches end.
      this.#isTouched = false;
      return (this.#last = { error, isLast: true });
    } finally {
      this.#isUpdating = false;
      // Each in a turn of its own: to write an answer takes time.
      this.#wakeAll();
    }
  }

  async #evaluate(watcher: Watcher<Asking, T>): Promise<Notification<T> | undefined> {
    this.#isStale = false;
    const hasFailed = this.#last !== undefined && 'error' in this.#last && this.#last.isLast;
    if ((await this.#watched.refresh()) || hasFailed) this.#isTouched = true;
    if (!this.#isTouched) return this.#last;
    this.#isTouched = false;
    const next = await this.#answer(watcher);
    if ('error' in next && watcher.hasEnded) {
      // It may have been cancelled for this watch alone.
      this.#isTouched = true;
      return undefined;
    }
    if (!isSameNotification(this.#last, next, watcher)) this.#last = next;
    return this.#last;
  }

  async #answer({ asking }: Watcher<Asking, T>): Promise<Notification<T>> {
    this.#isEvaluating = true;
    this.#listeners.evaluating();
    try {
      return { answer: await this.#watched.evaluate(asking) };
    } catch (error) {
      return { error, isLast: false };
    } finally {
      this.#isEvaluating = false;
      if (this.#watchers.size > 0) this.#listeners.evaluated(this.#watched.reads);
    }
  }
}

export function isSameNotification<T>(
  one: Notification<T> | undefined,
  other: Notification<T>,
  { isSame }: Pick<Watcher<never, T>, 'isSame'>,
): boolean {
  if (one === other) return true;
  if (one === undefined) return false;
  if ('answer' in one) return 'answer' in other && isSame(one.answer, other.answer);
  return 'error' in other && textOf(one.error) === textOf(other.error);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
