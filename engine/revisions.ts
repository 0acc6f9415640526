/** Waits for revisions to be applied. */

interface Waiter {
  readonly revision: number;
  readonly reached: () => void;
}

export class Revisions {
  #waiters: Waiter[] = [];

  /** Calls for all that wait for a revision of at most this one. */
  reached(revision: number): void {
    if (this.#waiters.length === 0) return;
    const due = this.#waiters.filter((waiter) => waiter.revision <= revision);
    this.#waiters = this.#waiters.filter((waiter) => waiter.revision > revision);
    for (const waiter of due) waiter.reached();
  }

  /** Resolves with false where the time is over first, or the client gone. */
  wait(revision: number, timeMs: number, signal?: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isReached: boolean) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        resolve(isReached);
      };
      const leave = () => end(false);
      const waiter: Waiter = { revision, reached: () => end(true) };
      const timer = setTimeout(leave, timeMs);
      signal?.addEventListener('abort', leave);
      this.#waiters.push(waiter);
    });
  }
}
