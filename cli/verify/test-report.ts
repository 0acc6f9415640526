/** The report of tests as conftest prints it. */
import type { TraceOptions } from '../../engine/index.js';
import { headline, outcomeCountsText, PrettyReport } from '../tester/report-pretty.js';
import { eachSubResult, outcome, outcomeCounts, type TestResult } from '../tester/result.js';

const line = `${'-'.repeat(80)}\n`;

/** @param mode the events that traces of failing tests show */
export function testReport(results: readonly TestResult[], mode: TraceOptions['mode'] | undefined): string {
  let text = '';
  const list = { verbose: true, failures: false, benchmark: false, goBench: false, color: false };
  const pretty = new PrettyReport(list, (part) => void (text += part));
  for (const result of results) pretty.add(result);
  const failures = results.filter((result) => outcome(result) === 'FAIL');
  if (failures.length > 0)
    text += `${line}FAILURES\n${line}${failures.map((failure) => failureText(failure, mode)).join('')}`;
  return `${text}${line}${outcomeCountsText(outcomeCounts(results))}`;
}

function failureText(failure: TestResult, mode: TraceOptions['mode'] | undefined): string {
  const trace = (failure.trace ?? []).map((row) => `  ${row}\n`).join('');
  const cases = [...eachSubResult(failure.subResults)].filter(
    ([, { fail, subResults }]) => fail && subResults.size === 0,
  );
  const names = cases
    .map(([path]) => path.map((name, depth) => `${'  '.repeat(depth + 1)}${name}: FAIL\n`).join(''))
    .join('');
  return `${headline(failure)}\n\n${trace}\n${names}${mode === 'notes' ? '' : placeText(failure)}\n`;
}

function placeText({ failedAt }: TestResult): string {
  if (failedAt === undefined) return '';
  const { location, text } = failedAt;
  const rows = text.split('\n').map((row) => `    ${row}\n`);
  return `  ${location.file}:${location.row}:\n${rows.join('')}\n`;
}
