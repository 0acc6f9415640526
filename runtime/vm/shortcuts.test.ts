import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadProgram } from '../../engine/load-program.js';
import { loadPlan } from '../../ir-schema/validate.js';
import { generateDocument, generatePolicy } from '../../test/generators/plans/plan-generator.js';
import { answerOf, sameAnswer, showAnswer } from '../../test/harness/answers.js';
import { isLongSearch, randomCases } from '../../test/harness/set-up/random-cases.js';
import { expandPlan } from '../../test/harness/short-plan.js';
import { CacheSet } from '../../values/builtins/cache.js';
import { builtins } from '../../values/builtins/registry.js';
import { parseJson } from '../../values/json/json.js';
import { AnswerRecord } from '../evaluation/answer-record.js';
import { ArrayIndexes } from '../evaluation/array-indexes.js';
import type { CodegenMode } from '../evaluation/engine-context.js';
import { Evaluation } from '../evaluation/evaluation.js';
import { interpretPlan } from './plan-interpreter.js';

const context = (codegen: CodegenMode = 'never') => ({
  host: {},
  caches: new CacheSet(),
  runtime: {},
  dataIndexes: new ArrayIndexes(),
  codegen,
});
// Loops in loops over lists of lists: longer runs find no more.
const limits = { instructions: 200_000 };

const choices = fc.array(fc.nat(1000), { maxLength: 500, size: 'max' });
const documents = fc.tuple(fc.array(fc.nat(1000), { maxLength: 80, size: 'max' }), fc.array(fc.nat(1000), { maxLength: 80, size: 'max' }));

describe('an assembled program answers what a walk over the plan answers', () => {
  test.each([
    ['with errors, where no loop may end early', true],
    ['where loops may end early', false],
  ])('%s', async (_title, withoutEarlyExit) => {
    await fc.assert(
      fc.asyncProperty(choices, documents, async (plan, [inputChoices, dataChoices]) => {
        const policy = expandPlan(generatePolicy(plan, { withoutEarlyExit }));
        const input = () => parseJson(JSON.stringify(generateDocument(inputChoices)));
        const data = () => parseJson(JSON.stringify(generateDocument(dataChoices)));
        const executable = await loadProgram(policy, builtins);
        const walked = await loadProgram(policy, builtins, undefined, 0);
        const wanted = answerOf(() =>
          interpretPlan(
            loadPlan(policy),
            { plan: 'main', input: input(), data: data() },
            builtins,
            new Evaluation(context(), {}, new AnswerRecord()),
          ),
        );
        // Indexes and results of the data of one evaluation are used in the next ones.
        for (const codegen of ['never', 'always'] as const) {
          const kept = context(codegen);
          const documents = data();
          for (let i = 0; i < 3; i++) {
            const evaluation = new Evaluation(kept, limits, new AnswerRecord());
            const answer = answerOf(() => executable.run(executable.entrypoints.get('main')!, input(), documents, evaluation));
            if (i === 0 && codegen === 'never') {
              // With a limit of instructions nothing is walked.
              const short = new Evaluation(context(), {}, new AnswerRecord());
              const found = answerOf(() => walked.run(walked.entrypoints.get('main')!, input(), data(), short));
              if (!sameAnswer(found, answer)) expect(`walked ${showAnswer(found)}`).toBe(`walked ${showAnswer(answer)}`);
            }
            // A loop that has its answer need not find the conflict in a later round.
            if (!withoutEarlyExit && 'error' in wanted && !('error' in answer)) break;
            if (!sameAnswer(answer, wanted)) expect(`${codegen} ${showAnswer(answer)}`).toBe(`${codegen} ${showAnswer(wanted)}`);
          }
        }
      }),
      { numRuns: randomCases(300), endOnFailure: !isLongSearch },
    );
  });
});
