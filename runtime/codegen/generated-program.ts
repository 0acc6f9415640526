/** A program that runs as generated JavaScript. */
import type { StackEntry } from '../evaluation/errors.js';
import type { Evaluation } from '../evaluation/evaluation.js';
import type { Executable, PlanIndex } from '../evaluation/executable.js';
import { locate } from '../evaluation/locate.js';
import { isStackOverflow } from '../values/numbers/range-errors.js';
import { RegoSet } from '../values/set.js';
import type { Value } from '../values/value.js';
import { Activation, type Origins } from './activation.js';
import type { Generated } from './generated.js';
import { RuleMemories } from './rule-memories.js';

/** Answers in its place where the stack of JavaScript overflows. */
type Overflowed = Executable['run'];

/** Plans in generated code, on the stack of JavaScript. */
export class GeneratedProgram {
  readonly #functions: readonly Generated[];
  readonly #memories: RuleMemories;
  readonly #origins: Origins;
  readonly #overflowed: Overflowed;

  constructor(functions: readonly Generated[], origins: Origins, overflowed: Overflowed) {
    this.#functions = functions;
    this.#memories = new RuleMemories(functions.length);
    this.#origins = origins;
    this.#overflowed = overflowed;
  }

  run(entrypoint: PlanIndex, input: Value | undefined, data: Value | undefined, evaluation: Evaluation): readonly Value[] {
    const activation = new Activation(evaluation, this.#origins, this.#memories);
    try {
      this.#functions[entrypoint]!(activation, input, data);
      activation.end();
      return this.#distinct(entrypoint, activation);
    } catch (error) {
      if (isStackOverflow(error)) return this.#overflowed(entrypoint, input, data, evaluation);
      throw this.#located(error, activation.rules);
    }
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
