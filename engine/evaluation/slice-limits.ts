/** How long an evaluation may take here before it is evaluated elsewhere. */
import type { DecideOptions } from './decide-options.js';
import type { EvaluationTarget } from './evaluate.js';

/**
 * Milliseconds for a plan that took long lately: it and others like it would keep everyone waiting
 * again and again.
 */
const shortSliceMs = 4;

/** Milliseconds for which a slow plan is remembered. */
const rememberedMs = 60_000;

/** How much of the heap an evaluation may fill here; a thread has a heap of its own. */
const heapShare = 1 / 8;

/** Plans that took long lately get a shorter slice. */
export class SlowTargets {
  readonly #sliceMs: number;
  /** Until when plans count as slow. */
  readonly #until = new WeakMap<EvaluationTarget, number>();

  constructor(sliceMs: number) {
    this.#sliceMs = sliceMs;
  }

  sliceFor(target: EvaluationTarget): number {
    const until = this.#until.get(target);
    return until === undefined || until < performance.now() ? this.#sliceMs : Math.min(shortSliceMs, this.#sliceMs);
  }

  note(target: EvaluationTarget): void {
    this.#until.set(target, performance.now() + rememberedMs);
  }
}

/** The options of a decision, and the same with a slice for their time limit, made once. */
export class BudgetedOptions {
  readonly options: DecideOptions;
  #sliced: DecideOptions | undefined;

  constructor(options: DecideOptions) {
    this.options = options;
  }

  within(sliceMs: number): DecideOptions {
    if (this.#sliced?.timeMs !== sliceMs) this.#sliced = { ...this.options, timeMs: sliceMs, heapShare };
    return this.#sliced;
  }
}

export function limitOf({ timeMs }: DecideOptions): number {
  return timeMs || Infinity;
}
