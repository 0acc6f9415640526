import type { CompileOptions } from '../../compiler/index.js';
import type { TraceOptions } from '../../engine/index.js';
import type { PlainObject } from '../../values/index.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import {
  benchmemFlag,
  bundleModeFlag,
  capabilitiesFlag,
  compileOptions,
  coverageRunsFlag,
  failOnWarnFlag,
  givenCoverageRuns,
  ignoreFlag,
  maxErrorsFlag,
  schemaFlag,
  targetFlag,
  v0Flag,
  v1Flag,
  yamlFlag,
} from '../compile-flags.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import { group } from '../flags.js';
import type { Io } from '../io.js';
import type { ParsedFile } from '../load-policies.js';
import { errorText } from '../output/error-output.js';
import { noteUnreadPolicies } from '../sources/unread-policies.js';
import { testMatcher } from '../tester/discover.js';
import { loadTests } from '../tester/load-tests.js';
import { reportRun, wantsCoverage } from '../tester/reports/report-run.js';
import { type TestOptions, TestRun } from '../tester/test-run.js';
import type { WatchedTests } from '../tester/watched-tests.js';
import { findSourceWarnings } from '../warnings/find-source-warnings.js';
import { warningsGithub, warningsText } from '../warnings/warning-output.js';
import { watchFiles } from '../watch.js';

export const testCommand: Command = {
  name: 'test',
  use: '<path> [path [...]]',
  long: `Runs the tests of policies: all rules whose names begin with "test_". A test passes if it is true. Rules whose names begin with "todo_test_" are counted as skipped.

Paths are files or folders, with their *.rego, *.json and *.yaml files. A test with a variable in its name, test_add[tc.note] if { some tc in cases; … }, has a result for each case.

At a terminal, a failing test says why it failed.`,
  examples: [
    ['Run all tests of a folder', 'writ test policies data.json'],
    ['Run the tests whose names match', 'writ test -v -r owner policies data.json'],
    ['Run them again at each change', 'writ test --watch policies data.json'],
    ['Fail if less than 80 percent of the lines are covered', 'writ test --threshold 80 policies data.json'],
    ['Write the coverage as HTML pages', 'writ test --coverage -f html -o coverage policies data.json'],
    ['See whether the tests would notice a change', 'writ test --mutate policies data.json'],
    ['Report to a build server', 'writ test -f junit policies data.json'],
  ],
  flags: [
    ...group(
      'Tests',
      { name: 'run', short: 'r', type: 'string', usage: 'run only tests whose names match this regular expression' },
      { name: 'count', type: 'int', usage: 'run the tests so many times, or until one fails', default: '1' },
      { name: 'timeout', type: 'duration', usage: 'longest time of one test (default 5s, with --bench 30s)' },
      {
        name: 'parallel',
        short: 'p',
        type: 'int',
        usage:
          'how many tests run at the same time; one with --coverage, --var-values and --bench (default: the processors)',
      },
      {
        name: 'fixtures',
        type: 'string',
        usage: 'folder of JSON and YAML files, which tests find below data.fixtures',
      },
      { name: 'snapshots', type: 'string', usage: 'JSON file of values to compare with, below data.snapshots' },
      { name: 'update', type: 'bool', usage: 'write the values that tests compare with data.snapshots into that file' },
      { name: 'watch', short: 'w', type: 'bool', usage: 'run again when a file changes' },
      {
        name: 'exit-zero-on-skipped',
        short: 'z',
        type: 'bool',
        usage: 'exit with 0 if tests were skipped and none failed',
      },
      { name: 'fail-on-empty', type: 'bool', usage: 'exit with an error if there is no test' },
      failOnWarnFlag,
    ),
    ...group(
      'Report',
      {
        name: 'format',
        short: 'f',
        type: ['pretty', 'json', 'gobench'],
        ownWords: ['junit', 'tap', 'github', 'lcov', 'cobertura', 'html'],
        usage: 'form of the results; lcov, cobertura and html show the coverage',
        default: 'pretty',
      },
      {
        name: 'verbose',
        short: 'v',
        type: 'bool',
        usage: 'show every test, its output, and the trace of failing ones',
      },
      {
        name: 'why',
        type: ['on', 'off'],
        bare: 'on',
        usage:
          'say why a test failed: the expression, its values, and the rules behind it (default on at a terminal, and with -f junit, tap and github)',
      },
      { name: 'explain', type: ['fails', 'full', 'notes', 'debug'], usage: 'trace failing tests (with -v: fails)' },
      { name: 'var-values', type: 'bool', usage: 'show the values of variables where a test fails' },
      { name: 'sort', type: ['none', 'duration'], usage: 'with -f json: order of the results', default: 'none' },
    ),
    ...group(
      'Coverage',
      { name: 'coverage', short: 'c', type: 'bool', usage: 'show which lines the tests cover, instead of results' },
      { name: 'threshold', type: 'float', usage: 'percentage of lines that must be covered, else the command fails' },
      {
        name: 'file-threshold',
        type: 'float',
        usage: 'percentage of lines that must be covered in each file, else the command fails',
      },
      { name: 'output', short: 'o', type: 'string', usage: 'file to write the coverage to; with -f html a folder' },
      coverageRunsFlag,
    ),
    ...group(
      'Properties',
      {
        name: 'generate',
        type: 'int',
        bare: '1000',
        usage:
          'also try the rules prop_… with so many made inputs (--generate=1000), of the schema and of what the policies read; with --output FILE, failures are written as tests',
      },
      { name: 'seed', type: 'int', usage: 'with --generate: another number makes other inputs', default: '1' },
    ),
    ...group(
      'Mutation',
      {
        name: 'mutate',
        type: 'bool',
        usage:
          'change the policies in small ways, and show the changes that no test notices; with --threshold the percentage that they must notice, and with -f html pages in --output',
      },
      {
        name: 'since',
        type: 'string',
        usage: 'with --mutate: only lines that have changed since this revision of git',
      },
      {
        name: 'prove',
        type: 'bool',
        usage:
          'with --mutate: ask a solver (npm install z3-solver) which survivors change nothing, and for inputs that tell the others',
      },
    ),
    ...group('Time', { name: 'bench', type: 'bool', usage: 'measure how long each test takes' }, benchmemFlag),
    ...group(
      'Policies and data',
      bundleModeFlag,
      ignoreFlag,
      schemaFlag,
      capabilitiesFlag,
      maxErrorsFlag,
      targetFlag,
      v0Flag,
      v1Flag,
      yamlFlag,
    ),
  ],
  showsProgress: true,
  run: (args, io) => runTestCommand(args, io),
};

