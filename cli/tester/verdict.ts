/** Results of tests from the values of their rules. */
import { compileErrors } from '../../compiler/index.js';
import type { Value } from '../../values/index.js';
import type { TestRule } from './discover.js';
import { subResults, type TestResult } from './result.js';

/** Whether a test failed, with the results of its cases. */
export function judge(
  test: Pick<TestRule, 'hasCases'>,
  value: Value | undefined,
  cases: readonly (readonly Value[])[],
): Pick<TestResult, 'fail' | 'subResults'> {
  if (value === undefined) return { fail: true, subResults: new Map() };
  if (!test.hasCases) return { fail: value !== true, subResults: new Map() };
  const { fail, results } = subResults(value, cases);
  return { fail, subResults: results };
}

/** The result of a test that is skipped, or that is a function. */
export function notRun(test: TestRule): TestResult {
  return test.skip ? skipped(test) : notCalled(test);
}

/** The result of a function: the reference's error for the test's name as a query. */
function notCalled(test: TestRule): TestResult {
  const message = `function ${test.fullName} used as reference, not called`;
  const at = { file: '', row: 1, col: 1 };
  return {
    ...skipped(test),
    skip: false,
    error: compileErrors([{ code: 'rego_type_error', message, location: at, details: undefined }]),
  };
}

/** The result of a test that is not run. */
function skipped({ location, package: pkg, name }: TestRule): TestResult {
  return { location, package: pkg, name, duration: 0, fail: false, skip: true, output: '', subResults: new Map() };
}
