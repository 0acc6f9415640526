import type { CompileCapabilities } from '../../compiler/resolve/options.js';
import { LibraryEngine } from '../../engine/library/library-engine.js';
import { partOf } from '../../engine/paths/parts.js';
import { declaredOnly } from '../../runtime/builtins/declared.js';
import { builtins } from '../../runtime/builtins/registry.js';
import type { EvaluationOptions } from '../../runtime/evaluation/options.js';
import { nodeHost } from '../../runtime/host/node.js';
import { textOfFile } from '../../runtime/values/text/utf8.js';
import { isObject, type PlainObject, type Value } from '../../runtime/values/value.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import { givenCapabilities } from '../compile-flags.js';
import { evalFlags } from '../eval/flags.js';
import type { ExpressionProfile } from '../eval/profile.js';
import { parseQuery, type Query } from '../eval/query.js';
import { checkCapabilities, type EvalSources, loadSources, readInput } from '../eval/sources.js';
import { Timers } from '../eval/timers.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { outputErrors } from '../output/failures.js';
import { type AggregatedProfile, type Format, type Output, type OutputError, printOutput, type Result } from '../output/results.js';

export const evalCommand: Command = {
  name: 'eval',
  use: '<query>',
  short: 'Answer a query',
  long: `Answers a query.

A query is any query of the language, or the name of a plan in a bundle.

To evaluate a simple query:

    $ writ eval 'x := 1; y := 2; x < y'

To evaluate a query against policies and data:

    $ writ eval --data policy.rego --data data.json 'data.authz.allow'

To evaluate a rule of a bundle that holds a compiled plan, with an input:

    $ writ eval --bundle bundle.tar.gz --input input.json 'data.authz.allow'

To run a plan by its name:

    $ writ eval --bundle bundle.tar.gz --input input.json authz/allow

To read data from a file:

    $ writ eval --data data.json 'data.users'

Output Formats
--------------

    --format=json      : one JSON document with all that is known of the results
    --format=values    : for each result a line: a JSON array of the values of its expressions
    --format=bindings  : for each result a line: a JSON object of its variables
    --format=pretty    : for people: a table, or the value where there is one alone
    --format=raw       : for scripts: values on lines, texts without quotes
    --format=discard   : as json, with "discarded" in the place of the results

Each flag may also be set in the environment, as OPA_EVAL_<FLAG>: OPA_EVAL_FORMAT=raw.`,
  flags: evalFlags,
  async run(args, io) {
    validate(args);
    const { flags } = args;
    const queryText = flags.on('stdin') ? textOfFile(io.stdin()) : args.positionals[0]!;
    const output = await evaluateAll(queryText, flags, io);
    printOutput(output, (flags.text('format') ?? 'json') as Format, io, flags.number('pretty-limit') ?? 80);
    if (output.errors.some(({ isBuiltinError }) => isBuiltinError !== true)) return exitCodes.evaluationError;
    const defined = output.results.length > 0;
    return (flags.on('fail') && !defined) || (flags.on('fail-defined') && defined) ? exitCodes.failure : exitCodes.ok;
  },
};

function validate({ flags, positionals }: Arguments): void {
  const stdin = flags.on('stdin');
  if (positionals.length > 0 && stdin) throw usageError('specify query argument or --stdin but not both');
  if (positionals.length === 0 && !stdin) throw usageError('specify query argument or --stdin');
  if (positionals.length > 1) throw usageError('specify at most one query argument');
  if (stdin && flags.on('stdin-input')) throw usageError('specify --stdin or --stdin-input but not both');
  if (flags.on('stdin-input') && flags.text('input')) throw usageError('specify --stdin-input or --input but not both');
  if (flags.on('fail') && flags.on('fail-defined')) throw usageError('specify --fail or --fail-defined but not both');
  if (flags.text('format') === 'source') throw usageError('invalid output format for evaluation');
  if ((flags.number('count') ?? 1) < 1) throw usageError('--count must be at least 1');
  if ((flags.text('explain') ?? 'off') !== 'off')
    throw usageError('--explain is not supported: it needs the tracer, which is not part of this release');
  if (flags.text('target') === 'wasm') throw usageError('--target wasm is not supported: policies run as plans, on the VM');
  if (flags.on('strict-builtin-errors') && flags.on('show-builtin-errors')) {
    throw new CommandError(
      'cannot use --show-builtin-errors with --strict-builtin-errors, --strict-builtin-errors will return the first built-in error encountered immediately',
      exitCodes.evaluationError,
    );
  }
}

