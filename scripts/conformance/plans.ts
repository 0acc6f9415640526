/** Runs plan cases: the plan of the reference's compiler on our VM. */
import { arg, builtin } from '../../runtime/builtins/builtin.js';
import { CacheSet } from '../../runtime/builtins/cache.js';
import { builtins } from '../../runtime/builtins/registry.js';
import { evaluateAsync } from '../../runtime/engine/evaluate.js';
import { prepare } from '../../runtime/engine/prepare.js';
import { nodeHost } from '../../runtime/host/node.js';
import { parseJson } from '../../runtime/values/json.js';
import * as type from '../../runtime/values/type.js';
import type { Value } from '../../runtime/values/value.js';
import { MatchIndexes } from '../../runtime/vm/matches.js';
import type { Case } from './cases.js';
import { judgeError, judgeResult, type Outcome } from './outcome.js';

const units: { readonly [unit: string]: number } = { ns: 1e-6, us: 1e-3, ms: 1, s: 1000 };

/** `test.sleep("100ms")`, which some cases call to let time pass. */
const sleep = builtin('test.sleep', [arg('duration', type.string)], type.nullType, (duration: string) => {
  const [, amount, unit] = /^([\d.]+)(ns|us|ms|s)$/.exec(duration)!;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(amount) * units[unit!]!);
  return null;
});

export const caseBuiltins = new Map([...builtins, ['test.sleep', sleep]]);

/** What stands in for a term parser where there is none: JSON, trailing commas forgiven. */
export type ParseTerm = (text: string) => Value;

export async function runPlanCase(one: Case, parseTerm: ParseTerm): Promise<Outcome> {
  try {
    const executable = await prepare(one.plan, caseBuiltins);
    const plan = executable.program.plans.get(one.entrypoints![0]!)!;
    const input = one.input_term !== undefined ? parseTerm(one.input_term) : one.input;
    const surroundings = {
      host: nodeHost,
      caches: new CacheSet(),
      runtime: one.env === undefined ? {} : { env: one.env },
      dataIndexes: new MatchIndexes(),
    };
    const options = { strictBuiltinErrors: one.strict_error === true, timeMs: 20_000 };
    const result = await evaluateAsync({ executable, plan }, input, one.data ?? {}, surroundings, options);
    return judgeResult(one, result, one.want_plan_result);
  } catch (error) {
    return judgeError(one, error);
  }
}

export function parseJsonTerm(text: string): Value {
  return parseJson(text);
}
