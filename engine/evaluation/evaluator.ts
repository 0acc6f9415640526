/**
 * Runs plans for an engine: most end at once, some wait for a built-in, and long ones restart in a
 * thread.
 */

import type { Documents, EngineContext, HeldVersion } from '../../runtime/index.js';
import { EvaluationError, EvaluationPool, outOfMemory, resultOf } from '../../runtime/index.js';
import type { Value } from '../../values/index.js';
import { type KnownAnswers, Waiting } from './awaited-answers.js';
import type { Caller, DecideOptions } from './decide-options.js';
import { attemptAll, attemptResult, type EvaluationTarget, type GivenDocuments, type ResultSets } from './evaluate.js';
import { type CallerOptions, evaluateBeside, longEvaluation, timedOut } from './in-threads.js';
import type { LongEvaluations } from './long-evaluations.js';
import { type BudgetedOptions, limitOf, SlowTargets } from './slice-limits.js';

/** The form of an evaluation's results: result sets, or the first value of `result`. */
interface Form<Results> {
  attempt(
    targets: readonly EvaluationTarget[],
    documents: GivenDocuments,
    options: DecideOptions,
    sliceMs?: number,
  ): Results | Waiting<Results>;
  /** The results in this form, from result sets. */
  of(sets: ResultSets): Results;
}

/** The plans of one question, whose limits are those of all together, and its input. */
interface Asked {
  readonly targets: readonly EvaluationTarget[];
  readonly input: Value | undefined;
  /** The documents, where the caller holds them: those of several plans are held. */
  readonly held?: HeldVersion;
}

export class Evaluator {
  /** States of evaluations that end at once. */
  readonly pool: EvaluationPool;
  readonly store: Documents;
  readonly context: EngineContext;
  readonly #long: LongEvaluations | undefined;
  readonly #slow: SlowTargets;
  readonly #sets: Form<ResultSets>;
  readonly #decisions: Form<Value | undefined>;

  /** @param long takes evaluations that take long; without it they stay, and others wait */
  constructor(store: Documents, context: EngineContext, long: LongEvaluations | undefined) {
    this.pool = new EvaluationPool(context);
    this.store = store;
    this.context = context;
    this.#long = long;
    this.#slow = new SlowTargets(long?.sliceMs ?? 0);
    this.#sets = {
      attempt: (targets, documents, options, sliceMs) => attemptAll(targets, documents, context, options, { sliceMs }),
      of: (sets) => sets,
    };
    this.#decisions = {
      attempt: ([target], documents, options, sliceMs) =>
        attemptResult(target!, documents, this.pool, options, sliceMs),
      of: ([results = []]) => resultOf(results),
    };
  }

  /**
   * The result sets of a question's plans. Holds the documents if that takes long, and calls `use`
   * before anything can change them. Most evaluations wait for nothing, and then this method does
   * not wait either.
   */
  all<T>(
    asked: Asked,
    budgeted: BudgetedOptions,
    use: (sets: ResultSets) => T,
    caller: Caller | undefined,
  ): T | Promise<T> {
    return this.#run(this.#sets, asked, budgeted, use, caller);
  }

  /** The value of `result` in the first result of one plan, as `all`. */
  decision<T>(
    asked: Asked,
    budgeted: BudgetedOptions,
    use: (result: Value | undefined) => T,
    caller: Caller | undefined,
  ): T | Promise<T> {
    return this.#run(this.#decisions, asked, budgeted, use, caller);
  }

  #run<Results, T>(
    form: Form<Results>,
    asked: Asked,
    budgeted: BudgetedOptions,
    use: (results: Results) => T,
    caller: Caller | undefined,
  ): T | Promise<T> {
    const { options } = budgeted;
    const { targets, input, held } = asked;
    const long = this.#longFor(options);
    const documents = { input, data: held === undefined ? this.store.root : held.root };
    let outcome: Results | Waiting<Results> | undefined;
    if (long !== undefined) {
      // It is not known which of several takes long: the first stands for all.
      const sliceMs = this.#slow.sliceFor(targets[0]!);
      try {
        outcome = form.attempt(targets, documents, budgeted.within(sliceMs));
      } catch (error) {
        if (!isTooMuch(error)) throw error;
        this.#slow.note(targets[0]!);
        const timeMs = limitOf(options) - sliceMs;
        return this.#beside(long, asked, { timeMs }, cancelledBy(caller, options)).then((sets) => use(form.of(sets)));
      }
    }
    // An evaluation that waits for a built-in waits here; it has not begun to wait yet.
    if (long === undefined || outcome instanceof Waiting)
      outcome = form.attempt(targets, documents, options, long?.sliceMs);
    if (!(outcome instanceof Waiting)) return use(outcome as Results);
    const waiting = outcome;
    const finish = async (kept: HeldVersion) =>
      use(await this.#finished(waiting, form, { targets, input, held: kept }, cancelledBy(caller, options)));
    return held === undefined ? this.holding(finish) : finish(held);
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

  /** Waits for built-ins, and goes on in a thread where a repetition takes long. */
  async #finished<Results>(
    waiting: Waiting<Results>,
    form: Form<Results>,
    asked: Asked,
    options: CallerOptions,
  ): Promise<Results> {
    try {
      return await waiting.finish(options.signal);
    } catch (error) {
      const long = this.#longFor(options);
      if (long === undefined || !isTooMuch(error) || waiting.msLeft === 0) throw error;
      const { msLeft: timeMs, known } = waiting;
      return form.of(await this.#beside(long, asked, { timeMs, known }, options));
    }
  }

  async #beside(
    long: LongEvaluations,
    { targets, input, held }: Asked,
    left: { readonly timeMs: number; readonly known?: KnownAnswers },
    options: CallerOptions,
  ): Promise<ResultSets> {
    const given = { ...left, input, context: this.context };
    if (held !== undefined) return await evaluateBeside(long, targets, { ...given, documents: held }, options);
    // The thread releases the documents once it has read them.
    const documents = this.store.hold();
    return [await long.run(longEvaluation({ ...given, target: targets[0]!, documents }, options))];
  }

  /** Holds the documents as they are. */
  async holding<T>(work: (held: HeldVersion) => T | Promise<T>): Promise<T> {
    const held = this.store.hold();
    try {
      return await work(held);
    } finally {
      held.release();
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
