import { unwatched, type Value } from '../../values/index.js';
import type { EngineContext } from './engine-context.js';
import type { Evaluation } from './evaluation.js';
import { type Executable, type PlanIndex, resultOf, type StandingDecision } from './executable.js';

/**
 * Plans that run in a way which takes little time to make: most plans run once. When their runs
 * have taken as long as the executable for many runs takes to make, that one runs all plans, the
 * current one from its start.
 */
export abstract class StandIn implements Executable {
  readonly entrypoints: ReadonlyMap<string, PlanIndex>;
  readonly builtins: readonly string[];
  readonly #make: () => Executable;
  #whole: Executable | undefined;

  /** @param make the executable for many runs of the same plans, with the same numbers */
  constructor({ entrypoints, builtins }: Pick<Executable, 'entrypoints' | 'builtins'>, make: () => Executable) {
    this.entrypoints = entrypoints;
    this.builtins = builtins;
    this.#make = make;
  }

  /** Undefined where the executable for many runs has to run the plan. */
  protected abstract attempt(
    entrypoint: PlanIndex,
    input: Value | undefined,
    data: Value | undefined,
    evaluation: Evaluation,
  ): readonly Value[] | undefined;

  /** The executable for many runs, which runs all plans from now on. */
  get whole(): Executable {
    return (this.#whole ??= unwatched(this.#make));
  }

  run(
    entrypoint: PlanIndex,
    input: Value | undefined,
    data: Value | undefined,
    evaluation: Evaluation,
  ): readonly Value[] {
    const found = this.#attempted(entrypoint, input, data, evaluation);
    return found ?? this.whole.run(entrypoint, input, data, evaluation);
  }

  decide(
    entrypoint: PlanIndex,
    input: Value | undefined,
    data: Value | undefined,
    evaluation: Evaluation,
  ): Value | undefined {
    const found = this.#attempted(entrypoint, input, data, evaluation);
    return found === undefined ? this.whole.decide(entrypoint, input, data, evaluation) : resultOf(found);
  }

  standing(entrypoint: PlanIndex, context: EngineContext): StandingDecision | undefined {
    return this.#whole?.standing?.(entrypoint, context);
  }

  isHot(entrypoint: PlanIndex): boolean {
    return this.#whole?.isHot?.(entrypoint) === true;
  }

  #attempted(
    entrypoint: PlanIndex,
    input: Value | undefined,
    data: Value | undefined,
    evaluation: Evaluation,
  ): readonly Value[] | undefined {
    if (this.#whole !== undefined) return undefined;
    const found = this.attempt(entrypoint, input, data, evaluation);
    if (found === undefined) evaluation.options.onRestart?.();
    return found;
  }
}
