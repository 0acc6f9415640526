/** Results as workflow commands of GitHub Actions, which show failures at their lines. */
import { failureText } from '../../../engine/index.js';
import { githubCommand } from '../../warnings/workflow-command.js';
import { outcomeCounts, passed, type TestResult } from '../result.js';
import { headline, outcomeCountsText } from './report-pretty.js';

/** A command for each test that did not pass, and the counts. */
export function testsGithub(results: readonly TestResult[]): string {
  return (
    results
      .filter((result) => !passed(result))
      .map(command)
      .join('') + outcomeCountsText(outcomeCounts(results))
  );
}

function command(result: TestResult): string {
  const { location, skip, error, why = [] } = result;
  const title = `${result.package}.${result.name}`;
  const lines =
    error === undefined
      ? [headline(result), ...why.map((each) => failureText(each))]
      : [headline(result), error.message];
  const { file, row } = location;
  return githubCommand(skip ? 'notice' : 'error', { file, row }, title, lines.join('\n'));
}
