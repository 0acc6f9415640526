/** Runs the tests of policies: conftest's `verify`, and `writ verify --tests`. */

import { CompileErrors } from '../../compiler/index.js';
import { buildInfo, type TraceOptions } from '../../engine/index.js';
import { inSlices } from '../../values/index.js';
import { type CheckResult, exitCodeOf, resultsOf, tracesText } from '../../views/index.js';
import { ConfigFileError } from '../../views/node.js';
import type { Io } from '../io.js';
import type { TestRule } from '../tester/discover.js';
import { headline, outcomeCountsText, PrettyReport } from '../tester/reports/report-pretty.js';
import { caseKey, eachSubResult, outcome, outcomeCounts, type TestResult } from '../tester/result.js';
import { type TestOptions, TestRun } from '../tester/test-run.js';
import { type LoadedChecks, loadChecks } from './load-checks.js';
import { colorsOf, type OutputOptions, outputText } from './outputs.js';
import { engineOfChecks } from './run-checks.js';
import type { VerifySettings } from './settings.js';

/** The events that each report of a failing test shows. */
const reports: Readonly<Record<string, TraceOptions['mode']>> = { full: 'debug', notes: 'notes', fails: 'fails' };

/** Rejects with a ConfigFileError. */
export async function verifyTests(
  settings: VerifySettings,
  io: Io,
  { isConftest }: { readonly isConftest: boolean },
): Promise<number> {
  const mode = settings.text('report') ?? '';
  const loaded = await loadChecks(settings, { numbers: isConftest ? 'printed' : 'double', isConftest }).catch(told);
  const ran = await runTests(loaded, settings, io, reports[mode]).catch(told);
  const checks = ran.results.map(checkOf);
  const exit = exitCodeOf(checks, { noFail: false, failOnWarn: false });
  if (settings.on('quiet') && exit === 0) return exit;
  if ((mode !== '' || settings.on('var-values')) && !['stdout', 'places'].includes(settings.text('output') ?? ''))
    throw new ConfigFileError('report flag is supported with stdout only');
  if (reports[mode] !== undefined || settings.on('var-values')) io.stdout(testReport(ran.results, reports[mode]));
  else if (settings.on('trace')) await traced(ran.tests, checks, loaded, settings, io);
  else io.stdout(outputText(checks, settings, shownTests(settings, io, isConftest)));
  return exit;
}

function told(error: unknown): never {
  throw error instanceof ConfigFileError ? new ConfigFileError(`running verification: ${error.message}`) : error;
}

interface RanTests {
  readonly tests: readonly TestRule[];
  readonly results: readonly TestResult[];
}

async function runTests(
  loaded: LoadedChecks,
  settings: VerifySettings,
  io: Io,
  mode: TraceOptions['mode'] | undefined,
): Promise<RanTests> {
  const run = await prepared(loaded, settings, io, mode ?? (settings.on('var-values') ? 'fails' : undefined));
  const results: TestResult[] = [];
  for await (const result of run.results()) {
    if (result.error !== undefined) throw new ConfigFileError(`run test: ${result.error.message}`);
    results.push(result);
  }
  if (settings.on('show-builtin-errors')) await checkBuiltinErrors(run.tests, loaded, io);
  return { tests: run.tests, results };
}

async function prepared(
  { parsed, data, compile }: LoadedChecks,
  settings: VerifySettings,
  io: Io,
  explain: TraceOptions['mode'] | undefined,
): Promise<TestRun> {
  const namespaces = settings.list('namespace').filter((name) => name !== '');
  const isAsked = ({ package: name }: TestRule) =>
    namespaces.length === 0 || namespaces.some((wanted) => isNamed(name.replace(/^data\./, ''), wanted));
  const options: TestOptions = {
    compile,
    timeout: 30_000,
    pattern: '',
    matches: () => true,
    select: (tests) => tests.filter(isAsked),
    coverage: false,
    coverageRuns: [],
    benchmark: false,
    parallel: 1,
    allocations: false,
    failureLines: settings.on('var-values'),
    ruleKeys: true,
    located: explain !== undefined,
    why: false,
    asWritten: false,
    explain,
  };
  try {
    return await TestRun.prepare(parsed, data, options, io);
  } catch (error) {
    if (!(error instanceof CompileErrors)) throw error;
    throw new ConfigFileError(`load: loading policies: get compiler: ${error.message}`);
  }
}