interface Round {
  readonly output: Output;
  readonly metrics: PlainObject;
}

/** Loads, then evaluates `--count` times; the results are those of the first round. */
async function evaluateAll(queryText: string, flags: FlagValues, io: Io): Promise<Output> {
  const count = flags.number('count') ?? 1;
  const wantsMetrics = flags.on('metrics') || flags.on('instrument') || wantsProfile(flags);
  const capabilities = await givenCapabilities(flags);
  const loading = new Timers();
  const input = await loading.time('rego_input_parse', () => readInput(flags, io));
  let sources: EvalSources;
  try {
    sources = await loadSources(flags, loading);
    if (capabilities !== undefined) checkCapabilities(sources.bundle, capabilities);
  } catch (error) {
    return { errors: outputErrors(error), results: [], ...(wantsMetrics && { metrics: loading.metrics }) };
  }
  const rounds: Round[] = [];
  for (let i = 0; i < count; i++) {
    const timers = new Timers();
    const output = await evaluateOnce(sources, queryText, input, flags, timers, io, capabilities);
    rounds.push({ output, metrics: { ...(i === 0 && loading.metrics), ...timers.metrics } });
  }
  const { output, metrics } = rounds[0]!;
  if (!wantsMetrics) return output;
  if (count === 1) return { ...output, metrics };
  const { statistics } = await import('../eval/statistics.js');
  const samples = (name: string) => rounds.map((round) => round.metrics[name]).filter((sample) => typeof sample === 'number');
  const { profile, ...rest } = output;
  return {
    ...rest,
    aggregatedMetrics: Object.fromEntries(Object.keys(metrics).map((name) => [name, statistics(samples(name))])),
    ...(profile && { aggregatedProfile: aggregatedProfile(profile, rounds, statistics) }),
  };
}

function wantsProfile(flags: FlagValues): boolean {
  return flags.on('profile') || flags.has('profile-limit') || flags.has('profile-sort');
}

/** The lines of the first round, with statistics of their times over all rounds. */
function aggregatedProfile(
  profile: readonly ExpressionProfile[],
  rounds: readonly Round[],
  statistics: (samples: readonly number[]) => PlainObject,
): AggregatedProfile[] {
  return profile.map(({ total_time_ns: _, ...line }) => {
    const { file, row } = line.location;
    const samples = rounds.flatMap(({ output }) =>
      (output.profile ?? []).filter(({ location }) => location.file === file && location.row === row).map((each) => each.total_time_ns),
    );
    return { total_time_ns_stats: statistics(samples), ...line };
  });
}

