/**
 * Runs plans for an engine: most end at once, some wait for a built-in, and those that take long
 * are evaluated again elsewhere.
 */

import type { EngineContext } from '../../runtime/evaluation/context.js';
import { EvaluationError, outOfMemory } from '../../runtime/evaluation/errors.js';
import type { HeldVersion, Store } from '../../runtime/store/store.js';
import type { Value } from '../../runtime/values/value.js';
import type { Caller, DecideOptions } from './caller.js';
import { attempt, attemptAll, type KnownAnswers, type ResultSets, type Target, Waiting } from './evaluate.js';
import type { LongEvaluation, LongEvaluations } from './long-evaluations.js';
import { type BudgetedOptions, limitOf, SlowTargets } from './slices.js';

/** The meter's error for an evaluation that has used up its time. */
const timedOut = 'query execution timed out';

export class Evaluator {
  readonly #store: Store;
  readonly #context: EngineContext;
  readonly #long: LongEvaluations | undefined;
  readonly #slow: SlowTargets;

  /** @param long takes evaluations that take long; without it they stay, and others wait */
  constructor(store: Store, context: EngineContext, long: LongEvaluations | undefined) {
    this.#store = store;
    this.#context = context;
    this.#long = long;
    this.#slow = new SlowTargets(long?.sliceMs ?? 0);
  }

  /**
   * Evaluates, and holds the documents if that takes long. Calls `use` before anything can change
   * them. Most evaluations wait for nothing, and then this method does not wait either.
   */
  one<T>(
    target: Target,
    input: Value | undefined,
    budgeted: BudgetedOptions,
    use: (results: readonly Value[]) => T,
    caller: Caller | undefined,
  ): T | Promise<T> {
    const { options } = budgeted;
    const long = this.#longFor(options);
    if (long === undefined) return this.#runHere(target, input, options, use, caller);
    const sliceMs = this.#slow.sliceFor(target);
    let outcome: readonly Value[] | Waiting;
    try {
      outcome = attempt(target, input, this.#store.root, this.#context, budgeted.within(sliceMs));
    } catch (error) {
      if (!isTooMuch(error)) throw error;
      this.#slow.note(target);
      const timeMs = limitOf(options) - sliceMs;
      return long.run(longEvaluation(target, input, this.#context, this.#store.hold(), cancelledBy(caller, options), timeMs)).then(use);
    }
    // An evaluation that waits for a built-in waits here; it has not begun to wait yet.
    return outcome instanceof Waiting ? this.#runHere(target, input, options, use, caller) : use(outcome);
  }

  /**
   * Where an evaluation goes if it takes long; undefined if it must stay. Only this thread counts
   * instructions.
   */
  #longFor(options: DecideOptions): LongEvaluations | undefined {
    const long = this.#long;
    return long === undefined || options.instructions !== undefined || limitOf(options) <= long.sliceMs ? undefined : long;
  }

  #runHere<T>(
    target: Target,
    input: Value | undefined,
    options: DecideOptions,
    use: (results: readonly Value[]) => T,
    caller: Caller | undefined,
  ): T | Promise<T> {
    const long = this.#longFor(options);
    const outcome = attempt(target, input, this.#store.root, this.#context, options, { sliceMs: long?.sliceMs });
    if (!(outcome instanceof Waiting)) return use(outcome);
    return this.holding(async (held) => {
      let results: readonly Value[];
      try {
        results = await outcome.finish(caller?.signal);
      } catch (error) {
        if (long === undefined || !isTooMuch(error) || outcome.msLeft === 0) throw error;
        const evaluation = longEvaluation(target, input, this.#context, lent(held), cancelledBy(caller, options), outcome.msLeft);
        results = await long.run({ ...evaluation, known: outcome.known });
      }
      return use(results);
    });
  }

  /** Holds the documents as they are. */
  async holding<T>(work: (held: HeldVersion) => Promise<T>): Promise<T> {
    const held = this.#store.hold();
    try {
      return await work(held);
    } finally {
      held.release();
    }
  }

  /** The plans of one question. Their limits are those of all together. */
  async all(
    targets: readonly Target[],
    input: Value | undefined,
    budgeted: BudgetedOptions,
    held: HeldVersion,
    caller: Caller | undefined,
  ): Promise<ResultSets> {
    const { root } = held;
    const { options } = budgeted;
    const long = this.#longFor(options);
    if (long !== undefined) {
      // It is not known which of them took long: the first stands for all.
      const sliceMs = this.#slow.sliceFor(targets[0]!);
      try {
        const outcome = attemptAll(targets, input, root, this.#context, budgeted.within(sliceMs));
        if (!(outcome instanceof Waiting)) return outcome;
      } catch (error) {
        if (!isTooMuch(error)) throw error;
        this.#slow.note(targets[0]!);
        return await this.#runBeside(long, targets, input, cancelledBy(caller, options), held, limitOf(options) - sliceMs);
      }
    }
    // An evaluation that waits for a built-in waits here; it has not begun to wait yet.
    const outcome = attemptAll(targets, input, root, this.#context, options, long?.sliceMs);
    if (!(outcome instanceof Waiting)) return outcome;
    try {
      return await outcome.finish(caller?.signal);
    } catch (error) {
      if (long === undefined || !isTooMuch(error) || outcome.msLeft === 0) throw error;
      return await this.#runBeside(long, targets, input, cancelledBy(caller, options), held, outcome.msLeft, outcome.known);
    }
  }

  /** The plans of one question, one after the other, in the time that is left of their limit. */
  async #runBeside(
    long: LongEvaluations,
    targets: readonly Target[],
    input: Value | undefined,
    options: OptionsOfCaller,
    held: HeldVersion,
    msLeft: number,
    known?: KnownAnswers,
  ): Promise<ResultSets> {
    const until = performance.now() + msLeft;
    const results: (readonly Value[])[] = [];
    for (const target of targets) {
      const timeMs = until - performance.now();
      if (timeMs <= 0) throw new EvaluationError('eval_cancel_error', timedOut);
      results.push(await long.run({ ...longEvaluation(target, input, this.#context, lent(held), options, timeMs), known }));
    }
    return results;
  }
}

type OptionsOfCaller = DecideOptions & { readonly caller?: Caller };

/** For evaluations that take long only: a signal costs more than most of the others. */
function cancelledBy(caller: Caller | undefined, options: DecideOptions): OptionsOfCaller {
  if (caller === undefined) return options;
  return { ...options, signal: caller.signal, caller };
}

function isTooMuch(error: unknown): boolean {
  return error instanceof EvaluationError && (error.detail === timedOut || error.detail === outOfMemory);
}

function longEvaluation(
  target: Target,
  input: Value | undefined,
  context: EngineContext,
  documents: HeldVersion,
  options: OptionsOfCaller,
  timeMs: number,
): LongEvaluation {
  const { strictBuiltinErrors = false, onPrint, onNondeterministic, signal, caller } = options;
  return { target, input, context, documents, timeMs, strictBuiltinErrors, onPrint, onNondeterministic, signal, caller };
}

/** For an evaluation that ends before its holder releases the documents. */
function lent({ root, version }: HeldVersion): HeldVersion {
  return { root, version, release: () => undefined };
}
