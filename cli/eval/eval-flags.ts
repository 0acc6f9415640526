/** The flags of `eval`. */
import type { OnPlug, TraceOptions } from '../../engine/index.js';
import type { Arguments } from '../args.js';
import {
  capabilitiesFlag,
  coverageRunsFlag,
  dataFlag,
  failOnWarnFlag,
  ignoreFlag,
  importFlag,
  inputFlag,
  packageFlag,
  schemaFlag,
  stdinFlag,
  stdinInputFlag,
  strictFlag,
  targetFlag,
  unknownsFlag,
  v0Flag,
  v1Flag,
  yamlFlag,
} from '../compile-flags.js';
import { usageError } from '../exit.js';
import { type Flag, type FlagValues, group } from '../flags.js';
import { formats } from '../output/output.js';
import type { Timers } from './timers.js';

/** Formats of profiles for viewers of flame graphs. */
const flameFormats: readonly string[] = ['cpuprofile', 'speedscope'];

export const evalFlags: readonly Flag[] = [
  ...group(
    'Policies and data',
    dataFlag,
    {
      name: 'bundle',
      short: 'b',
      type: 'string',
      repeated: true,
      usage: 'bundle to load: an archive, a directory or a plan',
    },
    ignoreFlag,
    {
      name: 'optimize-store-for-read-speed',
      type: 'bool',
      usage: 'keep documents in the form that is read fastest',
      ignored: 'documents are always read as they are',
    },
  ),
  ...group('Query and input', inputFlag, stdinInputFlag, stdinFlag, packageFlag, importFlag, {
    name: 'entrypoint',
    short: 'e',
    type: 'string',
    repeated: true,
    usage: 'path of a rule to plan, with slashes: authz/allow',
  }),
  ...group(
    'Result',
    {
      name: 'format',
      short: 'f',
      type: formats,
      ownWords: flameFormats,
      usage: 'form of the output, see above',
      default: 'json',
    },
    { name: 'fail', type: 'bool', usage: 'exit with 1 if there is no result' },
    { name: 'fail-defined', type: 'bool', usage: 'exit with 1 if there is a result' },
    { name: 'pretty-limit', type: 'int', usage: 'width at which -f pretty cuts off values (default: not at all)' },
    { name: 'show-builtin-errors', type: 'bool', usage: 'print the errors of built-ins with the result' },
    { name: 'strict-builtin-errors', type: 'bool', usage: 'end with the first error of a built-in' },
    { name: 'timeout', type: 'duration', usage: 'longest time of the evaluation, such as 500ms or 5s; 0 is no limit' },
  ),
  ...group(
    'Why',
    { name: 'why', type: 'bool', usage: 'explain the result by the rules: what holds, and what fails first' },
    { name: 'why-depth', type: 'int', usage: 'with --why: how many levels of rules are shown', default: '1' },
    { name: 'why-size', type: 'int', usage: 'with --why: characters at which values are cut off', default: '100' },
    {
      name: 'explain',
      type: ['off', 'full', 'notes', 'fails', 'debug'],
      usage: 'trace the evaluation: all of it, calls of trace, or what fails',
      default: 'off',
    },
    { name: 'var-values', type: 'bool', usage: 'with --explain: show the values of variables' },
  ),
  ...group(
    'Time and coverage',
    { name: 'metrics', type: 'bool', usage: 'show how long each stage took' },
    { name: 'instrument', type: 'bool', usage: 'also time the parts of compiling and evaluating (implies --metrics)' },
    { name: 'count', type: 'int', usage: 'evaluate so many times, for --metrics and --profile', default: '1' },
    { name: 'profile', type: 'bool', usage: 'count and time the evaluations of each expression' },
    { name: 'profile-limit', type: 'int', usage: 'how many expressions a profile shows', default: '10' },
    {
      name: 'profile-sort',
      type: 'string',
      repeated: true,
      usage: 'order of a profile: total_time_ns, num_eval, num_redo, num_gen_expr, file or line',
    },
    { name: 'coverage', type: 'bool', usage: 'show which lines were evaluated' },
    coverageRunsFlag,
  ),
  ...group(
    'Statements of the plan',
    { name: 'plan-trace', type: 'bool', usage: 'show each statement as it runs, with its values' },
    {
      name: 'at',
      type: 'string',
      usage: 'with --plan-trace: only the statements at an address or at FILE:LINE[:COLUMN]',
    },
    { name: 'func', type: 'string', usage: 'with --plan-trace: only the statements of this plan or function' },
    {
      name: 'plan-profile',
      type: ['text', 'json', 'speedscope', 'chrome', 'cpuprofile'],
      bare: 'text',
      usage: 'count and time the statements: as text, as JSON, or for viewers of flame graphs (default text)',
    },
    {
      name: 'plan-profile-limit',
      type: 'int',
      usage: 'how many statements a profile shows; 0 shows all',
      default: '20',
    },
    {
      name: 'record',
      type: 'string',
      usage: 'file to record the evaluation in, FILE.writtrace, for writ inspect --web',
    },
    {
      name: 'mask-decision',
      type: 'string',
      usage: 'with --record: policy that masks values (default system/log/mask, if there is one)',
    },
    { name: 'events', type: 'int', usage: 'with --plan-trace or --record: stop after so many events; 0 is no limit' },
    {
      name: 'values',
      type: 'int',
      usage: 'with --plan-trace or --record: characters at which values are cut off; 0 is no limit',
    },
  ),
  ...group(
    'Partial evaluation',
    {
      name: 'partial',
      short: 'p',
      type: 'bool',
      usage: 'evaluate what is known, and print the conditions on what is not',
    },
    unknownsFlag,
    { name: 'disable-inlining', type: 'string', repeated: true, usage: 'rules that stay as they are' },
    { name: 'shallow-inlining', type: 'bool', usage: 'keep rules that read unknown documents as rules' },
    { name: 'nondeterminstic-builtins', type: 'bool', usage: 'call built-ins such as http.send and time.now_ns' },
  ),
  ...group(
    'Compiling',
    schemaFlag,
    strictFlag,
    failOnWarnFlag,
    capabilitiesFlag,
    { name: 'optimize', short: 'O', type: 'int', usage: 'level of optimization, 0, 1 or 2: results stay the same' },
    { name: 'disable-early-exit', type: 'bool', usage: 'evaluate rules to their end, also when the value is certain' },
    { name: 'disable-indexing', type: 'bool', usage: 'evaluate all rules, without the index of their conditions' },
    targetFlag,
    v0Flag,
    { name: 'v1-compatible', type: 'bool', usage: v1Flag.usage },
    yamlFlag,
  ),
];

