/** Explanations are made in steps, in each part of their work. */
import { expect, test } from 'vitest';
import { compileModules } from '../../../compiler/pipeline.js';
import { AnswerRecord } from '../../../runtime/evaluation/answer-record.js';
import { ArrayIndexes } from '../../../runtime/evaluation/array-indexes.js';
import { Evaluation } from '../../../runtime/evaluation/evaluation.js';
import { parsed } from '../../../test/generators/random-policy.js';
import { CacheSet } from '../../../values/builtins/cache.js';
import { nodeHost } from '../../../values/builtins/host/node.js';
import { whyLimits } from './explaining.js';
import { prepareExplanation } from './why.js';

const elements = 2000;
const data = { xs: Array.from({ length: elements }, (_, i) => i) };

async function stepsOf(policy: string, answer: object): Promise<number> {
  const compiled = compileModules({ modules: parsed([`package t\n\n${policy}`]) });
  const settings = { limits: whyLimits, masked: [] };
  const explain = await prepareExplanation(compiled, { path: ['t', 'allow'] }, { value: undefined, ...answer }, settings);
  const context = { host: nodeHost, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() };
  const steps = explain({ input: {}, data }, new Evaluation(context, {}, new AnswerRecord()));
  let count = 0;
  while (steps.next().done !== true) count++;
  return count;
}

const noise = 'x > 5000; x != 1; x != 2';

test.each([
  ['elements', `allow if { some x in data.xs; ${noise} }`, {}],
  ['the rule that is read', `allow if small > 5\n\nsmall := count([x | some x in data.xs; ${noise}])`, {}],
  ['a comprehension of the rule', `allow if count([x | some x in data.xs; ${noise}]) > 5`, {}],
  ['the condition of a rule that holds', `allow if count([x | some x in data.xs; not x > 5000]) > 5`, { value: true }],
  ['both sides of a comparison', `allow if [x | some x in data.xs; ${noise}] == [1 | some x in data.xs; ${noise}; x == 1; x == 3]`, {}],
  ['many rules', Array.from({ length: elements }, (_, i) => `allow if input.x == ${i}`).join('\n'), {}],
  ['many keys', Array.from({ length: elements }, (_, i) => `allow[${i}] if input.x`).join('\n'), {}],
])('%s', async (_place, policy, answer) => {
  const few = await stepsOf('allow if input.x', {});
  expect(await stepsOf(policy, answer)).toBeGreaterThan(few + elements / 64);
});
