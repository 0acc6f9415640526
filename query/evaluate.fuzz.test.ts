/**
 * Random policies: the evaluator and plans on the VM give the same results and errors.
 * `WRIT_RUNS=100000` runs more policies, `WRIT_FUZZ_SEED` others.
 */
import { expect, test } from 'vitest';
import { compileQuery } from '../compiler/pipeline.js';
import { plan } from '../compiler/plan/planner.js';
import type { Compiled, CompiledQuery } from '../compiler/resolve/compiled.js';
import { parseQuery } from '../compiler/syntax/query.js';
import { evaluateAll } from '../engine/evaluation/evaluate.js';
import { loadProgram } from '../engine/load-program.js';
import { CacheSet } from '../runtime/builtins/cache.js';
import { builtins } from '../runtime/builtins/registry.js';
import { ArrayIndexes } from '../runtime/evaluation/array-indexes.js';
import { EvaluationError } from '../runtime/evaluation/errors.js';
import type { Executable } from '../runtime/evaluation/executable.js';
import { nodeHost } from '../runtime/host/node.js';
import { compare } from '../runtime/values/compare.js';
import { toJson } from '../runtime/values/json/json.js';
import type { Value } from '../runtime/values/value.js';
import { PolicyGenerator } from '../test/generators/policy-generator.js';
import { compiledPolicy, data, inputs, isPlannable, textsOf } from '../test/generators/random-policy.js';
import { prepareQueries } from './evaluate.js';

interface CompiledPolicy {
  readonly compiled: Compiled;
  readonly query: CompiledQuery;
}

function compiledWithQuery(texts: readonly string[], text: string): CompiledPolicy | undefined {
  const compiled = compiledPolicy(texts);
  const query = compiled && compileQuery(compiled, parseQuery(text));
  return query && isPlannable(query.diagnostics) ? { compiled, query } : undefined;
}

/** The solutions in the language's order, or the error with its place. */
function answer(executable: Executable, input: Value | undefined): string {
  const context = { host: nodeHost, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() };
  const options = { timeMs: 20_000, timeNs: 0n, random: () => 0.5 };
  try {
    return toJson(
      evaluateAll([{ executable, plan: executable.entrypoints.get('eval')! }], input, data, context, options)[0]!
        .slice()
        .sort(compare),
    );
  } catch (error) {
    if (error instanceof EvaluationError) return error.message;
    throw error;
  }
}

/** An executable of one query over whole sets and objects. */
async function overWholes({ compiled, query }: CompiledPolicy): Promise<Executable> {
  return await prepareQueries(compiled, [{ name: 'eval', query }], { wholes: true });
}

function isError(answer: string): boolean {
  return !answer.startsWith('[');
}

function codeOf(error: string): string | undefined {
  return /\beval_\w+/.exec(error)?.[0];
}

const runs = Number(process.env.WRIT_RUNS ?? 150);
const start = Number(process.env.WRIT_FUZZ_SEED ?? 1);

test('the evaluator answers as plans do', { timeout: 36_000_000 }, async () => {
  const different: string[] = [];
  const counts = { compared: 0, errors: 0, values: 0, atOtherKeys: 0, onlyOverWholes: 0 };
  const isReported = process.env.WRIT_RUNS !== undefined;
  for (let seed = start; seed < start + runs; seed++) {
    if (isReported && (seed - start) % 5000 === 0) console.log(`seed ${seed}: ${JSON.stringify(counts)}, ${different.length} differ`);
    const generator = new PolicyGenerator(seed);
    const policy = generator.policy();
    const input = inputs[generator.below(inputs.length)];
    const texts = textsOf(policy, false, false);
    const found = compiledWithQuery(texts, policy.query);
    if (found === undefined) continue;
    const { compiled, query } = found;
    const shown = `${texts.join('\n')}\nquery ${policy.query}\ninput ${JSON.stringify(input)}`;
    let planned: string;
    let evaluated: string;
    let whole: string;
    try {
      planned = answer(await loadProgram(plan(compiled, [{ name: 'eval', query }]), builtins), input);
      evaluated = answer(await prepareQueries(compiled, [{ name: 'eval', query }]), input);
      whole = answer(await overWholes(found), input);
    } catch (error) {
      different.push(`seed ${seed}: crash: ${(error as Error).message}\n${shown}`);
      if (isReported) console.log(different.at(-1), error);
      continue;
    }
    counts.compared++;
    if (isError(planned) && isError(evaluated)) counts.errors++;
    else if (!isError(evaluated) && evaluated !== '[]') counts.values++;
    // What it answers over wholes is a plan's answer. After an error the caller asks a plan.
    if (!isError(whole) && whole !== planned) different.push(`seed ${seed}: planned ${planned}, over wholes ${whole}\n${shown}`);
    if (isError(whole) && !isError(planned)) counts.onlyOverWholes++;
    // Of two errors the plan may come to the other one first, since the evaluator goes on with a
    // rule's first value before it looks for conflicts.
    const isSame = isError(planned) ? codeOf(planned) === codeOf(evaluated) : planned === evaluated;
    if (isSame) continue;
    // Where a statement may ask for many keys, a plan evaluates the whole of a set, an object or a
    // package first. So it comes to conflicts at keys that the evaluator does not ask for.
    if (codeOf(planned) === 'eval_conflict_error' && codeOf(whole) === codeOf(planned)) {
      counts.atOtherKeys++;
      continue;
    }
    different.push(`seed ${seed}: planned ${planned}, evaluated ${evaluated}\n${shown}`);
    if (isReported) console.log(different.at(-1));
  }
  if (isReported) console.log(`of ${runs}: ${JSON.stringify(counts)}; ${different.length} differ`);
  expect(different.slice(0, 5).join('\n\n')).toBe('');
  expect(counts.compared).toBeGreaterThan(runs / 3);
  expect(counts.values).toBeGreaterThan(runs / 8);
  // About one in 150: of the first 150 policies three.
  expect(counts.onlyOverWholes).toBeLessThan(3 + runs / 100);
  expect(counts.atOtherKeys).toBeLessThan(1 + runs / 1000);
});
