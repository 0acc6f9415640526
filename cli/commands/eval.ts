import { textOfFile } from '../../values/text/utf8.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import { checkQueryAndInput, evalFlags, wantsFlames, wantsPlanRuns } from '../eval/flags.js';
import { evaluateAll } from '../eval/rounds.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import type { FlagValues } from '../flags.js';
import type { Format } from '../output/output.js';
import { printOutput } from '../output/results.js';

export const evalCommand: Command = {
  name: 'eval',
  use: '<query>',
  short: 'Evaluate a Rego query',
  long: `Evaluate a Rego query and print the result.

A query is any query of the language, or the name of a plan in a bundle.

To evaluate a simple query:

    $ writ eval 'x := 1; y := 2; x < y'

To evaluate a query against policies and data:

    $ writ eval --data policy.rego --data data.json 'data.authz.allow'

To evaluate a rule of a bundle that holds a compiled plan, with an input:

    $ writ eval --bundle bundle.tar.gz --input input.json 'data.authz.allow'

To run a plan by its name:

    $ writ eval --bundle bundle.tar.gz --input input.json authz/allow

To see why it was answered so:

    $ writ eval --why --data policy.rego --input input.json 'data.authz.allow'

To see each statement of its plan, with the values that it reads and stores:

    $ writ eval --plan-trace --data policy.rego --input input.json 'data.authz.allow'

To see how often each statement runs, and how long:

    $ writ eval --plan-profile --data policy.rego --input input.json 'data.authz.allow'

To evaluate what is known, and print the conditions on what is not:

    $ writ eval --partial --unknowns input.record --data policy.rego 'data.authz.allow'

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
    --format=source    : with --partial: the queries and modules that are left
    --format=cpuprofile: with --profile: for Chrome's DevTools and editors
    --format=speedscope: with --profile: for https://www.speedscope.app

Each flag may also be set in the environment, as OPA_EVAL_<FLAG>: OPA_EVAL_FORMAT=raw.`,
  flags: evalFlags,
  async run(args, io) {
    validate(args);
    const { flags } = args;
    const queryText = flags.on('stdin') ? textOfFile(io.stdin()) : args.positionals[0]!;
    const observed = wantsPlanRuns(flags);
    const output = await evaluateAll(queryText, flags, io, observed);
    const isShown = observed && (await (await import('../recording/plan-tools.js')).showPlanRuns(queryText, output, flags, io));
    if (!isShown) printOutput(output, formatOf(flags), io, { limit: flags.number('pretty-limit'), varValues: flags.on('var-values') });
    if (output.errors.some(({ isBuiltinError }) => isBuiltinError !== true)) return exitCodes.evaluationError;
    const defined = output.results.length > 0 || (output.partial !== undefined && output.partial.queries.length > 0);
    return (flags.on('fail') && !defined) || (flags.on('fail-defined') && defined) ? exitCodes.failure : exitCodes.ok;
  },
};

/** Flags that show the evaluation of the plan. */
const planFlags = ['plan-trace', 'plan-profile'] as const;

/** Flags that change what others show, and which. */
const planOptions: readonly (readonly [flags: readonly string[], of: readonly string[]])[] = [
  [['at', 'func'], ['plan-trace']],
  [
    ['events', 'values'],
    ['plan-trace', 'record'],
  ],
  [['mask-decision'], ['record']],
  [['plan-profile-limit'], ['plan-profile']],
];

function validatePlanRuns(flags: FlagValues): void {
  if (wantsFlames(flags)) validateFlames(flags);
  for (const [options, of] of planOptions) {
    const given = options.find((flag) => flags.has(flag));
    if (given !== undefined && !of.some((flag) => flags.has(flag)))
      throw usageError(`--${given} goes with ${of.map((flag) => `--${flag}`).join(' or ')}`);
  }
  if (!wantsPlanRuns(flags)) return;
  const given = planFlags.filter((flag) => flags.has(flag));
  const asked = given[0] ?? 'record';
  const other = ['partial', 'why', 'explain', 'profile', 'coverage'].find((flag) => flags.has(flag));
  if (wantsFlames(flags)) return;
  if (given.length > 1) throw usageError('specify --plan-trace or --plan-profile but not both');
  if (other !== undefined && (asked !== 'record' || other === 'partial')) throw usageError(`specify --${asked} or --${other} but not both`);
  if (asked === 'plan-trace' && !['pretty', 'json'].includes(formatOf(flags)))
    throw usageError('--plan-trace prints with --format pretty or json');
  if (asked === 'plan-profile' && flags.has('format')) throw usageError('the format of a plan profile is --plan-profile=FORMAT');
  if (['events', 'values'].some((name) => (flags.number(name) ?? 0) < 0)) throw usageError('--events and --values must not be negative');
}

/** A profile for viewers of flame graphs is one of the plan's statements. */
function validateFlames(flags: FlagValues): void {
  const format = flags.text('format')!;
  if (!flags.on('profile')) throw usageError(`--format ${format} goes with --profile`);
  const other = ['partial', 'why', 'explain', 'coverage', 'plan-trace', 'plan-profile', 'profile-limit', 'profile-sort'].find((flag) =>
    flags.has(flag),
  );
  if (other !== undefined) throw usageError(`specify --format ${format} or --${other} but not both`);
}

/** An explanation is for people, unless the flags say otherwise. */
function formatOf(flags: FlagValues): Format {
  if ((flags.on('why') || flags.on('plan-trace')) && !flags.has('format')) return 'pretty';
  return (flags.text('format') ?? 'json') as Format;
}

function validate(args: Arguments): void {
  checkQueryAndInput(args);
  const { flags } = args;
  if (flags.on('fail') && flags.on('fail-defined')) throw usageError('specify --fail or --fail-defined but not both');
  const isPartial = flags.on('partial');
  if (flags.text('format') === 'source' && !isPartial) throw usageError('invalid output format for evaluation');
  if (isPartial && !['json', 'pretty', 'source', 'discard'].includes(formatOf(flags)))
    throw usageError('invalid output format for partial evaluation');
  if (flags.on('why') && (flags.on('partial') || (flags.text('explain') ?? 'off') !== 'off'))
    throw usageError('specify --why, --explain or --partial, but only one of them');
  validatePlanRuns(flags);
  if (flags.on('why') && !['pretty', 'json'].includes(formatOf(flags))) throw usageError('--why prints with --format pretty or json');
  if (['why-depth', 'why-size'].some((name) => (flags.number(name) ?? 0) < 0))
    throw usageError('--why-depth and --why-size must not be negative');
  if ((flags.number('count') ?? 1) < 1) throw usageError('--count must be at least 1');
  if ((flags.number('optimize') ?? 0) > 0 && flags.all('entrypoint').length === 0)
    throw new CommandError('bundle optimizations require at least one entrypoint', exitCodes.evaluationError);
  if (flags.text('target') === 'wasm') throw usageError('--target wasm is not supported: policies run as plans, on the VM');
  if (flags.on('strict-builtin-errors') && flags.on('show-builtin-errors')) {
    throw new CommandError(
      'cannot use --show-builtin-errors with --strict-builtin-errors, --strict-builtin-errors will return the first built-in error encountered immediately',
      exitCodes.evaluationError,
    );
  }
}
