/** A decision that is made again when something that it reads has changed. */
import type { DataOperation } from '../../runtime/store/store.js';
import type { ReadTree } from './read-tree.js';
import type { Turns } from './turns.js';

/** A document or a query with a watch. */
export interface Watched<T> {
  /**
   * Prepares it for the policies of now; whether its plans are others than those that were
   * evaluated last. Rejects with CompileErrors.
   */
  refresh(): Promise<boolean>;
  /** Rejects with an EvaluationError. */
  evaluate(): Promise<T>;
  /** It has the reads of the last evaluation. */
  readonly engine: { readonly reads: ReadTree };
  readonly answering: { readonly isSame: (one: T, other: T) => boolean };
}

/** An answer, or the error of an evaluation. With `isLast` the watch has ended. */
type Notification<T> = { readonly answer: T } | { readonly error: unknown; readonly isLast: boolean };

interface WatchListeners {
  /** An evaluation begins: until it is over, any change may concern it. */
  evaluating(): void;
  evaluated(reads: ReadTree): void;
  /** Called once. */
  ended(): void;
}

export class Watch<T> {
  readonly #watched: Watched<T>;
  readonly #turns: Turns;
  readonly #listeners: WatchListeners;
  /** Whether documents that it read have changed. */
  #isTouched = true;
  /** Whether policies have changed. */
  #isStale = true;
  #isEvaluating = false;
  #hasEnded = false;
  #last: { readonly answer: T } | { readonly error: string } | undefined;
  #wake: (() => void) | undefined;

  constructor(watched: Watched<T>, turns: Turns, listeners: WatchListeners) {
    this.#watched = watched;
    this.#turns = turns;
    this.#listeners = listeners;
  }

  /** A commit has changed documents. */
  touch(operations: readonly DataOperation[]): void {
    if (this.#isTouched) return;
    const { root } = this.#watched.engine.reads;
    // The reads of an evaluation that is under way are not complete.
    if (!this.#isEvaluating && !operations.some((operation) => root.isTouchedBy(operation))) return;
    this.#isTouched = true;
    this.#wake?.();
  }

  /** A commit has changed policies. */
  policiesChanged(): void {
    this.#isStale = true;
    this.#wake?.();
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#listeners.ended();
    this.#wake?.();
  }

  /**
   * The next answer that differs from the one before; undefined once the watch has ended. Only
   * the latest state is answered: changes that come while nobody asks are put together.
   */
  async next(): Promise<Notification<T> | undefined> {
    while (!this.#hasEnded) {
      if (!this.#isStale && !this.#isTouched) {
        await this.#change();
        continue;
      }
      const invalid = await this.#refresh();
      if (invalid !== undefined) return invalid;
      if (!this.#isTouched) continue;
      const found = await this.#turns.take(() => this.#evaluate());
      if (found !== undefined && !this.#hasEnded) return found;
    }
    return undefined;
  }

  /** Resolves at the next change. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }

  async #refresh(): Promise<Notification<T> | undefined> {
    this.#isStale = false;
    try {
      if (await this.#watched.refresh()) this.#isTouched = true;
      return undefined;
    } catch (error) {
      this.end();
      return { error, isLast: true };
    }
  }

  /** Undefined where the answer is that of before. */
  async #evaluate(): Promise<Notification<T> | undefined> {
    if (this.#hasEnded) return undefined;
    this.#isTouched = false;
    this.#isEvaluating = true;
    this.#listeners.evaluating();
    try {
      const answer = await this.#watched.evaluate();
      const last = this.#last;
      this.#last = { answer };
      return last !== undefined && 'answer' in last && this.#watched.answering.isSame(last.answer, answer) ? undefined : { answer };
    } catch (error) {
      const last = this.#last;
      const text = error instanceof Error ? error.message : String(error);
      this.#last = { error: text };
      return last !== undefined && 'error' in last && last.error === text ? undefined : { error, isLast: false };
    } finally {
      this.#isEvaluating = false;
      if (!this.#hasEnded) this.#listeners.evaluated(this.#watched.engine.reads);
    }
  }
}