/** The modules, documents and options that tests find beside those of the command line. */
export interface TestSurroundings {
  readonly parsed: readonly ParsedFile[];
  readonly data: PlainObject;
  readonly compile: Pick<CompileOptions, 'builtins' | 'schemas' | 'schemaAnnotations'>;
}

/** @param beside makes the surroundings of loaded modules; left out, there are none */
export async function runTestCommand(
  args: Arguments,
  io: Io,
  beside?: (parsed: readonly ParsedFile[]) => Promise<TestSurroundings>,
): Promise<number> {
  const { flags, positionals } = args;
  const refused = await checkFlags(args, io);
  if (refused !== undefined) return refused;
  if (flags.on('mutate')) return await mutateAll(args, io).finally(() => io.progress?.end());
  if (flags.has('sort') && flags.text('format') !== 'json')
    io.stderr('warning: --sort is only supported with JSON format\n');
  // Coverage is that of all tests.
  const isSelective = flags.on('watch') && !wantsCoverage(flags);
  const watched = isSelective ? new (await import('../tester/watched-tests.js')).WatchedTests(io.stdout) : undefined;
  const runAll = () => testAll(args, io, watched, beside).finally(() => io.progress?.end());
  const exit = await runAll();
  if (!flags.on('watch')) return exit;
  await watchFiles(positionals, async () => void (await runAll()), {
    waiting: () => io.stdout(`${'*'.repeat(80)}\nWatching for changes ...\n`),
  });
  return exitCodes.ok;
}

