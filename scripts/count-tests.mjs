// The last line of .ci/run: node count-tests.mjs FAILED-STEPS (REPORT TEST-RUN-FAILED)... where
// each REPORT is the JSON report of a vitest run.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The tests that failed first and passed when they ran again, each with its first failure.
 * @param {string} reportText vitest's JSON report, empty if the run did not write one
 */
export function secondTries(reportText) {
  return testsOf(reportText)
    .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
    .map(({ fullName, failureMessages: [first] }) => `${fullName}: ${first.split('\n', 1)[0]}`);
}

/** @param {string} reportText */
const reportOf = (reportText) => (reportText.trim() === '' ? { testResults: [] } : JSON.parse(reportText));

/** @param {string} reportText */
const testsOf = (reportText) => reportOf(reportText).testResults.flatMap((file) => file.assertionResults);

/**
 * Counts tests, and failures other than tests: steps before the run, test files that did not load,
 * a run that failed as a whole.
 * @param {string} reportText vitest's JSON report, empty if the run did not write one
 * @param {number} failedSteps
 * @param {boolean} runFailed
 */
export function count(reportText, failedSteps, runFailed) {
  const withStatus = (...statuses) => testsOf(reportText).filter(({ status }) => statuses.includes(status)).length;
  const unloaded = reportOf(reportText).testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  );
  const failedTests = withStatus('failed') + unloaded.length;
  const unexplained = runFailed && failedTests === 0 ? 1 : 0;
  return {
    passed: withStatus('passed'),
    failed: failedTests + unexplained + failedSteps,
    skipped: withStatus('skipped', 'pending', 'todo', 'disabled'),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [failedSteps, ...runs] = process.argv.slice(2);
  const counts = [{ passed: 0, failed: Number(failedSteps), skipped: 0 }];
  for (let i = 0; i < runs.length; i += 2) {
    const report = readFileSync(runs[i], 'utf8');
    for (const line of secondTries(report)) console.log(`== passed when it ran again: ${line}`);
    counts.push(count(report, 0, Number(runs[i + 1]) > 0));
  }
  const sum = (of) => counts.reduce((total, each) => total + of(each), 0);
  const [passed, failed, skipped] = [
    sum((each) => each.passed),
    sum((each) => each.failed),
    sum((each) => each.skipped),
  ];
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exitCode = failed > 0 ? 1 : 0;
}
