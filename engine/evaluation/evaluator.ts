/** Runs plans for an engine: most are done at once, some wait for others, and those that take long go on elsewhere. */

import type { EngineContext } from '../../runtime/evaluation/context.js';
import { EvaluationError, outOfMemory } from '../../runtime/evaluation/errors.js';
import type { HeldVersion, Store } from '../../runtime/store/store.js';
import type { Value } from '../../runtime/values/value.js';
import type { Caller, DecideOptions } from '../policy-engine.js';
import { attempt, attemptAll, type KnownAnswers, type ResultSets, type Target, Waiting } from './evaluate.js';
import type { LongEvaluation, LongEvaluations } from './long-evaluations.js';

/** What the meter says of an evaluation that has used up its time. */
const timedOut = 'query execution timed out';

/** Milliseconds that a plan gets here which took long lately, or it and others like it would keep everyone waiting again and again. */
const shortPatienceMs = 4;

/** How much of the heap an evaluation may fill here; in a thread it has one of its own. */
const heapShare = 1 / 8;

/** How long that is remembered. */
const rememberedMs = 60_000;

export class Evaluator {
  readonly #store: Store;
  readonly #surroundings: EngineContext;
  readonly #long: LongEvaluations | undefined;
  readonly #patient: BudgetedOptions;
  readonly #impatient: BudgetedOptions;
  /** Until when plans count as slow. */
  readonly #slow = new WeakMap<Target, number>();

  /** @param long where evaluations go that take long; without, they stay and others wait */
  constructor(store: Store, surroundings: EngineContext, long: LongEvaluations | undefined) {
    this.#store = store;
    this.#surroundings = surroundings;
    this.#long = long;
    this.#patient = new BudgetedOptions(long?.sliceMs ?? 0);
    this.#impatient = new BudgetedOptions(Math.min(shortPatienceMs, this.#patient.timeMs));
  }

  /**
   * Evaluates, and holds the documents where that takes its time. `use` is called before anything can change them. Most evaluations wait for nothing, and
   * then neither does this.
   */
  one<T>(
    target: Target,
    input: Value | undefined,
    options: DecideOptions,
    use: (results: readonly Value[]) => T,
    caller: Caller | undefined,
  ): T | Promise<T> {
    const long = this.#longFor(options);
    if (long === undefined) return this.#runHere(target, input, options, use, caller);
    const hasty = this.#hastyFor(target);
    let outcome: readonly Value[] | Waiting;
    try {
      outcome = attempt(target, input, this.#store.root, this.#surroundings, hasty.of(options));
    } catch (error) {
      if (!isTooMuch(error)) throw error;
      this.#noteSlow(target);
      const timeMs = limitOf(options) - hasty.timeMs;
      return long
        .run(longEvaluation(target, input, this.#surroundings, this.#store.hold(), cancelledBy(caller, options), timeMs))
        .then(use);
    }
    // What waits for others waits here; it has not yet begun to.
    return outcome instanceof Waiting ? this.#runHere(target, input, options, use, caller) : use(outcome);
  }

  #hastyFor(target: Target): BudgetedOptions {
    const until = this.#slow.get(target);
    return until === undefined || until < performance.now() ? this.#patient : this.#impatient;
  }

  #noteSlow(target: Target): void {
    this.#slow.set(target, performance.now() + rememberedMs);
  }

  /** Where an evaluation goes if it takes long; undefined where it is not to go anywhere. Only this thread counts instructions. */
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
    const outcome = attempt(target, input, this.#store.root, this.#surroundings, options, { sliceMs: long?.sliceMs });
    if (!(outcome instanceof Waiting)) return use(outcome);
    return this.holding(async (held) => {
      let results: readonly Value[];
      try {
        results = await outcome.finish(caller?.signal);
      } catch (error) {
        if (long === undefined || !isTooMuch(error) || outcome.msLeft === 0) throw error;
        const evaluation = longEvaluation(target, input, this.#surroundings, lent(held), cancelledBy(caller, options), outcome.msLeft);
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

  /** Plans of one question, whose limits are those of all together. */
  async all(
    targets: readonly Target[],
    input: Value | undefined,
    given: DecideOptions,
    held: HeldVersion,
    caller: Caller | undefined,
  ): Promise<ResultSets> {
    const { root } = held;
    const options = cancelledBy(caller, given);
    const long = this.#longFor(options);
    if (long !== undefined) {
      // Which of them took long is not known: the first stands for all.
      const hasty = this.#hastyFor(targets[0]!);
      try {
        const outcome = attemptAll(targets, input, root, this.#surroundings, hasty.of(options));
        if (!(outcome instanceof Waiting)) return outcome;
      } catch (error) {
        if (!isTooMuch(error)) throw error;
        this.#noteSlow(targets[0]!);
        return await runBeside(long, targets, input, this.#surroundings, options, held, limitOf(options) - hasty.timeMs);
      }
    }
    // What waits for others waits here; it has not yet begun to.
    const outcome = attemptAll(targets, input, root, this.#surroundings, options, long?.sliceMs);
    if (!(outcome instanceof Waiting)) return outcome;
    try {
      return await outcome.finish();
    } catch (error) {
      if (long === undefined || !isTooMuch(error) || outcome.msLeft === 0) throw error;
      return await runBeside(long, targets, input, this.#surroundings, options, held, outcome.msLeft, outcome.known);
    }
  }
}

/** Options with less time, remembered: a server passes the same ones again and again. */
class BudgetedOptions {
  readonly timeMs: number;
  readonly #known = new WeakMap<DecideOptions, DecideOptions>();

  constructor(timeMs: number) {
    this.timeMs = timeMs;
  }

  of(options: DecideOptions): DecideOptions {
    let hasty = this.#known.get(options);
    if (hasty === undefined) this.#known.set(options, (hasty = { ...options, timeMs: this.timeMs, heapShare }));
    return hasty;
  }
}

type OptionsOfCaller = DecideOptions & { readonly caller?: Caller };

/** Only for evaluations that take their time: a signal costs more than most of the others. */
function cancelledBy(caller: Caller | undefined, options: DecideOptions): OptionsOfCaller {
  if (caller === undefined) return options;
  return { ...options, signal: caller.signal, caller };
}

function limitOf({ timeMs }: DecideOptions): number {
  return timeMs || Infinity;
}

function isTooMuch(error: unknown): boolean {
  return error instanceof EvaluationError && (error.detail === timedOut || error.detail === outOfMemory);
}

function longEvaluation(
  target: Target,
  input: Value | undefined,
  surroundings: EngineContext,
  documents: HeldVersion,
  options: OptionsOfCaller,
  timeMs: number,
): LongEvaluation {
  const { strictBuiltinErrors = false, onPrint, onNondeterministic, signal, caller } = options;
  return { target, input, surroundings, documents, timeMs, strictBuiltinErrors, onPrint, onNondeterministic, signal, caller };
}

/** For those who are done with it before its holder is. */
function lent({ root, version }: HeldVersion): HeldVersion {
  return { root, version, release: () => undefined };
}

/** Plans of one question, one after the other, in the time that is left of their limit. */
async function runBeside(
  long: LongEvaluations,
  targets: readonly Target[],
  input: Value | undefined,
  surroundings: EngineContext,
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
    results.push(await long.run({ ...longEvaluation(target, input, surroundings, lent(held), options, timeMs), known }));
  }
  return results;
}
