/** A plan just made, ready to be run as often as a command wants. */

import { buildInfo } from '../../engine/build-info.js';
import { evaluateAsync } from '../../engine/evaluation/evaluate.js';
import { parseModuleValue } from '../../engine/policies/module-value.js';
import { preparePlanned } from '../../engine/prepare.js';
import type { Policy } from '../../ir-schema/plan.js';
import type { Builtin } from '../../runtime/builtins/builtin.js';
import { CacheSet } from '../../runtime/builtins/cache.js';
import { ArrayIndexes } from '../../runtime/evaluation/array-indexes.js';
import type { EngineContext, EvaluationOptions } from '../../runtime/evaluation/evaluation.js';
import type { Executable } from '../../runtime/evaluation/executable.js';
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
    const runtime = { env: { ...io.env } as PlainObject, version: buildInfo.version, commit: buildInfo.commit };
    const surroundings = {
      host: nodeHost,
      caches: new CacheSet(),
      runtime,
      dataIndexes: new ArrayIndexes(),
      parseModule: parseModuleValue,
      allowNet,
    };
    return new Session(await preparePlanned(policy, builtins), data, surroundings);
  }

  /** The result set of a plan. Rejects with an EvaluationError. */
  async run(plan: string, input: Value | undefined, options: EvaluationOptions): Promise<readonly Value[]> {
    const target = { executable: this.#executable, plan: this.#executable.entrypoints.get(plan)! };
    return await evaluateAsync(target, input, this.#data, this.#surroundings, options);
  }
}
