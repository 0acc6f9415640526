/**
 * Results as workflow commands of GitHub Actions, which show failures at their lines: `::error
 * file=…,line=…::…`. The source of the form: "Workflow commands for GitHub Actions" in GitHub's
 * documentation.
 */
import { failureText } from '../../query/why/explanation-text.js';
import { countsText, headline } from './report-pretty.js';
import { countsOf, passed, type TestResult } from './result.js';

/** A command for each test that did not pass, and the counts. */
export function resultsGithub(results: readonly TestResult[]): string {
  return (
    results
      .filter((result) => !passed(result))
      .map(command)
      .join('') + countsText(countsOf(results))
  );
}

function command(result: TestResult): string {
  const { location, skip, error, why = [] } = result;
  const title = `${result.package}.${result.name}`;
  const properties = `file=${property(location.file)},line=${location.row},title=${property(title)}`;
  const lines =
    error === undefined
      ? [headline(result), ...why.map((each) => failureText(each))]
      : [headline(result), error.message];
  return `::${skip ? 'notice' : 'error'} ${properties}::${message(lines.join('\n'))}\n`;
}

function message(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return message(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
