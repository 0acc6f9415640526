/** The time in which a request must be answered. It does not pass while the body arrives. */
import { checkedSteps, type Steps } from '../../../values/index.js';
import { ApiError } from '../responses/api-error.js';

/** A request that took less than this has all its time left: a limit of its own would cost more. */
const graceMs = 20;

export const bodyTimedOut = 'reading the request body timed out';

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

  /** The end of the time, as `performance.now()` counts. */
  get until(): number {
    return this.#limitMs === 0 ? Number.POSITIVE_INFINITY : this.#began + this.#limitMs;
  }

  /** Waits without time passing: for a client, whose socket has its own limit, or a debugger. */
  async whileWaiting(waiting: Promise<void>): Promise<void> {
    const began = performance.now();
    try {
      await waiting;
    } finally {
      this.#began += performance.now() - began;
    }
  }

  /** Steps that end with an ApiError once the time is over. */
  during<Result>(steps: Steps<Result>, timedOut: string): Steps<Result> {
    const { until } = this;
    return checkedSteps(steps, () => {
      if (performance.now() > until) throw new ApiError(503, 'unavailable', timedOut);
    });
  }
}
