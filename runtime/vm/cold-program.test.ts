import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compile } from '../../compiler/compile.js';
import { loadProgram } from '../../engine/load-program.js';
import type { Policy } from '../../ir-schema/plan.js';
import { loadPlan } from '../../ir-schema/validate.js';
import { generateDocument, generatePolicy } from '../../test/generators/plans/plan-generator.js';
import { answerOf, showAnswer } from '../../test/harness/answers.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { expandPlan } from '../../test/harness/short-plan.js';
import { CacheSet } from '../../values/builtins/cache.js';
import { builtins } from '../../values/builtins/registry.js';
import { parseJson } from '../../values/json/json.js';
import type { Value } from '../../values/value.js';
import { linkCold } from '../codegen/link.js';
import { packExecutable, unpackExecutable } from '../codegen/packed-executable.js';
import { AnswerRecord } from '../evaluation/answer-record.js';
import { ArrayIndexes } from '../evaluation/array-indexes.js';
import { Evaluation } from '../evaluation/evaluation.js';
import type { EvaluationOptions } from '../evaluation/evaluation-options.js';
import type { Executable } from '../evaluation/executable.js';

function evaluationOf(options: EvaluationOptions = {}): Evaluation {
  const context = { host: {}, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() };
  return new Evaluation(context, { timeNs: 0n, random: () => 0.5, ...options }, new AnswerRecord());
}

function answer(executable: Executable, plan: string, input: Value, data: Value, options?: EvaluationOptions): string {
  const run = () => executable.run(executable.entrypoints.get(plan)!, input, data, evaluationOf(options));
  return showAnswer(answerOf(run, { withPlace: true }));
}

function policyOf(module: string): Policy {
  return loadPlan(compile({ policies: { 'p.rego': `package p\n\n${module}` }, entrypoints: ['p/x'] }));
}

const choices = fc.array(fc.nat(1000), { maxLength: 500, size: 'max' });
const documents = fc.array(fc.nat(1000), { maxLength: 80, size: 'max' });

test('random plans end alike in a cold program and in an analysed one', async () => {
  await fc.assert(
    fc.asyncProperty(choices, documents, documents, async (plan, inputChoices, dataChoices) => {
      const policy = expandPlan(generatePolicy(plan, { withoutEarlyExit: false }));
      const [input, data] = [inputChoices, dataChoices].map((each) => parseJson(JSON.stringify(generateDocument(each)))) as [Value, Value];
      const analysed = await loadProgram(policy, builtins);
      expect(answer(linkCold(loadPlan(policy), builtins), 'main', input, data)).toBe(answer(analysed, 'main', input, data));
    }),
    { numRuns: randomCases(300) },
  );
});

const long = 'x := count({n | some a in numbers.range(1, 300); some b in numbers.range(1, 300); n := a + b}) if print("begun")';

test('a long run begins again in the analysed program, which has all later ones', async () => {
  const executable = linkCold(policyOf(long), builtins);
  let printed: string[] = [];
  let restarts = 0;
  const options: EvaluationOptions = {
    onPrint: (line) => printed.push(line),
    onRestart: () => {
      printed = [];
      restarts++;
    },
  };
  const wanted = '[{"result":599}]';
  expect(answer(executable, 'p/x', {}, {}, options)).toBe(wanted);
  expect([printed, restarts]).toEqual([['begun'], 1]);
  expect(answer(executable, 'p/x', {}, {}, options)).toBe(wanted);
  expect([printed, restarts]).toEqual([['begun', 'begun'], 1]);
});

test('many short runs do the work of a long one', async () => {
  const executable = linkCold(policyOf('x := sum([n | some n in numbers.range(1, 50)]) if print("begun")'), builtins);
  let restarts = 0;
  for (let i = 0; i < 3000; i++) answer(executable, 'p/x', {}, {}, { onRestart: () => restarts++ });
  expect(restarts).toBeLessThanOrEqual(1);
  expect(answer(executable, 'p/x', {}, {})).toBe('[{"result":1275}]');
});

test.each([
  ['instructions', { instructions: 20_000 }, 'instruction limit reached'],
  ['time', { timeMs: 1e-6 }, 'query execution timed out'],
  ['another that takes its turn', { isPreempted: () => true }, 'others take their turn'],
])('a limit of the caller ends a cold run: %s', async (_title, options, message) => {
  expect(answer(linkCold(policyOf(long), builtins), 'p/x', {}, {}, options)).toContain(message);
});

test('a cold program is packed as an analysed one', async () => {
  const executable = linkCold(policyOf(long), builtins);
  const unpacked = await unpackExecutable(packExecutable(executable), builtins);
  expect(answer(unpacked, 'p/x', {}, {})).toBe('[{"result":599}]');
});
