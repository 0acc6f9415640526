/** The time in which a request is answered, from its first byte on; while its body comes in, it does not pass. */
import type { Steps } from '../../runtime/values/steps.js';
import { ApiError } from './api-error.js';

/** What is a little late has all its time: looking closer costs more than it saves. */
const graceMs = 20;

export class Deadline {
  readonly #limitMs: number;
  #began = performance.now();

  /** @param limitMs 0 is no limit */
  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Milliseconds that are left, at least one; 0 where there is no limit. */
  get leftMs(): number {
    const spent = performance.now() - this.#began;
    return this.#limitMs === 0 || spent < graceMs ? this.#limitMs : Math.max(1, this.#limitMs - spent);
  }

  /** A reading of `performance.now()`. */
  get until(): number {
    return this.#limitMs === 0 ? Number.POSITIVE_INFINITY : this.#began + this.#limitMs;
  }

  /** Waits for the client, whose time has a limit of its own. */
  async whileReceiving(received: Promise<void>): Promise<void> {
    const began = performance.now();
    try {
      await received;
    } finally {
      this.#began += performance.now() - began;
    }
  }

  /** Steps that end with an ApiError once the time is over. */
  *during<Result>(steps: Steps<Result>, timedOut: string): Steps<Result> {
    const { until } = this;
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (performance.now() > until) throw new ApiError(503, 'unavailable', timedOut);
      yield;
    }
  }
}
