/** Who is told of commits. */
import type { Commit, CommitListener } from './store.js';

export class Triggers {
  readonly #listeners = new Set<CommitListener>();
  readonly #onError: (error: unknown) => void;

  /** @param onError is told of listeners that throw; a commit has happened whatever they do */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** The function that comes back takes the listener off. */
  add(listener: CommitListener): () => void {
    // A function of its own, so that one listener added twice is two.
    const entry: CommitListener = (commit) => listener(commit);
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  fire(commit: Commit): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(commit);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