/**
 * Throws a CommandError for flags that do not go together. Some end the command as the reference
 * does: with a sentence, and the exit code that is returned.
 */
async function checkFlags({ flags, positionals }: Arguments, io: Io): Promise<number | undefined> {
  if (positionals.length === 0) throw usageError('specify at least one file');
  if (flags.text('target') === 'wasm')
    throw usageError('--target wasm is not supported: policies run as plans, on the VM');
  if (flags.text('format') === 'gobench' && !flags.on('bench')) {
    io.stderr('cannot use output format gobench without running benchmarks (--bench)\n');
    return exitCodes.ok;
  }
  if (flags.text('format') === 'html' && !flags.has('output'))
    throw usageError('-f html needs a directory: --output DIR');
  const fileThreshold = flags.number('file-threshold') ?? 0;
  if (fileThreshold < 0 || fileThreshold > 100) throw usageError('--file-threshold must be between 0 and 100');
  const mutates = flags.on('mutate');
  if (mutates) (await import('../tester/mutation/mutate-command.js')).checkMutationFlags(flags);
  else {
    const other = ['since', 'prove'].find((name) => flags.has(name));
    if (other !== undefined) throw usageError(`--${other} goes with --mutate`);
  }
  checkGenerateFlags(flags);
  if (flags.has('output') && !mutates && !flags.has('generate') && !wantsCoverage(flags))
    throw usageError('--output goes with --coverage, --mutate or --generate, or with -f lcov, cobertura or html');
  const threshold = flags.number('threshold') ?? 0;
  if (threshold < 0 || threshold > 100) {
    io.stderr('Code coverage threshold must be between 0 and 100\n');
    return exitCodes.failure;
  }
  return undefined;
}

/** Throws a CommandError. */
function checkGenerateFlags(flags: Arguments['flags']): void {
  if (!flags.has('generate')) {
    if (flags.has('seed')) throw usageError('--seed goes with --generate');
    return;
  }
  if ((flags.number('generate') ?? 0) < 1) throw usageError('--generate must be at least 1');
  const other = ['mutate', 'bench', 'watch', 'count'].find((name) => flags.has(name));
  if (other !== undefined) throw usageError(`--${other} does not go with --generate`);
  if (wantsCoverage(flags)) throw usageError('coverage does not go with --generate');
}

/** Loads the policies and tries their mutants. */
async function mutateAll({ flags, positionals }: Arguments, io: Io): Promise<number> {
  const { mutationOptions, runMutation } = await import('../tester/mutation/mutate-command.js');
  const options = await mutationOptions(flags, await testMatcher(flags.text('run') ?? ''));
  try {
    const { parsed, data } = await loadTests(positionals, flags, options.capabilities, io);
    return await runMutation(parsed, data, options, flags, io);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    io.stderr(`${errorText(error, io)}\n`);
    return exitCodes.failure;
  }
}

/** Loads, compiles and runs; `--count` times, unless a test fails. */
async function testAll(
  { flags, positionals }: Arguments,
  io: Io,
  watched: WatchedTests | undefined,
  beside: Parameters<typeof runTestCommand>[2],
): Promise<number> {
  let run: TestRun;
  try {
    run = await prepare(
      positionals,
      flags,
      { ...(await testOptions(flags, io)), select: watched?.select.bind(watched) },
      io,
      beside,
    );
  } catch (error) {
    io.stderr(`${errorText(error, io)}\n`);
    return exitCodes.failure;
  }
  let exit: number = exitCodes.ok;
  for (let i = flags.number('count') ?? 1; i > 0 && exit === exitCodes.ok; i--)
    exit = await reportRun(run, flags, io, watched);
  const isWarned = beside === undefined && (await tellWarnings(run, positionals, flags, io));
  return exit === exitCodes.ok && isWarned && flags.on('fail-on-warn') ? exitCodes.failure : exit;
}

