/** Several plans over the policies of one version, in one program, each run by its name. */

import { type EngineContext, type EvaluationOptions, type Executable, packExecutable } from '../runtime/index.js';
import { exactText, type PlainObject, type Value } from '../values/index.js';
import { evaluateAll, evaluateAsync, targetOf } from './evaluation/evaluate.js';

export class PreparedProgram {
  readonly #executable: Executable;
  readonly #data: PlainObject;
  readonly #context: EngineContext;

  /** @param data documents that do not change any more */
  constructor(executable: Executable, data: PlainObject, context: EngineContext) {
    this.#executable = executable;
    this.#data = data;
    this.#context = context;
  }

  /**
   * The program and the documents for another thread. Throws a PackError where it is none. A thread
   * runs most plans once, so it generates no code.
   */
  packed(): { readonly program: Uint8Array; readonly data: string } {
    return { program: packExecutable(this.#executable, { isInterpreted: true }), data: exactText(this.#data) };
  }

  /** The result set of a plan. Rejects with an EvaluationError. */
  async run(plan: string, input: Value | undefined, options: EvaluationOptions): Promise<readonly Value[]> {
    const target = targetOf(this.#executable, plan);
    return await evaluateAsync(target, { input, data: this.#data }, this.#context, options);
  }

  /**
   * Runs without waiting. Throws an EvaluationError, also where a built-in would have to wait:
   * before it sends anything.
   */
  runAtOnce(plan: string, input: Value | undefined, options: EvaluationOptions): readonly Value[] {
    const targets = [targetOf(this.#executable, plan)];
    const [results = []] = evaluateAll(targets, { input, data: this.#data }, this.#context, options);
    return results;
  }
}
