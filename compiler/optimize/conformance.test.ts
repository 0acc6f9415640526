/**
 * Every plan of the conformance cases, the reference's and ours, answers the same at every level.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Policy } from '../../ir-schema/plan.js';
import { loadPlan, validatePlan } from '../../ir-schema/validate.js';
import { verify } from '../../ir-schema/verify/verify.js';
import { type Case, conformanceFolder, readCases } from '../../test/conformance/cases.js';
import { caseBuiltins, evaluateCase } from '../../test/conformance/evaluate.js';
import { planCase } from '../../test/conformance/rego.js';
import { toJson } from '../../values/json/json.js';
import { RegoSet } from '../../values/set.js';
import { optimize } from './pipeline.js';

const folder = conformanceFolder();
if (folder === undefined) console.warn('no conformance cases (WRIT_CONFORMANCE): optimised plans of them are not run');

/** The results in their order, or the error with its place. */
async function answerOf(one: Case, policy: Policy): Promise<string> {
  try {
    return toJson(new RegoSet(await evaluateCase(one, policy, 'eval')));
  } catch (error) {
    return (error as Error).message;
  }
}

/** The plan of a case; undefined where it does not compile, as many cases want. */
function planOf(one: Case, version: 'v0' | 'v1' | undefined): Policy | undefined {
  if (version === undefined) return loadPlan(one.plan);
  try {
    return planCase(one, version);
  } catch {
    return undefined;
  }
}

/** Cases whose answer differs at each call: clocks, random numbers. */
function isSteady(one: Case, answer: string, again: string): boolean {
  return answer === again && one.note !== 'time/time caching';
}

describe.skipIf(folder === undefined)('a plan of the cases answers alike at every level', () => {
  test.each([
    ['plans', undefined],
    ['rego/v1', 'v1'],
    ['rego/v0', 'v0'],
  ] as const)('%s', { timeout: 600_000 }, async (suite, version) => {
    const different: string[] = [];
    let compared = 0;
    for (const { case: one } of readCases(join(folder!, suite))) {
      const policy = planOf(one, version);
      if (policy === undefined) continue;
      const wanted = await answerOf(one, policy);
      for (const level of [1, 2] as const) {
        const optimized = optimize(policy, level);
        validatePlan(optimized);
        verify(optimized, caseBuiltins);
        const answer = await answerOf(one, optimized);
        compared++;
        if (answer === wanted || !isSteady(one, wanted, await answerOf(one, policy))) continue;
        different.push(`${one.note} at ${level}: ${answer} instead of ${wanted}`);
      }
    }
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(1000);
  });
});