/** Tells the warnings about the tests and the policies, and answers whether there are any. */
async function tellWarnings(
  { sources: { compiled, data } }: TestRun,
  paths: readonly string[],
  flags: Arguments['flags'],
  io: Io,
): Promise<boolean> {
  const documents = async () => data;
  const found = await findSourceWarnings(compiled, { paths, documents });
  const format = flags.text('format') ?? 'pretty';
  const isGithub = format === 'github' && !wantsCoverage(flags);
  // Where scripts read the reference's formats, its stderr has no warning that may be none.
  const tellsAll =
    io.isTerminal?.('stderr') || flags.on('fail-on-warn') || !['pretty', 'json', 'gobench'].includes(format);
  const warnings = tellsAll ? found : found.filter(({ isCertain }) => isCertain);
  if (isGithub) io.stdout(warningsGithub(warnings));
  else io.stderr(warningsText(warnings, io));
  return warnings.length > 0;
}

async function testOptions(flags: Arguments['flags'], io: Io): Promise<TestOptions> {
  const benchmark = flags.on('bench');
  const coverage = wantsCoverage(flags);
  if (coverage && benchmark) throw new Error('coverage reporting is not supported when benchmarking tests');
  const pattern = flags.text('run') ?? '';
  return {
    compile: await compileOptions(flags),
    timeout: flags.number('timeout') || (benchmark ? 30_000 : 5_000),
    pattern,
    matches: await testMatcher(pattern),
    coverage,
    coverageRuns: givenCoverageRuns(flags),
    benchmark,
    allocations: flags.on('benchmem', true),
    parallel: flags.number('parallel') || undefined,
    failureLines: flags.on('var-values'),
    why: wantsWhy(flags, io),
    asWritten: io.isTerminal?.('stdout') === true,
    explain:
      flags.has('explain') || flags.on('verbose')
        ? ((flags.text('explain') ?? 'fails') as TraceOptions['mode'])
        : undefined,
  };
}

/** A run with traces or values of variables shows these alone. */
function wantsWhy(flags: Arguments['flags'], io: Io): boolean {
  if (flags.has('why')) return flags.text('why') === 'on';
  const format = flags.text('format') ?? 'pretty';
  // Reports in these formats are read by people, at the line of the test or in a build's report.
  if (['github', 'tap', 'junit'].includes(format)) return !flags.has('bench');
  const others = ['verbose', 'explain', 'var-values', 'bench'].some((flag) => flags.has(flag));
  return !others && !wantsCoverage(flags) && format === 'pretty' && io.isTerminal?.('stdout') === true;
}

/** Modules that take more than half a second to compile and plan. */
const manyModules = 200;

async function prepare(
  paths: readonly string[],
  flags: Arguments['flags'],
  options: TestOptions,
  io: Io,
  beside: Parameters<typeof runTestCommand>[2],
): Promise<TestRun> {
  const { parsed, data: loaded } = await loadTests(paths, flags, options.compile.capabilities, io);
  noteUnreadPolicies(paths, io);
  const data = flags.on('update') ? await updated(parsed, loaded, flags, options, io) : loaded;
  io.progress?.stage('checking and planning policies');
  const planned = async () => {
    const around = await beside?.(parsed);
    if (around === undefined) return await TestRun.prepare(parsed, data, options, io);
    const compile = { ...options.compile, ...around.compile };
    // Threads do not know these built-ins. Traces would show the modules around.
    const explain = options.explain && 'notes';
    const alone = { ...options, compile, explain, parallel: 1 } as const;
    return await TestRun.prepare([...around.parsed, ...parsed], { ...around.data, ...data }, alone, io);
  };
  return parsed.length < manyModules
    ? await planned()
    : await (await import('../eval/compile-tier.js')).withoutTurboFan(planned);
}

async function updated(
  parsed: readonly ParsedFile[],
  data: PlainObject,
  flags: Arguments['flags'],
  { compile, matches, timeout }: TestOptions,
  io: Io,
): Promise<PlainObject> {
  const { updateSnapshots } = await import('../tester/snapshots/snapshots.js');
  const update = { file: flags.text('snapshots')!, compile, matches, timeMs: timeout, keepsOthers: flags.has('run') };
  return await updateSnapshots(parsed, data, update, io);
}
