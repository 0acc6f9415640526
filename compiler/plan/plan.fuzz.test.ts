/** Random policies: plans answer what looking for solutions does, whatever the order of rules and the modules that they stand in. */
import { expect, test } from 'vitest';
import type { Value } from '../../runtime/values/value.js';
import { compileTexts } from '../complaint-testing.js';
import { CompileErrors, type Diagnostic } from '../diagnostics/diagnostics.js';
import { compileQuery } from '../pipeline.js';
import { parseQuery } from '../syntax/query.js';
import { naiveAnswer } from './evaluator-testing.js';
import { plan } from './planner.js';
import { type GeneratedPolicy, PolicyGenerator } from './policy-generator-testing.js';
import { answerOf } from './testing.js';

const inputs: readonly (Value | undefined)[] = [
  undefined,
  { a: { b: 1, a: [1, 2] }, b: [{ a: 1 }, 'a'] },
  {
    a: [
      [1, 2],
      [2, 1],
    ],
    b: 'b',
  },
  [1, 'a', { a: { b: 2 } }],
];

const data: Value = { d: { a: { b: [1, 2], a: 1 }, b: [[1, 'a'], { k: 1 }] }, a: { z: { a: 1, m: 2 }, b: { a: 2 } }, e: { k: { a: [1] } } };

/** Rules by package, in the order given or the other way round, one module for each or one for each rule. */
function textsOf({ rules }: GeneratedPolicy, reversed: boolean, apart: boolean): readonly string[] {
  const list = reversed ? rules.toReversed() : rules;
  if (apart) return list.map(({ package: name, text }) => `package ${name}\n${text}`);
  const byPackage = Map.groupBy(list, (rule) => rule.package);
  return [...byPackage].map(([name, all]) => `package ${name}\n${all.map(({ text }) => text).join('\n')}`);
}

/** Types come last and change nothing: what they rule out has an answer all the same, mostly that it is undefined. */
function isPlannable(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.every(({ code, message }) => code === 'rego_type_error' && !/arity|many|few|function/.test(message));
}

interface Answer {
  readonly planned: string;
  readonly naive: string | undefined;
}

async function answer(policy: GeneratedPolicy, reversed: boolean, apart: boolean, input: Value | undefined): Promise<Answer | undefined> {
  try {
    const compiled = compileTexts(textsOf(policy, reversed, apart), { errorLimit: 0 });
    if (!isPlannable(compiled.diagnostics)) return undefined;
    const query = compileQuery(compiled, parseQuery(policy.query));
    if (!isPlannable(query.diagnostics)) return undefined;
    const planned = await answerOf(plan(compiled, [{ name: 'eval', query }]), input, data);
    return { planned, naive: reversed || apart ? undefined : naiveAnswer(compiled, query, input, data) };
  } catch (error) {
    if (error instanceof CompileErrors) return undefined;
    throw new Error(`${(error as Error).message} in ${textsOf(policy, reversed, apart).join('\n')}`, { cause: error });
  }
}

const runs = Number(process.env.WRIT_FUZZ_RUNS ?? 120);
const start = Number(process.env.WRIT_FUZZ_SEED ?? 1);

test('plans answer what a search for solutions does', { timeout: 600_000 }, async () => {
  const different: string[] = [];
  let compared = 0;
  let found = 0;
  for (let seed = start; seed < start + runs; seed++) {
    const generator = new PolicyGenerator(seed);
    const policy = generator.policy();
    const input = inputs[generator.below(inputs.length)];
    const first = await answer(policy, false, false, input);
    if (first === undefined) continue;
    const show = (what: string) => `seed ${seed}: ${what}\n${textsOf(policy, false, false).join('\n')}\ninput ${JSON.stringify(input)}`;
    const { planned, naive } = first;
    // An error shows only to who comes by: the two look at things in different orders.
    if (naive !== undefined && !naive.startsWith('eval') && !planned.startsWith('eval')) {
      compared++;
      if (/"[pqr]\d+":(?!\[\]|\{\})/.test(naive)) found++;
      if (naive !== planned) different.push(show(`planned ${planned}, found ${naive}`));
    }
    for (const [reversed, apart] of [
      [true, false],
      [false, true],
    ] as const) {
      const other = await answer(policy, reversed, apart, input);
      if (other !== undefined && other.planned !== planned) different.push(show(`${planned}, but ${other.planned} otherwise arranged`));
    }
  }
  if (process.env.WRIT_FUZZ_RUNS) console.log(`${compared} of ${runs} compared, ${found} with a value`);
  expect(different.slice(0, 5).join('\n\n')).toBe('');
  expect(compared).toBeGreaterThan(runs / 2);
  expect(found).toBeGreaterThan(runs / 5);
});
