import { textOfFile, type Value } from '../../values/index.js';
import type { ProfiledRun } from '../../views/index.js';
import type { Arguments } from '../args.js';
import {
  allocationRows,
  type Benchmark,
  benchmarkJson,
  benchmarkText,
  extraRows,
  measure,
  nanosecondsPerRun,
} from '../benchmark/benchmark.js';
import { histogramText } from '../benchmark/histogram-text.js';
import type { Comparison } from '../benchmark/saved-benchmark.js';
import { compareBenchmarks, comparisonRows, readSavedBenchmark, savedBenchmark } from '../benchmark/saved-benchmark.js';
import type { Command } from '../command.js';
import {
  benchmemFlag,
  bundleFlag,
  dataFlag,
  ignoreFlag,
  importFlag,
  inputFlag,
  packageFlag,
  schemaFlag,
  stdinFlag,
  stdinInputFlag,
  targetFlag,
  unknownsFlag,
  v0Flag,
  v1Flag,
  yamlFlag,
} from '../compile-flags.js';
import { checkQueryAndInput } from '../eval/eval-flags.js';
import { type EvalSources, loadSources, readInput } from '../eval/eval-sources.js';
import { checkSource, isPlanned, preparePlan } from '../eval/plan-results.js';
import { type PreparedQuery, prepareQuery } from '../eval/source-eval.js';
import { statistics } from '../eval/statistics.js';
import { Timers } from '../eval/timers.js';
import { exitCodes, usageError } from '../exit.js';
import { type FlagValues, group } from '../flags.js';
import type { Io } from '../io.js';
import { errorsJson, errorsText } from '../output/error-output.js';
import { outputErrors } from '../output/failures.js';
import { benchmarkNumber } from '../output/go-text.js';
import { orderedJson } from '../output/ordered-json.js';
import { rowsText, tableText } from '../output/table.js';
import { writeFile } from '../output/write-file.js';

const noServer = 'the command measures the evaluation alone, not a server';

export const benchCommand: Command = {
  name: 'bench',
  use: '<query>',
  long: `Measures how long a query takes. It is evaluated again and again, as 'eval' evaluates it.`,
  examples: [
    ['Measure a decision', 'writ bench -d policies -i input.json data.authz.allow'],
    ['Measure a bundle', 'writ bench -b bundle.tar.gz -i input.json data.authz.allow'],
    ['Also time the statements of the plan', 'writ bench --plan -d policies -i input.json data.authz.allow'],
    ['Keep a measurement', 'writ bench --count 5 --save before.json -d policies -i input.json data.authz.allow'],
    ['Compare with it', 'writ bench --count 5 --compare before.json -d policies -i input.json data.authz.allow'],
    ["Print Go's format, for benchstat", 'writ bench -f gobench --count 3 -d policies -i input.json data.authz.allow'],
  ],
  flags: [
    ...group('Policies and data', dataFlag, bundleFlag, ignoreFlag, schemaFlag, v0Flag, v1Flag, yamlFlag, targetFlag, {
      name: 'optimize-store-for-read-speed',
      type: 'bool',
      usage: 'keep documents in the form that is read fastest',
      ignored: 'documents are always read as they are',
    }),
    ...group('Query and input', inputFlag, stdinInputFlag, stdinFlag, packageFlag, importFlag),
    ...group(
      'Measuring',
      { name: 'count', type: 'int', usage: 'measure so many times', default: '1' },
      benchmemFlag,
      { name: 'metrics', type: 'bool', usage: 'show how long each stage took', default: 'true' },
      { name: 'plan', type: 'bool', usage: 'also count and time the statements of the plan' },
      {
        name: 'plan-profile-limit',
        type: 'int',
        usage: 'with --plan: how many statements are shown; 0 shows all',
        default: '20',
      },
      { name: 'save', type: 'string', usage: 'file to write the measurement to' },
      { name: 'compare', type: 'string', usage: 'file of a measurement to compare this one with' },
      { name: 'partial', short: 'p', type: 'bool', usage: 'measure partial evaluation' },
      unknownsFlag,
    ),
    ...group(
      'Output',
      {
        name: 'format',
        short: 'f',
        type: ['pretty', 'json', 'gobench'],
        usage: 'form of the output',
        default: 'pretty',
      },
      { name: 'fail', type: 'bool', usage: 'exit with an error if there is no result', default: 'true' },
    ),
    ...group(
      'Server',
      { name: 'e2e', type: 'bool', usage: 'send the query to a server', refused: noServer },
      { name: 'config-file', short: 'c', type: 'string', usage: 'configuration file, YAML or JSON', refused: noServer },
      {
        name: 'shutdown-grace-period',
        type: 'int',
        usage: 'seconds that open requests get at the end',
        ignored: noServer,
      },
      {
        name: 'shutdown-wait-period',
        type: 'int',
        usage: 'seconds to go on serving after the signal to stop',
        ignored: noServer,
      },
    ),
  ],
  async run(args, io) {
    validate(args);
    try {
      await bench(args, io);
      return exitCodes.ok;
    } catch (error) {
      const errors = outputErrors(error);
      if (args.flags.text('format') === 'json') io.stdout(errorsJson(errors));
      else io.stderr(`${errorsText(errors, io)}\n`);
      return exitCodes.failure;
    }
  },
};

function validate(args: Arguments): void {
  checkQueryAndInput(args);
  const { flags } = args;
  if (flags.on('plan') && flags.on('partial')) throw usageError('specify --plan or --partial but not both');
  if (flags.on('plan') && flags.text('format') === 'gobench')
    throw usageError('--plan prints with --format pretty or json');
  if (flags.has('compare') && flags.text('format') === 'gobench')
    throw usageError('--compare prints with --format pretty or json');
  if (flags.text('target') === 'wasm')
    throw usageError('--target wasm is not supported: policies run as plans, on the VM');
}

