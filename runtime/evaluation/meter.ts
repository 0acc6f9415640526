import { fullHeap, HaltError, heapLimit, heapUsed, msPerUnit } from '../../values/index.js';
import { outOfMemory, preemptedCode } from './evaluation-errors.js';
import { type Limits, noOptions } from './evaluation-options.js';

export const defaultCallDepth = 10_000;

/** Units of work between two checks of the clock: a tenth of a millisecond. */
const slice = 10_000;

/** Slices between two checks of the heap: about a millisecond. */
const slicesPerHeapCheck = 8;

/** An array is copied at an element a unit. */
const bytesPerUnit = 8;

/**
 * Counts an evaluation's work down. The VM's loop decrements `left` itself and calls `refill` when
 * it is used up, so that a check of the clock costs a subtraction and a comparison a loop round.
 */
export class Meter {
  left = 0;
  #granted = 0;
  #spent = 0;
  #timeMs = 0;
  /** Undefined until the clock is first read: most evaluations end within one slice. */
  #deadline: number | undefined;
  #instructions = Infinity;
  #signal: AbortSignal | undefined;
  #heapShare: number | undefined;
  #slices = 0;
  #heapMax = 0;
  #isPreempted: (() => boolean) | undefined;
  /** The units after which a trial ends. */
  #trialEnd = Infinity;
  #hasTrialEnded = false;

  constructor(limits: Limits) {
    this.begin(limits);
  }

  /** Counts for another evaluation from now on. */
  begin({ timeMs, instructions, signal, heapShare, isPreempted }: Limits): void {
    this.#timeMs = timeMs || Infinity;
    this.#deadline = undefined;
    this.#instructions = instructions ?? Infinity;
    this.#signal = signal;
    this.#heapShare = heapShare;
    this.#isPreempted = isPreempted;
    this.#spent = 0;
    this.#slices = 0;
    this.#heapMax = 0;
    this.#grant();
  }

  /** Counts for another evaluation that has no limits, after one that had none. */
  again(): void {
    if (this.#slices === 0) this.left = this.#granted;
    else this.begin(noOptions);
  }

  /** Units of work so far. */
  get spent(): number {
    return this.#spent + this.#granted - this.left;
  }

  /**
   * Runs a trial, which ends with an error that says `isPreempted` once it has done so many units
   * of work. Then its work does not count.
   * @returns the result; undefined where the trial ended so
   */
  trial<Result>(units: number, run: () => Result): Result | undefined {
    const before = this.spent;
    this.#trialEnd = before + units;
    this.#hasTrialEnded = false;
    try {
      return run();
    } catch (error) {
      if (!this.#hasTrialEnded) throw error;
      this.#spent = before;
      this.#grant();
      return undefined;
    } finally {
      this.#trialEnd = Infinity;
    }
  }

  /** Milliseconds that are left; Infinity where there is no limit. */
  get msLeft(): number {
    return this.#timeMs === Infinity ? Infinity : Math.max(0, this.#until() - performance.now());
  }

  #until(): number {
    return (this.#deadline ??= performance.now() + this.#timeMs);
  }

  #grant(): void {
    this.#granted = Math.min(slice, this.#instructions - this.#spent);
    this.left = this.#granted;
  }

  /**
   * Throws a HaltError where the evaluation is out of time or instructions, or cancelled; else
   * grants another slice.
   * @param ahead further units that are about to be done, for which there must be time
   */
  refill(ahead = 0): void {
    this.#spent += this.#granted - this.left + ahead;
    if (this.#spent > this.#instructions) throw new HaltError('eval_cancel_error', 'instruction limit reached');
    if (this.#signal?.aborted) throw new HaltError('eval_cancel_error', 'caller cancelled query execution');
    if (this.#isPreempted?.()) throw new HaltError(preemptedCode, 'others take their turn');
    if (this.#spent > this.#trialEnd) {
      this.#hasTrialEnded = true;
      throw new HaltError(preemptedCode, 'the trial has ended');
    }
    if (this.#timeMs !== Infinity && this.#until() < performance.now() + ahead * msPerUnit)
      throw new HaltError('eval_cancel_error', 'query execution timed out');
    if (++this.#slices % slicesPerHeapCheck === 0 || ahead > slice) this.#checkHeap(ahead);
    this.#grant();
  }

  /** The first call notes how much is in use. The work ahead may make one large value. */
  #checkHeap(ahead: number): void {
    const used = heapUsed();
    if (this.#heapMax === 0) {
      const limit = heapLimit();
      this.#heapMax = Math.min(
        limit * fullHeap,
        this.#heapShare === undefined ? Infinity : used + limit * this.#heapShare,
      );
    }
    if (used + Math.min(ahead * bytesPerUnit, heapLimit() / 8) > this.#heapMax)
      throw new HaltError('eval_cancel_error', outOfMemory);
  }

  /** Counts work outside of the VM's loop. Called before the work, which nothing can end midway. */
  tick(units: number): void {
    // `left` stays a small integer: otherwise each instruction would count in floating point.
    if (units <= this.left) this.left -= units;
    else this.refill(units);
  }
}
