/** Random plans end alike on the VM and in generated code, errors, limits and places included. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadProgram } from '../../engine/load-program.js';
import { generateDocument, generatePolicy } from '../../test/generators/plans/plan-generator.js';
import { endOf } from '../../test/generators/shaped/ends.js';
import { isLongSearch, randomCases } from '../../test/harness/set-up/random-cases.js';
import { expandPlan } from '../../test/harness/short-plan.js';
import { CacheSet } from '../../values/builtins/cache.js';
import { builtins } from '../../values/builtins/registry.js';
import { parseJson, toJson } from '../../values/json/json.js';
import { RegoSet } from '../../values/set.js';
import type { Value } from '../../values/value.js';
import { AnswerRecord } from '../evaluation/answer-record.js';
import { ArrayIndexes } from '../evaluation/array-indexes.js';
import type { CodegenMode } from '../evaluation/engine-context.js';
import { Evaluation, EvaluationPool } from '../evaluation/evaluation.js';
import type { Executable } from '../evaluation/executable.js';

const choices = fc.array(fc.nat(1000), { maxLength: 500, size: 'max' });
const documents = fc.array(fc.nat(1000), { maxLength: 80, size: 'max' });

test('both tiers end alike', async () => {
  await fc.assert(
    fc.asyncProperty(choices, documents, documents, fc.nat(3000), async (plan, input, data, instructions) => {
      const executable = await loadProgram(expandPlan(generatePolicy(plan, { withoutEarlyExit: false })), builtins);
      const end = (codegen: CodegenMode) => ends(executable, document(input), document(data), codegen, instructions);
      expect(end('always')).toEqual(end('never'));
      const decide = (codegen: CodegenMode) => decided(executable, document(input), document(data), codegen, instructions);
      expect(decide('always')).toEqual(decide('never'));
    }),
    { numRuns: randomCases(300), endOnFailure: !isLongSearch },
  );
});

function document(choices: readonly number[]): Value {
  return parseJson(JSON.stringify(generateDocument(choices)));
}

const contextOf = (codegen: CodegenMode) => {
  return { host: {}, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes(), codegen };
};

/** The results of three evaluations, or errors with all places, and the work that was left. */
function ends(executable: Executable, input: Value, data: Value, codegen: CodegenMode, instructions: number): unknown[] {
  const context = contextOf(codegen);
  return [0, 1, 2].map(() => {
    const evaluation = new Evaluation(context, { instructions }, new AnswerRecord());
    const run = () => executable.run(executable.entrypoints.get('main')!, input, data, evaluation);
    return endOf(evaluation, run, (results) => toJson([...new RegoSet(results)]));
  });
}

/** Decisions one after the other, whose evaluations have the same state where they end well. */
function decided(executable: Executable, input: Value, data: Value, codegen: CodegenMode, instructions: number): unknown[] {
  const pool = new EvaluationPool(contextOf(codegen));
  return [0, 1, 2].map((i) => {
    const evaluation = pool.take({ instructions: instructions + i });
    const run = () => executable.decide(executable.entrypoints.get('main')!, input, data, evaluation);
    const end = endOf(evaluation, run, (value) => (value === undefined ? 'undefined' : toJson(value)));
    if ('left' in end) pool.give(evaluation);
    return end;
  });
}
