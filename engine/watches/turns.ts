/** Watches get their answers in turn: decisions are made in between. */
import { endSlice, nextTurn } from '../../values/index.js';

export interface Turn {
  /** Must not throw. */
  take(): void;
}

/** An answer that is written to a socket takes about 0.05 ms. */
const perTurn = 8;

export class WatchTurns {
  #queue: Turn[] = [];
  #isTaking = false;

  add(turn: Turn): void {
    this.#queue.push(turn);
    if (!this.#isTaking) void this.#takeAll();
  }

  async #takeAll(): Promise<void> {
    this.#isTaking = true;
    while (this.#queue.length > 0) {
      for (const turn of this.#queue.splice(0, perTurn)) turn.take();
      await nextTurn();
      endSlice();
    }
    this.#isTaking = false;
  }
}
