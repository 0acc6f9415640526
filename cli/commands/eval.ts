import { textOfFile } from '../../values/index.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import { checkQueryAndInput, evalFlags, wantsFlames, wantsPlanRuns } from '../eval/eval-flags.js';
import { evaluateRounds } from '../eval/rounds.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import type { FlagValues } from '../flags.js';
import type { OutputFormat } from '../output/output.js';
import { printOutput } from '../output/results.js';

export const evalCommand: Command = {
  name: 'eval',
  use: '<query>',
  long: `Evaluate a Rego query over policies, data and an input, and print the result.

The query is any query of the language, or the name of an entrypoint in a bundle: authz/allow.

The forms of the output (-f):

    json          a JSON document with the results, errors and measurements
    pretty        for people: a table, or the value alone
    raw           for scripts: a value on each line, strings without quotes
    values        a JSON array on each line: the values of the expressions
    bindings      a JSON object on each line: the values of the variables
    source        with --partial: the conditions that are left, as policies
    discard       as json, without the results
    cpuprofile    with --profile: for Chrome's DevTools and editors
    speedscope    with --profile: for https://www.speedscope.app`,
  examples: [
    ['Try an expression', "writ eval -f pretty 'x := [1, 2, 3]; sum(x)'"],
    ['Decide about an input', 'writ eval -d policies -i input.json data.authz.allow'],
    ['Print the bare value, for a script', 'writ eval -f raw -d policies -i input.json data.authz.allow'],
    ['Say why the result is what it is', 'writ eval --why -d policies -i input.json data.authz.allow'],
    ['Fail unless the policy allows', "writ eval --fail -d policies -i input.json 'data.authz.allow == true'"],
    ['Ask a bundle', 'writ eval -b bundle.tar.gz -i input.json data.authz.allow'],
    ['Read the input from a pipe', 'cat input.json | writ eval -d policies -I data.authz.allow'],
    ['Find slow expressions', 'writ eval --profile -f pretty -d policies -i input.json data.authz.allow'],
    [
      'Show them as a flame graph in an editor',
      'writ eval --profile -f cpuprofile -d policies -i input.json data.authz.allow > allow.cpuprofile',
    ],
    ['Show the conditions on an input that is not known', 'writ eval --partial -f pretty -d policies data.authz.allow'],
    [
      'Show each statement of the plan, with its values',
      'writ eval --plan-trace -d policies -i input.json data.authz.allow',
    ],
  ],
  flags: evalFlags,
  async run(args, io) {
    validate(args);
    const { flags } = args;
    const [query = ''] = args.positionals;
    const queryText = flags.on('stdin') ? textOfFile(io.stdin()) : query;
    const observed = wantsPlanRuns(flags);
    const output = await evaluateRounds(queryText, flags, io, observed);
    const isShown =
      observed && (await (await import('../recording/plan-tools.js')).showPlanRuns(queryText, output, flags, io));
    if (!isShown)
      printOutput(output, formatOf(flags), io, {
        limit: flags.number('pretty-limit'),
        varValues: flags.on('var-values'),
      });
    if (io.isTerminal?.('stderr') && flags.has('data'))
      (await import('../sources/unread-policies.js')).noteUnreadPolicies(flags.all('data'), io);
    const warnings = output.warnings ?? [];
    if (warnings.length > 0) io.stderr((await import('../warnings/warning-output.js')).warningsText(warnings, io));
    if (output.errors.some(({ isBuiltinError }) => isBuiltinError !== true)) return exitCodes.evaluationError;
    if (warnings.length > 0 && flags.on('fail-on-warn')) return exitCodes.failure;
    const defined = output.results.length > 0 || (output.partial !== undefined && output.partial.queries.length > 0);
    return (flags.on('fail') && !defined) || (flags.on('fail-defined') && defined) ? exitCodes.failure : exitCodes.ok;
  },
};

/** Flags that show the evaluation of the plan. */
const planFlags = ['plan-trace', 'plan-profile'] as const;

/** Flags that change the output of others, and which. */
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
  if (other !== undefined && (asked !== 'record' || other === 'partial'))
    throw usageError(`specify --${asked} or --${other} but not both`);
  if (asked === 'plan-trace' && !['pretty', 'json'].includes(formatOf(flags)))
    throw usageError('--plan-trace prints with --format pretty or json');
  if (asked === 'plan-profile' && flags.has('format'))
    throw usageError('the format of a plan profile is --plan-profile=FORMAT');
  if (['events', 'values'].some((name) => (flags.number(name) ?? 0) < 0))
    throw usageError('--events and --values must not be negative');
}

/** A profile for viewers of flame graphs is one of the plan's statements. */
function validateFlames(flags: FlagValues): void {
  const format = flags.text('format')!;
  if (!flags.on('profile')) throw usageError(`--format ${format} goes with --profile`);
  const other = [
    'partial',
    'why',
    'explain',
    'coverage',
    'plan-trace',
    'plan-profile',
    'profile-limit',
    'profile-sort',
  ].find((flag) => flags.has(flag));
  if (other !== undefined) throw usageError(`specify --format ${format} or --${other} but not both`);
}

/** An explanation is for people, unless the flags say otherwise. */
function formatOf(flags: FlagValues): OutputFormat {
  if ((flags.on('why') || flags.on('plan-trace')) && !flags.has('format')) return 'pretty';
  return (flags.text('format') ?? 'json') as OutputFormat;
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
  if (flags.on('why') && !['pretty', 'json'].includes(formatOf(flags)))
    throw usageError('--why prints with --format pretty or json');
  if (['why-depth', 'why-size'].some((name) => (flags.number(name) ?? 0) < 0))
    throw usageError('--why-depth and --why-size must not be negative');
  if ((flags.number('count') ?? 1) < 1) throw usageError('--count must be at least 1');
  if ((flags.number('optimize') ?? 0) > 0 && flags.all('entrypoint').length === 0)
    throw new CommandError('bundle optimizations require at least one entrypoint', exitCodes.evaluationError);
  if (flags.text('target') === 'wasm')
    throw usageError('--target wasm is not supported: policies run as plans, on the VM');
  if (flags.on('strict-builtin-errors') && flags.on('show-builtin-errors')) {
    throw new CommandError(
      'cannot use --show-builtin-errors with --strict-builtin-errors, --strict-builtin-errors will return the first built-in error encountered immediately',
      exitCodes.evaluationError,
    );
  }
}
