/** Runs tests and reports their results, or the coverage. */
import { compileOptions } from '../../compile-flags.js';
import { filesText, thresholdText } from '../../coverage/coverage.js';
import { exitCodes } from '../../exit.js';
import type { FlagValues } from '../../flags.js';
import type { Io } from '../../io.js';
import { testMatcher } from '../discover.js';
import { passed, type TestResult } from '../result.js';
import type { TestRun } from '../test-run.js';
import type { WatchedTests } from '../watched-tests.js';
import { testsJson } from './report-json.js';
import { headline, PrettyReport } from './report-pretty.js';

/** Whether a command shows the coverage in the place of results. */
export function wantsCoverage(flags: FlagValues): boolean {
  const isAsked = flags.on('coverage') || ['threshold', 'file-threshold'].some((name) => (flags.number(name) ?? 0) > 0);
  return isAsked || ['lcov', 'cobertura', 'html'].includes(flags.text('format') ?? '');
}

/** Runs the tests, and tries properties where the command is to: answers with the exit code. */
export async function reportRun(
  run: TestRun,
  flags: FlagValues,
  io: Io,
  watched: WatchedTests | undefined,
): Promise<number> {
  const format = flags.text('format') ?? 'pretty';
  const isCoverage = wantsCoverage(flags);
  const verbose = flags.on('verbose');
  const streams = !isCoverage && (format === 'pretty' || format === 'gobench');
  const newReport = () =>
    new PrettyReport(
      {
        verbose,
        failures: verbose || flags.has('explain') || flags.on('var-values'),
        benchmark: flags.on('bench'),
        goBench: format === 'gobench',
        color: io.color && format === 'pretty',
      },
      (text) => io.stdout(text),
    );
  const pretty = newReport();
  const results: TestResult[] = [];
  const add = (result: TestResult) => {
    results.push(result);
    if (streams) pretty.add(result);
  };
  io.progress?.stage('running tests', run.tests.length);
  for await (const result of run.results()) {
    io.progress?.advance();
    add(result);
  }
  for await (const result of propertyResults(run, flags, io)) add(result);
  if (isCoverage) {
    const exit = await reportCoverage(run, results, flags, io, newReport);
    if (exit !== exitCodes.ok) return exit;
  } else if (streams) pretty.end();
  else io.stdout(await resultsText(format, results, flags));
  watched?.ran(run.allTests, run.sources, results);
  if (results.length === 0 && flags.on('fail-on-empty')) {
    io.stderr('no tests were run\n');
    return exitCodes.failure;
  }
  if (run.allTests.length === 0 && results.length === 0 && io.isTerminal?.('stderr'))
    io.stderr(`hint: ${noTests(run, flags)}\n`);
  const failed = results.some((result) => !passed(result) && !(result.skip && flags.on('exit-zero-on-skipped')));
  return failed ? exitCodes.testsFailed : exitCodes.ok;
}

async function resultsText(format: string, results: readonly TestResult[], flags: FlagValues): Promise<string> {
  switch (format) {
    case 'junit':
      return (await import('./report-junit.js')).testsJunit(results);
    case 'tap':
      return (await import('./report-tap.js')).testsTap(results);
    case 'github':
      return (await import('./report-github.js')).testsGithub(results);
    default:
      return testsJson(results, flags.text('sort') === 'duration');
  }
}

async function reportCoverage(
  run: TestRun,
  results: readonly TestResult[],
  flags: FlagValues,
  io: Io,
  failureReport: () => PrettyReport,
): Promise<number> {
  const failures = results.filter(({ fail, error }) => fail || error !== undefined);
  const [first] = failures;
  if (first !== undefined) {
    const pretty = failureReport();
    for (const failure of failures) pretty.add(failure);
    pretty.end();
    io.stderr(`${headline(first)}\n\n`);
    return exitCodes.failure;
  }
  const coverage = run.coverage();
  const threshold = flags.number('threshold') ?? 0;
  if (coverage.coverage < threshold) {
    io.stderr(`${thresholdText(coverage, threshold, flags.on('verbose'))}\n`);
    return exitCodes.testsFailed;
  }
  const tooLittle = filesText(coverage, flags.number('file-threshold') ?? 0, flags.on('verbose'));
  if (tooLittle !== '') {
    io.stderr(tooLittle);
    return exitCodes.testsFailed;
  }
  const { writeCoverage } = await import('../../coverage/write-coverage.js');
  writeCoverage(coverage, run.modules, { format: flags.text('format'), output: flags.text('output') }, io);
  return exitCodes.ok;
}

/** The results of properties, where these are tried; failures are written as tests. */
async function* propertyResults(run: TestRun, flags: FlagValues, io: Io): AsyncGenerator<TestResult> {
  const count = flags.number('generate');
  if (count === undefined) return;
  const { tryProperties } = await import('../generate/try-properties.js');
  const options = {
    compile: await compileOptions(flags),
    matches: await testMatcher(flags.text('run') ?? ''),
    count,
    seed: flags.number('seed') ?? 1,
    timeMs: flags.number('timeout') || 5_000,
  };
  const written: string[] = [];
  for await (const result of tryProperties(run.sources.parsed, run.sources.data, options, io)) {
    if (result.written !== undefined) written.push(result.written);
    yield result;
  }
  const output = flags.text('output');
  if (output !== undefined && written.length > 0)
    (await import('../generate/written-tests.js')).writeTests(output, written);
}

function noTests({ sources: { parsed } }: TestRun, flags: FlagValues): string {
  if (parsed.length === 0) return 'there are no policies here: no file ends in .rego';
  const named = flags.has('run') ? `whose name matches --run ${flags.text('run')}` : 'whose name begins with test_';
  return `there is no test: no rule ${named} in ${parsed.length === 1 ? '1 file' : `${parsed.length} files`}`;
}
