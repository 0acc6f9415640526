/** Results in the Test Anything Protocol, version 14 (testanything.org). */
import { failureText } from '../../../engine/index.js';
import { passed, type TestResult } from '../result.js';

/** A test point for each test; below one that failed, a YAML block that says where and why. */
export function testsTap(results: readonly TestResult[]): string {
  const points = results.map((result, i) => point(result, i + 1));
  return `TAP version 14\n1..${results.length}\n${points.join('')}`;
}

function point(result: TestResult, number: number): string {
  const name = `${result.package}.${result.name}`.replace(/[\\#]/g, '\\$&');
  const isOk = passed(result) || result.skip;
  return `${isOk ? 'ok' : 'not ok'} ${number} - ${name}${result.skip ? ' # SKIP todo' : ''}\n${isOk ? '' : block(result)}`;
}

function block({ location, duration, error, why = [] }: TestResult): string {
  const message = error?.message ?? why.map((each) => failureText(each)).join('\n');
  const lines = [
    '---',
    `at: ${JSON.stringify(`${location.file}:${location.row}:${location.col}`)}`,
    `severity: ${error === undefined ? 'fail' : 'error'}`,
    `duration_ms: ${(duration / 1e6).toFixed(3)}`,
    ...(message === '' ? [] : ['message: |2-', ...message.split('\n').map((line) => `  ${line}`)]),
    '...',
  ];
  return lines.map((line) => `  ${line}\n`).join('');
}
