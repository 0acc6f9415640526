import { HaltError } from '../builtins/errors.js';
import { heapLimit, heapUsed } from '../values/memory.js';
import { msPerUnit } from '../values/work.js';

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
  /** How much the heap may grow meanwhile, as a share of its limit; left out: until it is nearly full. */
  readonly heapShare?: number;
  /** Ends the evaluation when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Whether it is to end with an error of `preemptedCode`, to begin anew later. */
  readonly isPreempted?: () => boolean;
}

/** The code of an evaluation that has given way to others. */
export const preemptedCode = 'eval_preempted_error';

export const defaultCallDepth = 10_000;

/** Units of work between two looks at the clock: a tenth of a millisecond. */
const slice = 10_000;

/** Slices between two looks at the heap: about a millisecond. */
const slicesPerHeapLook = 8;

/** A heap as full as this has room for one more value as large as any may be (see `values/memory.ts`), and no more. */
const fullHeap = 0.85;

/** An array is copied at an element a unit. */
const bytesPerUnit = 8;

/** The message of evaluations that have used up the memory that they may take. */
export const outOfMemory = 'query execution takes too much memory';

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
  readonly #heapShare: number | undefined;
  #slices = 0;
  #heapMax = 0;
  readonly #isPreempted: (() => boolean) | undefined;

  constructor(limits: Limits) {
    this.#deadline = limits.timeMs ? performance.now() + limits.timeMs : Infinity;
    this.#instructions = limits.instructions ?? Infinity;
    this.#signal = limits.signal;
    this.#heapShare = limits.heapShare;
    this.#isPreempted = limits.isPreempted;
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

  /**
   * Throws a HaltError where the evaluation is out of time or instructions, or cancelled; else grants another slice.
   * @param ahead further units that are about to be done, for which there must be time
   */
  refill(ahead = 0): void {
    this.#spent += this.#granted - this.left + ahead;
    if (this.#spent > this.#instructions) throw new HaltError('eval_cancel_error', 'instruction limit reached');
    if (this.#signal?.aborted) throw new HaltError('eval_cancel_error', 'caller cancelled query execution');
    if (this.#isPreempted?.()) throw new HaltError(preemptedCode, 'others take their turn');
    if (this.#deadline !== Infinity && performance.now() + ahead * msPerUnit > this.#deadline)
      throw new HaltError('eval_cancel_error', 'query execution timed out');
    if (++this.#slices % slicesPerHeapLook === 0 || ahead > slice) this.#lookAtHeap(ahead);
    this.#grant();
  }

  /** The first look is for how much was in use then. What is about to be done may make a value at once, of eight bytes a unit. */
  #lookAtHeap(ahead: number): void {
    const used = heapUsed();
    if (this.#heapMax === 0) {
      const limit = heapLimit();
      this.#heapMax = Math.min(limit * fullHeap, this.#heapShare === undefined ? Infinity : used + limit * this.#heapShare);
    }
    if (used + Math.min(ahead * bytesPerUnit, heapLimit() / 8) > this.#heapMax) throw new HaltError('eval_cancel_error', outOfMemory);
  }

  /** Counts work outside of the loop before it is done: nothing may be able to end it before it is. */
  tick(units: number): void {
    // What is counted here stays a small integer, or each instruction would count in floating point.
    if (units <= this.left) this.left -= units;
    else this.refill(units);
  }
}
