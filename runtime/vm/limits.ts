import { HaltError } from '../builtins/errors.js';

/** What one evaluation may spend. Whatever is left out has the default. */
export interface Limits {
  /** Milliseconds; 0 or left out: no limit. */
  readonly timeMs?: number;
  /** Instructions, counted by calls and by rounds of loops; left out: no limit. */
  readonly instructions?: number;
  /** Calls inside calls; 10,000 if left out. */
  readonly callDepth?: number;
  /** Values in an answer, members of collections and all; left out: no limit. */
  readonly resultSize?: number;
  /** Ends the evaluation when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

export const defaultCallDepth = 10_000;

/** So many instructions pass between two looks at the clock: some tens of microseconds. */
const slice = 10_000;

/**
 * Counts an evaluation's work down. The loop decrements `left` itself and calls `refill` when that is used up, so that a look at the clock
 * costs one subtraction and one comparison a loop round.
 */
export class Meter {
  left = 0;
  #granted = 0;
  #spent = 0;
  readonly #deadline: number;
  readonly #instructions: number;
  readonly #signal: AbortSignal | undefined;

  constructor(limits: Limits) {
    this.#deadline = limits.timeMs ? performance.now() + limits.timeMs : Infinity;
    this.#instructions = limits.instructions ?? Infinity;
    this.#signal = limits.signal;
    this.#grant();
  }

  /** Milliseconds that are left; Infinity where there is no limit. */
  get msLeft(): number {
    return Math.max(0, this.#deadline - performance.now());
  }

  #grant(): void {
    this.#granted = Math.min(slice, this.#instructions - this.#spent);
    this.left = this.#granted;
  }

  /** Throws a HaltError where the evaluation is out of time or instructions, or cancelled; else grants another slice. */
  refill(): void {
    this.#spent += this.#granted - this.left;
    if (this.#spent > this.#instructions) throw new HaltError('eval_cancel_error', 'instruction limit reached');
    if (this.#signal?.aborted) throw new HaltError('eval_cancel_error', 'caller cancelled query execution');
    if (this.#deadline !== Infinity && performance.now() > this.#deadline)
      throw new HaltError('eval_cancel_error', 'query execution timed out');
    this.#grant();
  }

  /** Counts work done outside of the loop. */
  tick(units: number): void {
    this.left -= units;
    if (this.left < 0) this.refill();
  }
}
