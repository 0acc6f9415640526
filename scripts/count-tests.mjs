// The last line of .ci/run: node count-tests.mjs REPORT FAILED-STEPS TEST-RUN-FAILED. REPORT is vitest's JSON report.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Counts tests, and failures that are no test: steps before the run, test files that did not load, a run that failed as a whole.
 * @param {string} reportText vitest's JSON report, empty if the run did not come so far
 * @param {number} failedSteps
 * @param {boolean} runFailed
 */
export function count(reportText, failedSteps, runFailed) {
  const report = reportText.trim() === '' ? { testResults: [] } : JSON.parse(reportText);
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const withStatus = (...statuses) => tests.filter(({ status }) => statuses.includes(status)).length;
  const unloaded = report.testResults.filter(
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
  const [reportFile, failedSteps, runFailed] = process.argv.slice(2);
  const { passed, failed, skipped } = count(readFileSync(reportFile, 'utf8'), Number(failedSteps), Number(runFailed) > 0);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exitCode = failed > 0 ? 1 : 0;
}