/**
 * Throws a CommandError unless there is one query, as an argument or on standard input, and at most
 * one input.
 */
export function checkQueryAndInput({ flags, positionals }: Arguments): void {
  const stdin = flags.on('stdin');
  if (positionals.length > 0 && stdin) throw usageError('specify query argument or --stdin but not both');
  if (positionals.length === 0 && !stdin) throw usageError('specify query argument or --stdin');
  if (positionals.length > 1) throw usageError('specify at most one query argument');
  if (stdin && flags.on('stdin-input')) throw usageError('specify --stdin or --stdin-input but not both');
  if (flags.on('stdin-input') && flags.text('input')) throw usageError('specify --stdin-input or --input but not both');
}

/** Whether timers are requested. */
export function wantsMetrics(flags: FlagValues): boolean {
  return flags.on('metrics') || flags.on('instrument') || wantsProfile(flags);
}

/** Takes the times of replacing bindings by values, where the parts of the evaluation are timed. */
export function onPlug(flags: FlagValues, timers: Timers): OnPlug | undefined {
  return flags.on('instrument') ? (nanoseconds) => timers.observe('plug', nanoseconds) : undefined;
}

/** The explanation that is requested. */
export function explainMode(flags: FlagValues): TraceOptions['mode'] | undefined {
  const mode = flags.text('explain') ?? 'off';
  return mode === 'off' ? undefined : (mode as TraceOptions['mode']);
}

/** Whether a profile is requested. */
export function wantsProfile(flags: FlagValues): boolean {
  return !wantsFlames(flags) && (flags.on('profile') || flags.has('profile-limit') || flags.has('profile-sort'));
}

/** Whether `--format` is one for viewers of flame graphs. */
export function wantsFlames(flags: FlagValues): boolean {
  return flameFormats.includes(flags.text('format') ?? '');
}

/** The format of a profile of the plan; undefined if none is requested. */
export function planProfileFormat(flags: FlagValues): string | undefined {
  return flags.text(wantsFlames(flags) ? 'format' : 'plan-profile');
}

/** Whether the plan is evaluated again, for those who watch its statements. */
export function wantsPlanRuns(flags: FlagValues): boolean {
  return flags.has('record') || flags.on('plan-trace') || planProfileFormat(flags) !== undefined;
}

/** How much an explanation shows. */
export function whyLimitsOfFlags(flags: FlagValues): { readonly depth: number; readonly valueSize: number } {
  return { depth: flags.number('why-depth') ?? 1, valueSize: flags.number('why-size') ?? 100 };
}