async function evaluateOnce(
  sources: EvalSources,
  text: string,
  input: Value | undefined,
  flags: FlagValues,
  timers: Timers,
  io: Io,
  capabilities: CompileCapabilities | undefined,
): Promise<Output> {
  const builtinErrors: OutputError[] = [];
  const options: EvaluationOptions = {
    strictBuiltinErrors: flags.on('strict-builtin-errors'),
    timeMs: flags.number('timeout') ?? 0,
    onPrint: (line: string) => io.stderr(`${line}\n`),
    ...(flags.on('show-builtin-errors') && {
      onBuiltinError: ({ code, message }: { code: string; message: string }) => builtinErrors.push(builtinError(code, message)),
    }),
  };
  try {
    if (!isPlanned(text, sources, flags)) {
      const { prepareQuery } = await import('../eval/source-eval.js');
      const query = await prepareQuery(text, sources, flags, timers, io);
      return { errors: builtinErrors, ...(await query.run(input, options)) };
    }
    const engine = await timers.time('rego_query_compile', () =>
      LibraryEngine.open([sources.bundle], {
        platform: { host: nodeHost },
        env: io.env as Record<string, string>,
        allowNet: capabilities?.allow_net,
        builtins: declaredOnly(capabilities, builtins),
      }),
    );
    const scope = { plans: engine.entrypoints, package: flags.text('package'), imports: flags.all('import') };
    const query = await timers.time('rego_query_parse', () => parseQuery(text, scope));
    if (query === undefined) throw unknownQuery(text, engine.entrypoints);
    const results = await timers.time('rego_query_eval', () => resultsOf(engine, query, input, options));
    return { errors: builtinErrors, results };
  } catch (error) {
    return { errors: [...outputErrors(error), ...builtinErrors], results: [] };
  }
}

/**
 * Whether the loaded plans can answer a query, so that nothing has to be compiled: a plan by its
 * name, or the document that a plan was made for; without any policies, any path.
 */
function isPlanned(text: string, { bundle, loose }: EvalSources, flags: FlagValues): boolean {
  const plans = bundle.plans.flatMap(({ policy }) => planNames(policy));
  if (plans.includes(text.trim())) return true;
  if (flags.on('coverage') || wantsProfile(flags)) return false;
  const modules = bundle.modules.length + (loose?.modules.length ?? 0);
  const query = parseQuery(text, { plans, package: flags.text('package'), imports: flags.all('import') });
  if (modules === 0) return plans.length > 0 || query !== undefined;
  const changesMeaning = flags.on('strict') || flags.has('schema') || (loose?.modules.length ?? 0) > 0;
  return !changesMeaning && query?.kind === 'data' && plans.includes(query.path.join('/'));
}

function planNames(policy: unknown): string[] {
  const plans = (policy as { plans?: { plans?: unknown } | null } | null)?.plans?.plans;
  return Array.isArray(plans) ? plans.map((row) => String((row as { name?: unknown } | null)?.name)) : [];
}

function unknownQuery(text: string, entrypoints: readonly string[]): Error {
  const plans =
    entrypoints.length === 0 ? 'there are none' : `there are ${entrypoints.slice(0, 10).join(', ')}${entrypoints.length > 10 ? ', …' : ''}`;
  return new Error(
    `query ${JSON.stringify(text.trim())} needs policies in source, and there are only plans: ask for a document (data.authz.allow) or a plan by its name (${plans})`,
  );
}

async function resultsOf(
  engine: LibraryEngine,
  query: Query,
  input: Value | undefined,
  options: Parameters<LibraryEngine['resultSet']>[2],
): Promise<Result[]> {
  if (query.kind === 'plan') return (await engine.resultSet(query.name, input, options)).map((bindings) => planResult(query, bindings));
  const path = query.path.map(String);
  const value = query.kind === 'input' ? partOf(input, path) : await engine.valueAsync(path.join('/'), input, options);
  return value === undefined ? [] : [{ expressions: [expression(query, value)], bindings: {} }];
}

/**
 * A plan for a decision binds `result`, which is then the value; for other plans, the bindings are
 * shown.
 */
function planResult(query: Query, bindings: Value): Result {
  if (!isObject(bindings)) return { expressions: [expression(query, bindings)], bindings: {} };
  const names = Object.keys(bindings);
  if (names.length === 1 && names[0] === 'result')
    return { expressions: [expression(query, (bindings as PlainObject).result!)], bindings: {} };
  return { expressions: [expression(query, true)], bindings: bindings as PlainObject };
}

function expression({ text, row, col }: Query, value: Value) {
  return { value, text, location: { row, col } };
}

function builtinError(code: string, message: string): OutputError {
  return { message, code, text: `${code}: ${message}`, isBuiltinError: true };
}
