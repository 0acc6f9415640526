/**
 * Random policies: each rule can be explained, and the explanation has the value that the rule has.
 * `WRIT_RUNS=10000` runs more policies, `WRIT_FUZZ_SEED` others.
 */
import { expect, test } from 'vitest';
import type { Compiled } from '../../../compiler/resolve/compiled.js';
import { AnswerRecord } from '../../../runtime/evaluation/answer-record.js';
import { ArrayIndexes } from '../../../runtime/evaluation/array-indexes.js';
import type { EngineContext } from '../../../runtime/evaluation/engine-context.js';
import { Evaluation } from '../../../runtime/evaluation/evaluation.js';
import { EvaluationError } from '../../../runtime/evaluation/evaluation-errors.js';
import type { Executable } from '../../../runtime/evaluation/executable.js';
import { randomCase } from '../../../test/generators/random-case.js';
import { compiledPolicy } from '../../../test/generators/random-policy.js';
import { prepareQueries } from '../../../test/harness/queries.js';
import { randomCases } from '../../../test/harness/set-up/random-cases.js';
import { expectExplanation } from '../../../test/harness/why/explanation-schema.js';
import { CacheSet } from '../../../values/builtins/cache.js';
import { nodeHost } from '../../../values/builtins/host/node.js';
import { lookup } from '../../../values/compare.js';
import { toPlain } from '../../../values/json/plain-form.js';
import { allAtOnce } from '../../../values/steps.js';
import type { Value } from '../../../values/value.js';
import { evaluateAll } from '../../evaluation/evaluate.js';
import { whyLimits } from './explaining.js';
import type { DocumentWhy, Explanation } from './explanation.js';
import { explanationText } from './explanation-text.js';
import { prepareExplanation } from './why.js';

const options = { timeMs: 20_000, timeNs: 0n, random: () => 0.5 };

function contextOf(): EngineContext {
  return { host: nodeHost, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() };
}

function run(executable: Executable, { input, data }: Documents): readonly Value[] {
  return evaluateAll([{ executable, plan: 0 }], { input, data }, contextOf(), options)[0]!;
}

interface Documents {
  readonly input: Value | undefined;
  readonly data: Value;
}

interface Answered {
  readonly value: Value | undefined;
  readonly error?: EvaluationError;
}

async function answerOf(compiled: Compiled, path: readonly string[], documents: Documents): Promise<Answered> {
  try {
    const [found] = run(await prepareQueries(compiled, [{ name: 'path', path }]), documents);
    return { value: found === undefined ? undefined : lookup(found, 'result') };
  } catch (error) {
    if (error instanceof EvaluationError) return { value: undefined, error };
    throw error;
  }
}

/** The paths of all rules but functions. */
function pathsOf(compiled: Compiled): readonly (readonly string[])[] {
  const paths = new Map<string, readonly string[]>();
  for (const { rules } of compiled.modules.values()) {
    for (const { rule, ref } of rules) {
      const end = ref.findIndex(({ type }, i) => i > 0 && type !== 'string');
      const path = ref.slice(1, end < 0 ? undefined : end).map((term) => (term.type === 'string' ? term.value : ''));
      if (rule.head.args === undefined) paths.set(path.join('/'), path);
    }
  }
  return [...paths.values()];
}

/** The document has the value of the decision. */
function expectSame({ outcome, documents }: Explanation, { value, error }: Answered): void {
  const wanted = error !== undefined ? 'error' : value === undefined ? 'undefined' : 'value';
  expect(outcome).toBe(wanted);
  const [document] = documents as [DocumentWhy];
  if (documents.length !== 1 || document.kind === 'base' || document.kind === 'none') return;
  expect(document.outcome).toBe(wanted);
  // Exact numbers are the nearest doubles, as in results.
  if (document.value?.value !== undefined) expect(document.value.value).toEqual(toPlain(value!));
  const holds = document.rules.some((rule) => rule.outcome === 'holds' || rule.outcome === 'default');
  if (document.kind === 'complete' && wanted === 'value') expect(holds).toBe(true);
  if (wanted === 'undefined') expect(holds).toBe(false);
}

const runs = randomCases(100);
const start = Number(process.env.WRIT_FUZZ_SEED ?? 1);

test('an explanation has the answer of the evaluation', { timeout: 36_000_000 }, async () => {
  let explained = 0;
  for (let seed = start; seed < start + runs; seed++) {
    const policy = randomCase(seed);
    if (policy === undefined) continue;
    const { data } = policy;
    const texts = [...policy.modules.values()];
    const [input] = policy.inputs;
    const compiled = compiledPolicy(texts);
    if (compiled === undefined) continue;
    for (const path of pathsOf(compiled)) {
      const answer = await answerOf(compiled, path, { input, data });
      const settings = { limits: { ...whyLimits, depth: 2 }, masked: [] };
      let text = '';
      try {
        const explain = await prepareExplanation(compiled, { path }, answer, settings);
        const { explanation } = allAtOnce(explain({ input, data }, new Evaluation(contextOf(), options, new AnswerRecord())));
        expectExplanation(JSON.parse(JSON.stringify(explanation)));
        text = explanationText(explanation);
        expectSame(explanation, answer);
        expect(text).not.toMatch(/__local|undefined is|\$\d/);
        explained++;
      } catch (error) {
        const shown = `seed ${seed}, data.${path.join('.')}, input ${JSON.stringify(input)}\n${texts.join('\n')}`;
        throw new Error(`${shown}\n${text}\n${(error as Error).message}`, { cause: error });
      }
    }
  }
  expect(explained).toBeGreaterThan(runs);
});
