/** Several plans over the policies of one version, in one program, each run by its name. */

import { packExecutable } from '../runtime/codegen/packed-executable.js';
import type { EngineContext } from '../runtime/evaluation/context.js';
import type { Executable } from '../runtime/evaluation/executable.js';
import type { EvaluationOptions } from '../runtime/evaluation/options.js';
import { exactText } from '../runtime/values/json/exact-json.js';
import type { PlainObject, Value } from '../runtime/values/value.js';
import { evaluateAsync } from './evaluation/evaluate.js';

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
    const target = { executable: this.#executable, plan: this.#executable.entrypoints.get(plan)! };
    return await evaluateAsync(target, input, this.#data, this.#context, options);
  }
}
