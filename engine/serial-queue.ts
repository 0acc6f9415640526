/** Runs tasks one after the other, also after a task that has failed. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(task);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Resolves when the tasks that were added so far have ended. */
  async ended(): Promise<void> {
    await this.#last;
  }
}
