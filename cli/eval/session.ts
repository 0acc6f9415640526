/** A plan just made, ready to be run as often as a command wants. */

import { createContext } from '../../engine/context.js';
import { evaluateAsync } from '../../engine/evaluation/evaluate.js';
import { parseModuleValue } from '../../engine/policies/module-value.js';
import { preparePlanned } from '../../engine/prepare.js';
import type { Policy } from '../../ir-schema/plan.js';
import type { Builtin } from '../../runtime/builtins/builtin.js';
import type { EngineContext } from '../../runtime/evaluation/context.js';
import type { Executable } from '../../runtime/evaluation/executable.js';
import type { EvaluationOptions } from '../../runtime/evaluation/options.js';
import { nodeHost } from '../../runtime/host/node.js';
import type { PlainObject, Value } from '../../runtime/values/value.js';
import type { Io } from '../io.js';

export class Session {
  readonly #executable: Executable;
  readonly #data: PlainObject;
  readonly #surroundings: EngineContext;

  private constructor(executable: Executable, data: PlainObject, surroundings: EngineContext) {
    this.#executable = executable;
    this.#data = data;
    this.#surroundings = surroundings;
  }

  /** @param allowNet the hosts that built-ins may talk to; undefined allows all, an empty list none */
  static async open(
    policy: Policy,
    data: PlainObject,
    builtins: ReadonlyMap<string, Builtin>,
    io: Io,
    allowNet?: readonly string[],
  ): Promise<Session> {
    const context = createContext(
      { host: nodeHost },
      { runtime: { env: { ...io.env } as PlainObject }, parseModule: parseModuleValue, allowNet },
    );
    return new Session(await preparePlanned(policy, builtins), data, context);
  }

  /** The result set of a plan. Rejects with an EvaluationError. */
  async run(plan: string, input: Value | undefined, options: EvaluationOptions): Promise<readonly Value[]> {
    const target = { executable: this.#executable, plan: this.#executable.entrypoints.get(plan)! };
    return await evaluateAsync(target, input, this.#data, this.#surroundings, options);
  }
}