/** Whether a package has a name, or is named by a shell pattern. */
function isNamed(name: string, pattern: string): boolean {
  const source = pattern.replace(/[.*+?^${}()|\\]/g, (char) =>
    char === '*' ? '.*' : char === '?' ? '.' : `\\${char}`,
  );
  return new RegExp(`^${source}$`).test(name);
}

function checkOf({ location, package: pkg, name, fail, skip }: TestResult): CheckResult {
  const result = { msg: `${pkg}.${name}` };
  const parts = skip ? { skipped: [result] } : fail ? { failures: [result] } : { successes: 1 };
  return resultsOf(location.file, '', parts);
}

function shownTests(settings: VerifySettings, io: Io, isConftest: boolean): OutputOptions {
  const colors = isConftest ? colorsOf(settings) : io.color && !settings.on('no-color');
  return { showsSkipped: true, isConftest, colors, version: buildInfo.version };
}

/** Ends with the first error of a built-in that a test meets. */
async function checkBuiltinErrors(tests: readonly TestRule[], loaded: LoadedChecks, io: Io): Promise<void> {
  const engine = await engineOfChecks(loaded, io);
  for (const { path, skip } of tests) {
    if (skip) continue;
    try {
      await engine.decide(path, undefined, { strictBuiltinErrors: true });
    } catch (error) {
      throw new ConfigFileError(`run test: ${(error as Error).message}`);
    }
  }
}

async function traced(
  tests: readonly TestRule[],
  checks: readonly CheckResult[],
  loaded: LoadedChecks,
  settings: VerifySettings,
  io: Io,
): Promise<void> {
  const engine = await engineOfChecks(loaded, io);
  const all: CheckResult[] = [];
  for (const [i, { name, path, skip, location }] of tests.entries()) {
    if (skip) continue;
    const trace = await engine.trace({ path }, undefined, {
      mode: 'debug',
      known: new Map(),
      prints: false,
      timeMs: 30_000,
    });
    const traces = (await inSlices(trace.toText())).map((line) => line.replace(/^\S*:\d+\s+/, ''));
    const query = { query: name, passed: checks[i]!.failures.length === 0, outputs: [], traces };
    all.push(resultsOf(location.file, '', { queries: [query] }));
  }
  const text = tracesText(all, !settings.on('no-color'));
  io.stderr(text);
  if (['stdout', 'places'].includes(settings.text('output') ?? '')) io.stdout(text);
  else io.stdout(outputText(checks, settings, shownTests(settings, io, true)));
}

/** The report of tests as conftest prints it. */
const line = `${'-'.repeat(80)}\n`;

/** @param mode the events that traces of failing tests show */
function testReport(results: readonly TestResult[], mode: TraceOptions['mode'] | undefined): string {
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
  const places = mode !== 'notes';
  const names = cases
    .map(([path]) => {
      const place = places ? placeText(failure.casesFailedAt?.get(caseKey(path))) : '';
      return path.map((name, depth) => `${'  '.repeat(depth + 1)}${name}: FAIL\n`).join('') + indented(place);
    })
    .join('');
  const own = places && cases.length === 0 ? placeText(failure.failedAt) : '';
  return `${headline(failure)}\n\n${trace}\n${names}${own}\n`;
}

/** The place of a case, in lines below it. */
function indented(text: string): string {
  if (text === '') return '';
  return ['', ...text.trimEnd().split('\n'), ''].map((row) => `    ${row}\n`).join('');
}

function placeText(failedAt: TestResult['failedAt']): string {
  if (failedAt === undefined) return '';
  const { location, text } = failedAt;
  const rows = text.split('\n').map((row) => `    ${row}\n`);
  return `  ${location.file}:${location.row}:\n${rows.join('')}\n`;
}
