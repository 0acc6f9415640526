/** A movement that takes long gives others their turn: they may pause it, or end the session. */

import { DebugError } from './session.js';

/** Milliseconds of a movement until others have their turn. */
const sliceMs = 15;

/** Moves between two looks at the clock. */
const movesPerLook = 512;

export class SessionTurns {
  readonly #signal: AbortSignal;
  #moves = 0;
  #sliceEnd = performance.now() + sliceMs;

  /** @param signal of the end of the session */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Counts a move, and answers whether others are to have their turn now. */
  isDue(): boolean {
    return ++this.#moves % movesPerLook === 0 && performance.now() > this.#sliceEnd;
  }

  /** Throws a DebugError if the session has ended meanwhile. */
  async take(): Promise<void> {
    await new Promise<void>((resolve) => {
      setTimeout(resolve, 0);
    });
    if (this.#signal.aborted) throw new DebugError('not_stopped', 'the session has ended');
    this.#sliceEnd = performance.now() + sliceMs;
  }
}
