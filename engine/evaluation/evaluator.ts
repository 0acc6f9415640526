/**
 * Runs plans for an engine: most end at once, some wait for a built-in, and long ones restart in a
 * thread.
 */

import type { Documents, EngineContext, HeldVersion } from '../../runtime/index.js';
import { EvaluationError, EvaluationPool, outOfMemory, resultOf } from '../../runtime/index.js';
import type { Value } from '../../values/index.js';
import { Waiting } from './awaited-answers.js';
import type { Caller, DecideOptions } from './decide-options.js';
import {
  attemptAll,
  attemptPlan,
  attemptResult,
  type EvaluationTarget,
  type GivenDocuments,
  type ResultSets,
} from './evaluate.js';
import { type CallerOptions, evaluateBeside, lent, longEvaluation, timedOut } from './in-threads.js';
import type { LongEvaluations } from './long-evaluations.js';
import { type BudgetedOptions, limitOf, SlowTargets } from './slice-limits.js';

/** The form of an evaluation's results: a result set, or the first value of `result`. */
interface Form<Results> {
  attempt(
    target: EvaluationTarget,
    documents: GivenDocuments,
    options: DecideOptions,
    sliceMs?: number,
  ): Results | Waiting<Results>;
  /** The results in this form, from a result set. */
  of(results: readonly Value[]): Results;
}

interface Asked {
  readonly target: EvaluationTarget;
  readonly input: Value | undefined;
}

export class Evaluator {
  /** States of evaluations that end at once. */
  readonly pool: EvaluationPool;
  readonly store: Documents;
  readonly context: EngineContext;
  readonly #long: LongEvaluations | undefined;
  readonly #slow: SlowTargets;
  readonly #sets: Form<readonly Value[]>;
  readonly #decisions: Form<Value | undefined>;

