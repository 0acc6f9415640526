/**
 * Random policies: plans and the evaluator of syntax trees give the same results, for any order of
 * rules and any split into modules. `WRIT_RUNS=100000` runs more policies, `WRIT_FUZZ_SEED` others.
 */
import { expect, test } from 'vitest';
import { CompileErrors } from '../../compiler/diagnostics/diagnostics.js';
import { compileModules, compileQuery } from '../../compiler/pipeline.js';
import { plan } from '../../compiler/plan/planner.js';
import { answerOf } from '../../compiler/plan/testing.js';
import { parseQuery } from '../../compiler/syntax/query.js';
import { builtins } from '../../runtime/builtins/registry.js';
import { testContext } from '../../runtime/builtins/testing.js';
import { compare } from '../../runtime/values/compare.js';
import { toJson } from '../../runtime/values/json/json.js';
import type { Value } from '../../runtime/values/value.js';
import { type GeneratedPolicy, PolicyGenerator } from '../generators/policy-generator.js';
import { data, inputs, isPlannable, parsed, textsOf } from '../generators/random-policy.js';
import { evaluateQuery, type QueryAnswer } from './evaluate.js';

async function planned(
  policy: GeneratedPolicy,
  texts: readonly string[],
  input: Value | undefined,
  thorough: boolean,
): Promise<string | undefined> {
  try {
    const compiled = compileModules({ modules: parsed(texts), options: { errorLimit: 0 } });
    if (!isPlannable(compiled.diagnostics)) return undefined;
    const query = compileQuery(compiled, parseQuery(policy.query));
    if (!isPlannable(query.diagnostics)) return undefined;
    return await answerOf(plan(compiled, [{ name: 'eval', query }]), input, data, thorough ? [0, 1, 2] : [0]);
  } catch (error) {
    if (error instanceof CompileErrors) return undefined;
    return `crash: ${(error as Error).message}`;
  }
}

function found(policy: GeneratedPolicy, texts: readonly string[], input: Value | undefined): QueryAnswer {
  try {
    return evaluateQuery(parsed(texts).values(), parseQuery(policy.query), { input, data, builtins, context: testContext() });
  } catch (error) {
    throw new Error(`${(error as Error).message} in ${texts.join('\n')}`, { cause: error });
  }
}

const runs = Number(process.env.WRIT_RUNS ?? 120);
const start = Number(process.env.WRIT_FUZZ_SEED ?? 1);

test('plans give the results of the syntax trees', { timeout: 36_000_000 }, async () => {
  const different: string[] = [];
  const counts = { compared: 0, withValue: 0, errors: 0, unordered: 0 };
  for (let seed = start; seed < start + runs; seed++) {
    const generator = new PolicyGenerator(seed);
    const policy = generator.policy();
    const input = inputs[generator.below(inputs.length)];
    const texts = textsOf(policy, false, false);
    const thorough = seed % 4 === 0;
    const first = await planned(policy, texts, input, thorough);
    if (first === undefined) continue;
    const differs = (what: string): void => {
      different.push(`seed ${seed}: ${what}\n${texts.join('\n')}\nquery ${policy.query}\ninput ${JSON.stringify(input)}`);
      if (process.env.WRIT_RUNS) console.log(different.at(-1));
    };
    const naive = found(policy, texts, input);
    // Errors depend on the order of evaluation: the two evaluate the parts of an expression in
    // different orders.
    if (naive.kind !== 'solutions' || first.startsWith('eval')) counts.errors++;
    else if (!naive.isOrdered) counts.unordered++;
    else {
      const wanted = toJson([...naive.solutions].sort(compare));
      counts.compared++;
      if (/"[pqr]\d+":(?!\[\]|\{\})/.test(wanted) || /^\[\{"x":(?!\{)/.test(wanted)) counts.withValue++;
      if (wanted !== first) differs(`planned ${first}, found ${wanted}`);
    }
    if (!thorough || first.startsWith('eval')) continue;
    for (const [reversed, apart] of [
      [true, false],
      [false, true],
    ] as const) {
      const other = await planned(policy, textsOf(policy, reversed, apart), input, false);
      if (other !== undefined && other !== first && !other.startsWith('eval')) differs(`${first}, but ${other} otherwise arranged`);
    }
  }
  if (process.env.WRIT_RUNS) console.log(`of ${runs}: ${JSON.stringify(counts)}; ${different.length} differ`);
  expect(different.slice(0, 5).join('\n\n')).toBe('');
  expect(counts.compared).toBeGreaterThan(runs / 3);
  expect(counts.withValue).toBeGreaterThan(runs / 8);
});
