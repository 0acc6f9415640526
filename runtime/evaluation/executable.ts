import { lookup, type Steps, type Value } from '../../values/index.js';
import type { EngineContext } from './engine-context.js';
import type { Evaluation } from './evaluation.js';

/** The number of a plan in its executable. */
export type PlanIndex = number;

/** Plans that are ready to run. It has no state: many evaluations may run it at the same time. */
export interface Executable {
  /** Its plans by the names of their entrypoints. */
  readonly entrypoints: ReadonlyMap<string, PlanIndex>;
  /** Names of the built-ins that it calls. */
  readonly builtins: readonly string[];
  /**
   * The result set of a plan: the objects of bindings, equal ones once. Throws an EvaluationError,
   * or a Suspension where a built-in has to wait.
   */
  run(
    entrypoint: PlanIndex,
    input: Value | undefined,
    data: Value | undefined,
    evaluation: Evaluation,
  ): readonly Value[];
  /** The value that the plan's first result binds to `result`; throws as `run`. */
  decide(
    entrypoint: PlanIndex,
    input: Value | undefined,
    data: Value | undefined,
    evaluation: Evaluation,
  ): Value | undefined;
  /**
   * A faster `decide` of one plan for evaluations without options; undefined where there is none,
   * or not yet.
   */
  standing?(entrypoint: PlanIndex, context: EngineContext): StandingDecision | undefined;
  /** Whether a plan runs in generated code, because it is decided often. */
  isHot?(entrypoint: PlanIndex): boolean;
  /**
   * From now on the plan runs in generated code, which is made in steps.
   * @param before an executable from which functions of the same names are in code
   */
  heat?(entrypoint: PlanIndex, before: Executable): Steps;
}

/** One plan of an executable, with its own state for evaluations without options. */
export interface StandingDecision {
  /**
   * As `Executable.decide`, without waiting: throws an EvaluationError, with the code
   * `eval_wait_error` where a built-in has to wait.
   */
  decide(input: Value | undefined, data: Value): Value | undefined;
}

/** The document that a plan made for a decision binds to `result`. */
export function resultOf(results: readonly Value[]): Value | undefined {
  const first = results[0];
  return first === undefined ? undefined : lookup(first, 'result');
}
