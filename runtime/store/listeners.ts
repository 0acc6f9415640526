/** Listeners for commits. */
import type { Commit, CommitListener } from './store.js';

export class CommitListeners {
  readonly #listeners = new Set<CommitListener>();
  readonly #onError: (error: unknown) => void;

  /** @param onError called with errors of listeners, which do not affect the commit */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Adds a listener, and returns a function that removes it. */
  add(listener: CommitListener): () => void {
    // A new function each time, so that a listener added twice is called twice.
    const entry: CommitListener = (commit) => listener(commit);
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  notify(commit: Commit): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(commit);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
