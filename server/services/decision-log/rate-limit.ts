/** Allows a number of events in a second, and as many at once. */
export class RateLimit {
  readonly #perSecond: number;
  readonly #most: number;
  #left: number;
  #before: number;

  /** @param now milliseconds, as `performance.now()` counts */
  constructor(perSecond: number, now = performance.now()) {
    this.#before = now;
    this.#perSecond = perSecond;
    this.#most = Math.max(1, perSecond);
    this.#left = this.#most;
  }

  allows(now = performance.now()): boolean {
    this.#left = Math.min(this.#most, this.#left + ((now - this.#before) / 1000) * this.#perSecond);
    this.#before = now;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
