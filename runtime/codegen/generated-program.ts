/** A program that runs as generated JavaScript. */

import { isStackOverflow, RegoSet, type Value } from '../../values/index.js';
import type { Evaluation } from '../evaluation/evaluation.js';
import type { StackEntry } from '../evaluation/evaluation-errors.js';
import { type Executable, type PlanIndex, resultOf } from '../evaluation/executable.js';
import { locate } from '../evaluation/locate.js';
import { Activation, type ActivationOrigins } from './activation.js';
import type { Generated, GeneratedFunctions } from './generated.js';
import { RuleMemories } from './memory/rule-memories.js';

/** Answers in its place where the stack of JavaScript overflows. */
type Overflowed = Executable['run'];

/** Plans in generated code, on the stack of JavaScript. */
export class GeneratedProgram {
  readonly #functions: GeneratedFunctions;
  readonly #memories: RuleMemories;
  readonly #origins: ActivationOrigins;
  readonly #overflowed: Overflowed;
  /** Decisions by plan, where they are known: null where there may be several results. */
  readonly #decisions: (Generated | null | undefined)[];
  /** The state of the last evaluation, for the next one. Those inside of others get a new one. */
  #spare: Activation | undefined;

  constructor(functions: GeneratedFunctions, origins: ActivationOrigins, overflowed: Overflowed) {
    this.#functions = functions;
    this.#decisions = new Array<undefined>(functions.length).fill(undefined);
    this.#memories = new RuleMemories(functions.length);
    this.#origins = origins;
    this.#overflowed = overflowed;
  }

  run(
    entrypoint: PlanIndex,
    input: Value | undefined,
    data: Value | undefined,
    evaluation: Evaluation,
  ): readonly Value[] {
    const activation = this.#begin(evaluation);
    try {
      this.#functions.at(entrypoint)!(activation, input, data);
      const results = this.#distinct(entrypoint, activation);
      activation.results = [];
      this.#end(activation);
      return results;
    } catch (error) {
      if (isStackOverflow(error)) return this.#overflowed(entrypoint, input, data, evaluation);
      throw this.#located(error, activation.rules);
    }
  }

  /** The value that the plan's first result binds to `result`. */
  decide(
    entrypoint: PlanIndex,
    input: Value | undefined,
    data: Value | undefined,
    evaluation: Evaluation,
  ): Value | undefined {
    const decision = this.decision(entrypoint);
    if (decision === null) return resultOf(this.run(entrypoint, input, data, evaluation));
    const activation = this.#begin(evaluation);
    try {
      const value = decision(activation, input, data);
      this.#end(activation);
      return value;
    } catch (error) {
      return this.afterError(error, activation, entrypoint, input, data);
    }
  }

  /** The value that `decide` has after an error; throws errors that end the evaluation. */
  afterError(
    error: unknown,
    { rules, evaluation }: Activation,
    entrypoint: PlanIndex,
    input: Value | undefined,
    data: Value | undefined,
  ): Value | undefined {
    if (isStackOverflow(error)) return resultOf(this.#overflowed(entrypoint, input, data, evaluation));
    throw this.#located(error, rules);
  }

  /** The function that returns a plan's value of `result`; null where there may be several. */
  decision(entrypoint: PlanIndex): Generated | null {
    const known = this.#decisions[entrypoint];
    return known === undefined ? (this.#decisions[entrypoint] = this.#functions.decision?.(entrypoint) ?? null) : known;
  }

  newActivation(): Activation {
    return new Activation(this.#origins, this.#memories);
  }

  #begin(evaluation: Evaluation): Activation {
    const activation = this.#spare ?? this.newActivation();
    this.#spare = undefined;
    activation.begin(evaluation);
    return activation;
  }

  /** An activation that ended with an error is not used again. */
  #end(activation: Activation): void {
    activation.end();
    this.#spare = activation;
  }

  /** Equal results are one. To compare them is work, which may end the evaluation. */
  #distinct(entrypoint: PlanIndex, activation: Activation): readonly Value[] {
    const { results } = activation;
    if (results.length < 2) return results;
    try {
      return [...new RegoSet(results)];
    } catch (error) {
      throw activation.failed(error, entrypoint, 0);
    }
  }

  #located(error: unknown, rules: readonly StackEntry[]): unknown {
    const [innermost] = rules;
    if (innermost === undefined) return error;
    const { file, row, col } = innermost;
    return locate(error, { file, row, col }, rules);
  }
}
