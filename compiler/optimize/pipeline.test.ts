import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadProgram } from '../../engine/load-program.js';
import type { Policy } from '../../ir-schema/plan.js';
import { loadPlan, validatePlan } from '../../ir-schema/validate.js';
import { verify } from '../../ir-schema/verify/verify.js';
import { walkStatements } from '../../ir-schema/walk.js';
import { AnswerRecord } from '../../runtime/evaluation/answer-record.js';
import { ArrayIndexes } from '../../runtime/evaluation/array-indexes.js';
import { Evaluation } from '../../runtime/evaluation/evaluation.js';
import { interpretPlan } from '../../runtime/vm/plan-interpreter.js';
import { generateDocument, generatePolicy } from '../../test/generators/plans/plan-generator.js';
import { answerOf, sameAnswer, showAnswer } from '../../test/harness/answers.js';
import { isLongSearch, randomCases } from '../../test/harness/set-up/random-cases.js';
import { expandPlan, type ShortPolicy } from '../../test/harness/short-plan.js';
import { CacheSet } from '../../values/builtins/cache.js';
import { builtins } from '../../values/builtins/registry.js';
import { parseJson } from '../../values/json/json.js';
import type { Value } from '../../values/value.js';
import { countStatements } from './map-bodies.js';
import { type OnPass, optimizations, optimize } from './pipeline.js';

const context = () => ({ host: {}, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() });

/** An error at another place is another answer. */
const placedAnswerOf = (evaluate: () => readonly Value[]) => answerOf(evaluate, { withPlace: true });

/** The plan at a level, which every engine must take. */
function optimized(policy: Policy, level: 1 | 2): Policy {
  const result = optimize(policy, level);
  validatePlan(result);
  verify(result, builtins);
  return result;
}

/** Functions of the generator end with statements that never run; here they run first. */
function makersFirst(short: ShortPolicy): ShortPolicy {
  const funcs = Object.entries(short.funcs ?? {}).map(([name, func]) => {
    const makers = func.blocks.at(-1)!;
    return [name, { ...func, blocks: [makers, ...func.blocks.slice(0, -1)] }] as const;
  });
  return { ...short, funcs: Object.fromEntries(funcs) };
}

const choices = fc.array(fc.nat(1000), { maxLength: 500, size: 'max' });
const documents = fc.tuple(fc.array(fc.nat(1000), { maxLength: 80, size: 'max' }), fc.array(fc.nat(1000), { maxLength: 80, size: 'max' }));
const runs = { numRuns: randomCases(200), endOnFailure: !isLongSearch };

describe.each([1, 2] as const)('at level %i, any plan answers as before', (level) => {
  test.each([true, false])('walked over, strict %s', (strict) => {
    fc.assert(
      fc.property(choices, documents, fc.boolean(), (plan, [inputChoices, dataChoices], first) => {
        const short = generatePolicy(plan);
        const policy = loadPlan(expandPlan(first ? makersFirst(short) : short));
        const input = () => parseJson(JSON.stringify(generateDocument(inputChoices)));
        const data = () => parseJson(JSON.stringify(generateDocument(dataChoices)));
        const answer = (one: Policy) =>
          placedAnswerOf(() =>
            interpretPlan(
              one,
              { plan: 'main', input: input(), data: data() },
              builtins,
              new Evaluation(context(), { strictBuiltinErrors: strict }, new AnswerRecord()),
            ),
          );
        const wanted = answer(policy);
        const got = answer(optimized(policy, level));
        if (!sameAnswer(got, wanted)) expect(showAnswer(got)).toBe(showAnswer(wanted));
      }),
      runs,
    );
  });

  test('assembled', async () => {
    await fc.assert(
      fc.asyncProperty(choices, documents, fc.boolean(), async (plan, [inputChoices, dataChoices], first) => {
        const short = generatePolicy(plan, { withoutEarlyExit: true });
        const policy = loadPlan(expandPlan(first ? makersFirst(short) : short));
        const input = () => parseJson(JSON.stringify(generateDocument(inputChoices)));
        const data = () => parseJson(JSON.stringify(generateDocument(dataChoices)));
        const answer = async (one: Policy) => {
          const executable = await loadProgram(one, builtins);
          const main = executable.entrypoints.get('main')!;
          return placedAnswerOf(() =>
            executable.run(main, input(), data(), new Evaluation(context(), { instructions: 200_000 }, new AnswerRecord())),
          );
        };
        const wanted = await answer(policy);
        const got = await answer(optimized(policy, level));
        // The last instruction of a plan that exceeds its limit is no part of its meaning.
        if ([wanted, got].some((one) => 'error' in one && one.error.includes('instruction limit'))) return;
        if (!sameAnswer(got, wanted)) expect(showAnswer(got)).toBe(showAnswer(wanted));
      }),
      runs,
    );
  });
});

describe('the pipeline', () => {
  const policy = loadPlan(expandPlan(generatePolicy(Array.from({ length: 400 }, (_, i) => (i * 37) % 101))));
  const text = JSON.stringify(policy);

  test('level 0 returns the plan itself, and no level changes the plan given', () => {
    expect(optimize(policy, 0)).toBe(policy);
    for (const level of [1, 2] as const) optimize(policy, level);
    expect(JSON.stringify(policy)).toBe(text);
  });

  test('the same plan gives the same result', () => {
    for (const level of [1, 2] as const) {
      expect(JSON.stringify(optimize(policy, level))).toBe(JSON.stringify(optimize(JSON.parse(text) as Policy, level)));
    }
  });

  test('each pass of the level is reported in order, with the plan before and after it', () => {
    const reports: Parameters<OnPass>[] = [];
    const result = optimize(policy, 1, (...report) => reports.push(report));
    expect(reports.map(([{ name }]) => name)).toEqual(optimizations.filter(({ level }) => level === 1).map(({ name }) => name));
    expect(reports[0]![1]).toBe(policy);
    expect(reports.at(-1)![2]).toBe(result);
    for (const [i, [, before]] of reports.entries()) if (i > 0) expect(before).toBe(reports[i - 1]![2]);
    expect(countStatements(result)).toBeLessThan(countStatements(policy));
  });

  test('statements keep their positions', () => {
    const positions = new Set<string>();
    walkStatements(policy, ({ stmt: { row, col, end_col } }) => positions.add(`${row}:${col}-${end_col}`));
    walkStatements(optimize(policy, 2), ({ stmt: { row, col, end_col } }) => expect(positions).toContain(`${row}:${col}-${end_col}`));
  });
});
