/** Why a test failed: its own rules, and the decisions that they asked for. */
import { type Engine, type Explanation, explainAnswer, notedAnswers } from '../../engine/index.js';
import { EvaluationError } from '../../runtime/index.js';
import { isObject, lookup, type Value } from '../../values/index.js';
import type { TestRule } from './discover.js';
import { eachSubResult, type TestResult } from './result.js';
import type { TestProgram } from './test-program.js';

/** The most cases of a test that are explained. */
const shownCases = 8;

/**
 * Runs a failed test again, and explains it: the test, or the first of its cases that failed. None
 * where it does not fail again.
 * @param timeMs the limit of the test, and of each explanation
 */
export async function explainFailure(
  engine: Engine,
  program: TestProgram,
  test: TestRule,
  failure: Pick<TestResult, 'subResults'>,
  timeMs: number,
): Promise<readonly Explanation[]> {
  const noted = notedAnswers({ onPrint: () => undefined, timeMs });
  let value: Value | undefined;
  try {
    value = await program.value(test, noted.options);
  } catch (error) {
    if (error instanceof EvaluationError) return [];
    throw error;
  }
  const compiled = await engine.compiled();
  const documents = { input: undefined, data: engine.store.root };
  const explained: Explanation[] = [];
  for (const keys of failedCases(test, failure)) {
    const found = keys.reduce(
      (inner: Value | undefined, key) => (inner !== undefined && isObject(inner) ? lookup(inner, key) : undefined),
      value,
    );
    if (found === true) continue;
    const answered = { question: { path: [...test.path, ...keys] }, answer: { value: found }, documents };
    explained.push(await explainAnswer(compiled, answered, engine.context, { depth: 1 }, noted));
  }
  return explained;
}

/** The keys of the cases that failed, below the test; no key for a test without cases. */
function failedCases(
  { hasCases }: TestRule,
  { subResults }: Pick<TestResult, 'subResults'>,
): readonly (readonly string[])[] {
  const failed = [...eachSubResult(subResults)].filter(([, { fail, subResults }]) => fail && subResults.size === 0);
  return hasCases && failed.length > 0 ? failed.slice(0, shownCases).map(([names]) => names) : [[]];
}