  /** @param long takes evaluations that take long; without it they stay, and others wait */
  constructor(store: Documents, context: EngineContext, long: LongEvaluations | undefined) {
    this.pool = new EvaluationPool(context);
    this.store = store;
    this.context = context;
    this.#long = long;
    this.#slow = new SlowTargets(long?.sliceMs ?? 0);
    this.#sets = {
      attempt: (target, documents, options, sliceMs) => attemptPlan(target, documents, context, options, { sliceMs }),
      of: (results) => results,
    };
    this.#decisions = {
      attempt: (target, documents, options, sliceMs) => attemptResult(target, documents, this.pool, options, sliceMs),
      of: resultOf,
    };
  }

  /**
   * Evaluates, and holds the documents if that takes long. Calls `use` before anything can change
   * them. Most evaluations wait for nothing, and then this method does not wait either.
   */
  one<T>(
    target: EvaluationTarget,
    input: Value | undefined,
    budgeted: BudgetedOptions,
    use: (results: readonly Value[]) => T,
    caller: Caller | undefined,
  ): T | Promise<T> {
    return this.#run(this.#sets, { target, input }, budgeted, use, caller);
  }

  /** Evaluates as `one`, for the value of `result` in the plan's first result. */
  decision<T>(
    target: EvaluationTarget,
    input: Value | undefined,
    budgeted: BudgetedOptions,
    use: (result: Value | undefined) => T,
    caller: Caller | undefined,
  ): T | Promise<T> {
    return this.#run(this.#decisions, { target, input }, budgeted, use, caller);
  }

  #run<Results, T>(
    form: Form<Results>,
    asked: Asked,
    budgeted: BudgetedOptions,
    use: (results: Results) => T,
    caller: Caller | undefined,
  ): T | Promise<T> {
    const { options } = budgeted;
    const long = this.#longFor(options);
    if (long === undefined) return this.#runHere(form, asked, options, use, caller);
    const { target, input } = asked;
    const sliceMs = this.#slow.sliceFor(target);
    let outcome: Results | Waiting<Results>;
    try {
      outcome = form.attempt(target, { input, data: this.store.root }, budgeted.within(sliceMs));
    } catch (error) {
      if (!isTooMuch(error)) throw error;
      this.#slow.note(target);
      const timeMs = limitOf(options) - sliceMs;
      const moved = { target, input, context: this.context, documents: this.store.hold(), timeMs };
      return long.run(longEvaluation(moved, cancelledBy(caller, options))).then((results) => use(form.of(results)));
    }
    // An evaluation that waits for a built-in waits here; it has not begun to wait yet.
    return outcome instanceof Waiting ? this.#runHere(form, asked, options, use, caller) : use(outcome);
  }

  /**
   * Where an evaluation goes if it takes long; undefined if it must stay. Only this thread counts
   * instructions.
   */
  #longFor(options: DecideOptions): LongEvaluations | undefined {
    const long = this.#long;
    return long === undefined || options.instructions !== undefined || limitOf(options) <= long.sliceMs
      ? undefined
      : long;
  }

  #runHere<Results, T>(
    form: Form<Results>,
    { target, input }: Asked,
    options: DecideOptions,
    use: (results: Results) => T,
    caller: Caller | undefined,
  ): T | Promise<T> {
    const long = this.#longFor(options);
    const outcome = form.attempt(target, { input, data: this.store.root }, options, long?.sliceMs);
    if (!(outcome instanceof Waiting)) return use(outcome);
    return this.holding(async (held) => {
      let results: Results;
      try {
        results = await outcome.finish(caller?.signal);
      } catch (error) {
        if (long === undefined || !isTooMuch(error) || outcome.msLeft === 0) throw error;
        const { msLeft: timeMs, known } = outcome;
        const moved = { target, input, context: this.context, documents: lent(held), timeMs, known };
        results = form.of(await long.run(longEvaluation(moved, cancelledBy(caller, options))));
      }
      return use(results);
    });
  }

  /** Holds the documents as they are. */
  async holding<T>(work: (held: HeldVersion) => Promise<T>): Promise<T> {
    const held = this.store.hold();
    try {
      return await work(held);
    } finally {
      held.release();
    }
  }

  /** The plans of one question. Their limits are those of all together. */
  async all(
    targets: readonly EvaluationTarget[],
    input: Value | undefined,
    budgeted: BudgetedOptions,
    held: HeldVersion,
    caller: Caller | undefined,
  ): Promise<ResultSets> {
    const { root } = held;
    const { options } = budgeted;
    const long = this.#longFor(options);
    const asked = { input, context: this.context, documents: held };
    if (long !== undefined) {
      // It is not known which of them took long: the first stands for all.
      const sliceMs = this.#slow.sliceFor(targets[0]!);
      try {
        const outcome = attemptAll(targets, { input, data: root }, this.context, budgeted.within(sliceMs));
        if (!(outcome instanceof Waiting)) return outcome;
      } catch (error) {
        if (!isTooMuch(error)) throw error;
        this.#slow.note(targets[0]!);
        return await evaluateBeside(
          long,
          targets,
          { ...asked, timeMs: limitOf(options) - sliceMs },
          cancelledBy(caller, options),
        );
      }
    }
    // An evaluation that waits for a built-in waits here; it has not begun to wait yet.
    const outcome = attemptAll(targets, { input, data: root }, this.context, options, long?.sliceMs);
    if (!(outcome instanceof Waiting)) return outcome;
    try {
      return await outcome.finish(caller?.signal);
    } catch (error) {
      if (long === undefined || !isTooMuch(error) || outcome.msLeft === 0) throw error;
      const { msLeft: timeMs, known } = outcome;
      return await evaluateBeside(long, targets, { ...asked, timeMs, known }, cancelledBy(caller, options));
    }
  }
}

/** For evaluations that take long only: a signal costs more than most of the others. */
function cancelledBy(caller: Caller | undefined, options: DecideOptions): CallerOptions {
  if (caller === undefined) return options;
  return { ...options, signal: caller.signal, caller };
}

function isTooMuch(error: unknown): boolean {
  return error instanceof EvaluationError && (error.detail === timedOut || error.detail === outOfMemory);
}
