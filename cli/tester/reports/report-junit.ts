/** Results in the JUnit XML format. */
import { failureText } from '../../../engine/index.js';
import { escapedXml } from '../../output/xml.js';
import { eachSubResult, type TestResult } from '../result.js';

/** One suite per package, one test case per test; the cases of a test replace the test itself. */
export function testsJunit(results: readonly TestResult[]): string {
  const packages = [...new Set(results.map((result) => result.package))];
  const suites = packages.map((name) =>
    suite(
      name,
      results.filter((result) => result.package === name),
    ),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${totals(results)}>\n${suites.join('')}</testsuites>\n`;
}

function suite(name: string, results: readonly TestResult[]): string {
  return `  <testsuite name="${escapedXml(name)}"${totals(results)}>\n${results.flatMap(cases).join('')}  </testsuite>\n`;
}

function totals(results: readonly TestResult[]): string {
  const all = results.flatMap(verdicts);
  const count = (kind: Verdict['kind']) => all.filter((verdict) => verdict.kind === kind).length;
  const time = results.reduce((sum, { duration }) => sum + duration, 0);
  return ` tests="${all.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="${seconds(time)}"`;
}

interface Verdict {
  readonly name: string;
  readonly kind: 'pass' | 'failure' | 'error' | 'skipped';
}

function verdicts({ name, skip, fail, error, subResults }: TestResult): Verdict[] {
  if (skip) return [{ name, kind: 'skipped' }];
  if (error !== undefined) return [{ name, kind: 'error' }];
  const leaves = [...eachSubResult(subResults)].filter(([, sub]) => sub.subResults.size === 0);
  if (leaves.length === 0) return [{ name, kind: fail ? 'failure' : 'pass' }];
  return leaves.map(([names, sub]) => ({ name: `${name}[${names.join('][')}]`, kind: sub.fail ? 'failure' : 'pass' }));
}

function cases(result: TestResult): string[] {
  const { location, duration, output, error } = result;
  const all = verdicts(result);
  return all.map(({ name, kind }, i) => {
    const head = `    <testcase classname="${escapedXml(result.package)}" name="${escapedXml(name)}" file="${escapedXml(location.file)}" line="${location.row}" time="${seconds(duration / all.length)}"`;
    const parts = [
      kind === 'failure' ? failure(`${location.file}:${location.row}: ${name} failed`, whyOf(result, name)) : '',
      kind !== 'error' || error === undefined ? '' : `      <error message="${escapedXml(error.message)}"/>\n`,
      kind === 'skipped' ? '      <skipped/>\n' : '',
      output !== '' && i === 0 ? `      <system-out>${escapedXml(output)}</system-out>\n` : '',
    ].join('');
    return parts === '' ? `${head}/>\n` : `${head}>\n${parts}    </testcase>\n`;
  });
}

function failure(message: string, why: string): string {
  const head = `      <failure message="${escapedXml(message)}"`;
  return why === '' ? `${head}/>\n` : `${head}>${escapedXml(why)}</failure>\n`;
}

/** Why a test, or a case of it, failed. */
function whyOf({ why = [], subResults }: TestResult, name: string): string {
  const cases = [...eachSubResult(subResults)].filter(([, sub]) => sub.fail && sub.subResults.size === 0);
  const failed = cases.map(([names]) => names);
  return why
    .filter((_, i) => cases.length === 0 || name.endsWith(`[${failed[i]?.join('][')}]`))
    .map((each) => failureText(each))
    .join('\n');
}

function seconds(nanoseconds: number): string {
  return (nanoseconds / 1e9).toFixed(6);
}
