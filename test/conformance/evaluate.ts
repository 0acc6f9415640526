/** Evaluates a plan with the input, data and environment of a case. */

import { evaluateAsync } from '../../engine/evaluation/evaluate.js';
import { loadProgram } from '../../engine/load-program.js';
import { ArrayIndexes } from '../../runtime/evaluation/array-indexes.js';
import type { CodegenMode } from '../../runtime/evaluation/engine-context.js';
import type { Executable } from '../../runtime/evaluation/executable.js';
import { arg, builtin } from '../../values/builtins/builtin.js';
import { CacheSet } from '../../values/builtins/cache.js';
import { nodeHost } from '../../values/builtins/host/node.js';
import { builtins } from '../../values/builtins/registry.js';
import * as type from '../../values/type.js';
import type { Value } from '../../values/value.js';
import type { Case } from './cases.js';
import { parseModuleToValue, valueOfText } from './terms.js';

const units: { readonly [unit: string]: number } = { ns: 1e-6, us: 1e-3, ms: 1, s: 1000 };

/** `test.sleep("100ms")`, by which some cases wait. */
const sleep = builtin('test.sleep', [arg('duration', type.string)], type.nullType, (duration: string) => {
  const [, amount, unit] = /^([\d.]+)(ns|us|ms|s)$/.exec(duration)!;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(amount) * units[unit!]!);
  return null;
});

export const caseBuiltins = new Map([...builtins, ['test.sleep', sleep]]);

/** The result set of a plan for a case's input, data and environment. */
export async function evaluateCase(
  one: Case,
  policy: unknown,
  entrypoint: string,
  codegen: CodegenMode = 'never',
): Promise<readonly Value[]> {
  return await runCase(one, await loadProgram(policy, caseBuiltins), entrypoint, codegen);
}

/** The result set of an executable for a case's input, data and environment. */
export async function runCase(
  one: Case,
  executable: Executable,
  entrypoint: string,
  codegen: CodegenMode = 'never',
): Promise<readonly Value[]> {
  const plan = executable.entrypoints.get(entrypoint)!;
  const input = one.input_term !== undefined ? valueOfText(one.input_term) : one.input;
  const context = {
    host: nodeHost,
    caches: new CacheSet(),
    runtime: one.env === undefined ? {} : { env: one.env },
    dataIndexes: new ArrayIndexes(),
    parseModule: parseModuleToValue,
    codegen,
  };
  const options = { strictBuiltinErrors: one.strict_error === true, timeMs: 20_000 };
  return await evaluateAsync({ executable, plan }, { input, data: one.data ?? {} }, context, options);
}
