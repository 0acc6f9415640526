/** A program that runs as generated JavaScript. */
import { type Program, placeAt } from '../bytecode/program.js';
import type { StackEntry } from '../evaluation/errors.js';
import type { Evaluation } from '../evaluation/evaluation.js';
import type { Executable, PlanIndex } from '../evaluation/executable.js';
import type { LinkedBuiltin } from '../evaluation/linked-builtin.js';
import { locate } from '../evaluation/locate.js';
import type { LoweredFunction } from '../lowering/lowered.js';
import { isStackOverflow } from '../values/numbers/range-errors.js';
import { RegoSet } from '../values/set.js';
import type { Value } from '../values/value.js';
import { Activation, type Origins } from './activation.js';
import { CodeGenerator } from './code-generator.js';
import { RuleMemories } from './rule-memories.js';

/** Plans in generated code, on the stack of JavaScript; the VM takes over where it overflows. */
export class GeneratedProgram {
  readonly #vm: Executable['run'];
  readonly #code: CodeGenerator;
  readonly #memories: RuleMemories;
  readonly #origins: Origins;

  constructor(program: Program, lowered: readonly LoweredFunction[], builtins: readonly LinkedBuiltin[], vm: Executable['run']) {
    this.#vm = vm;
    this.#code = new CodeGenerator(program, lowered, builtins);
    this.#memories = new RuleMemories(program.functions.length);
    this.#origins = { name: (func) => program.functions[func]!.name, place: (origin) => placeAt(program, origin) };
  }

  run(entrypoint: PlanIndex, input: Value | undefined, data: Value | undefined, evaluation: Evaluation): readonly Value[] {
    const activation = new Activation(evaluation, this.#origins, this.#memories);
    try {
      this.#code.functions[entrypoint]!(activation, input, data);
      activation.end();
      return this.#distinct(entrypoint, activation);
    } catch (error) {
      if (isStackOverflow(error)) {
        evaluation.again();
        return this.#vm(entrypoint, input, data, evaluation);
      }
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
