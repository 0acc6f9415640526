/** Evaluations of watches in turn: decisions are made in between. */
import { nextTurn } from '../../runtime/values/steps.js';

/** An answer that is written to a socket takes about 0.1 ms. */
const perTurn = 8;

export class Turns {
  #queue: (() => void)[] = [];
  #isTaking = false;

  /** Calls `work` in its turn. */
  take<T>(work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#queue.push(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error as Error);
        }
      });
      if (!this.#isTaking) void this.#takeAll();
    });
  }

  async #takeAll(): Promise<void> {
    this.#isTaking = true;
    while (this.#queue.length > 0) {
      for (const next of this.#queue.splice(0, perTurn)) next();
      await nextTurn();
    }
    this.#isTaking = false;
  }
}