async function bench({ flags, positionals }: Arguments, io: Io): Promise<void> {
  const [query = ''] = positionals;
  const text = flags.on('stdin') ? textOfFile(io.stdin()) : query;
  const compare = flags.text('compare');
  const before = compare === undefined ? undefined : readSavedBenchmark(compare);
  const benchmarks: Benchmark[] = [];
  const input = await readInput(flags, io);
  const sources = await loadSources(flags, new Timers());
  const { holds, prepared } = await preparedQuery(text, sources, flags, io);
  const failsUndefined = flags.on('fail', true);
  const wantsMetrics = flags.on('metrics', true);
  for (let i = flags.number('count') ?? 1; i > 0; i--) {
    const run = async () => {
      if (!(await holds(input)) && failsUndefined) throw new Error('undefined result');
    };
    const benchmark = await measure(run, { allocations: flags.on('benchmem', true) });
    benchmarks.push(benchmark);
    const timer = flags.on('partial') ? 'rego_partial_eval' : 'rego_query_eval';
    const extra = wantsMetrics ? histogram(`timer_${timer}_ns`, benchmark.samples) : {};
    const format = flags.text('format') ?? 'pretty';
    const plan = flags.on('plan') ? await planProfile({ text, sources, prepared, input }, flags, io) : undefined;
    const compared = before && i === 1 ? compareBenchmarks(before, savedBenchmark(text, benchmarks)) : undefined;
    io.stdout(shown({ ...benchmark, extra }, format, { plan: plan?.runs, compared }));
    if (format === 'pretty' && io.isTerminal?.('stdout') === true) io.stdout(`\n${histogramText(benchmark.samples)}`);
    if (plan !== undefined && format !== 'json') io.stdout(`\n${plan.text}`);
    if (compared !== undefined && format === 'pretty') io.stdout(`\n${comparisonText(compared)}`);
  }
  if (before !== undefined && before.query !== text)
    io.stderr(`warning: ${compare} has another query: ${before.query}\n`);
  const save = flags.text('save');
  if (save !== undefined) writeFile(save, `${JSON.stringify(savedBenchmark(text, benchmarks), null, 2)}\n`);
}

function comparisonText(compared: readonly Comparison[]): string {
  return tableText(['', 'before', 'now', 'change'], comparisonRows(compared));
}

interface ProfiledQuery {
  readonly text: string;
  readonly sources: EvalSources;
  readonly prepared: PreparedQuery | undefined;
  readonly input: Value | undefined;
}

/** The profile of the plans that answer the query: many evaluations, statement by statement. */
async function planProfile({ text, sources, prepared, input }: ProfiledQuery, flags: FlagValues, io: Io) {
  const { planRuns } = await import('../recording/plan-runs.js');
  const { profiledRuns, profileTexts } = await import('../recording/plan-profile-output.js');
  const plans = await planRuns(text, sources, prepared, { flags, io, capabilities: undefined });
  const profiled = profiledRuns(plans, input, { known: new Map() }, profileMilliseconds);
  const limit = flags.number('plan-profile-limit');
  return { runs: profiled.map(({ run }) => run), text: profileTexts(profiled, plans, limit, io) };
}

/** The time of the evaluations that are profiled. */
const profileMilliseconds = 500;

interface MeasuredQuery {
  /** Whether it has a solution, or may have one. */
  readonly holds: (input: Value | undefined) => Promise<boolean>;
  /** The query, where policies are planned for it. */
  readonly prepared?: PreparedQuery;
}

async function preparedQuery(text: string, sources: EvalSources, flags: FlagValues, io: Io): Promise<MeasuredQuery> {
  if (flags.on('partial')) {
    checkSource('partial', text, sources, flags);
    const { preparePartially } = await import('../eval/partial-eval.js');
    const { evaluate } = await preparePartially(text, sources, flags, new Timers(), io);
    return { holds: async (input) => (await evaluate(input)).queries.length > 0 };
  }
  if (sources.bundle.plans.length > 0 && isPlanned(text, sources, flags)) {
    const run = await preparePlan(text, sources, flags, io);
    return { holds: async (input) => (await run(input)).length > 0 };
  }
  const prepared = await prepareQuery(text, sources, flags, new Timers(), io);
  return { holds: (input) => prepared.holds(input), prepared };
}

function histogram(timer: string, samples: readonly number[]): Readonly<Record<string, number>> {
  const entries = Object.entries(statistics(samples)).map(([name, value]) => [
    `histogram_${timer}_${name}`,
    Number(value),
  ]);
  return Object.fromEntries(entries) as Record<string, number>;
}

interface Beside {
  readonly plan: readonly ProfiledRun[] | undefined;
  readonly compared: readonly Comparison[] | undefined;
}

function shown(benchmark: Benchmark, format: string, { plan, compared }: Beside): string {
  if (format === 'json')
    return orderedJson({ ...benchmarkJson(benchmark), ...(plan && { plan }), ...(compared && { compared }) });
  if (format === 'gobench') return `BenchmarkOPAEval\t${benchmarkText(benchmark)}\n`;
  const rows = [
    ['samples', String(benchmark.runs)],
    ['ns/op', benchmarkNumber(nanosecondsPerRun(benchmark))],
    ...allocationRows(benchmark),
    ...extraRows(benchmark),
  ];
  return rowsText(
    rows.map((row) => row.map((cell) => cell.trim())),
    true,
  );
}
