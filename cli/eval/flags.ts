/** The flags of `eval`. */
import type { ExplainOptions } from '../../engine/evaluation/trace.js';
import type { OnPlug } from '../../query/plug-timer.js';
import type { Arguments } from '../args.js';
import { capabilitiesFlag, coverageRunsFlag, dataFlag, ignoreFlag, schemaFlag, v0Flag, yamlFlag } from '../compile-flags.js';
import { usageError } from '../exit.js';
import type { Flag, FlagValues } from '../flags.js';
import { formats } from '../output/output.js';
import type { Timers } from './timers.js';

/** Formats of profiles for viewers of flame graphs. */
const flameFormats: readonly string[] = ['cpuprofile', 'speedscope'];

export const evalFlags: readonly Flag[] = [
  {
    name: 'bundle',
    short: 'b',
    type: 'string',
    repeated: true,
    usage: 'bundle to load: an archive, a directory or a plan file',
  },
  capabilitiesFlag,
  { name: 'at', type: 'string', usage: 'with --plan-trace: only the statements at an address or at FILE:LINE[:COLUMN]' },
  { name: 'count', type: 'int', usage: 'how often each benchmark runs', default: '1' },
  { name: 'coverage', type: 'bool', usage: 'show which lines were evaluated' },
  coverageRunsFlag,
  dataFlag,
  { name: 'disable-early-exit', type: 'bool', usage: 'do not leave a loop once its result is certain' },
  { name: 'disable-indexing', type: 'bool', usage: 'try every rule, without the index over their conditions' },
  {
    name: 'disable-inlining',
    type: 'string',
    repeated: true,
    usage: 'rules that partial evaluation leaves as they are',
  },
  {
    name: 'entrypoint',
    short: 'e',
    type: 'string',
    repeated: true,
    usage: 'path of a rule to plan, with slashes: authz/allow',
  },
  {
    name: 'explain',
    type: ['off', 'full', 'notes', 'fails', 'debug'],
    usage: 'show how the query is evaluated',
    default: 'off',
  },
  { name: 'fail', type: 'bool', usage: 'exit with 1 if there is no result' },
  { name: 'fail-defined', type: 'bool', usage: 'exit with 1 if there is a result' },
  { name: 'format', short: 'f', type: [...formats, ...flameFormats], usage: 'layout of the output', default: 'json' },
  { name: 'events', type: 'int', usage: 'with --plan-trace or --record: events at which it is cut; 0 is no limit' },
  ignoreFlag,
  { name: 'func', type: 'string', usage: 'with --plan-trace: only the statements of a plan or function' },
  { name: 'import', type: 'string', repeated: true, usage: 'import for the query' },
  { name: 'input', short: 'i', type: 'string', usage: 'file of the input document, JSON or YAML' },
  {
    name: 'instrument',
    type: 'bool',
    usage: 'also time the parts of compiling and evaluating (implies --metrics)',
  },
  { name: 'mask-decision', type: 'string', usage: 'with --record: policy that masks values (default system/log/mask, if there is one)' },
  { name: 'metrics', type: 'bool', usage: 'show how long each stage took' },
  {
    name: 'nondeterminstic-builtins',
    type: 'bool',
    usage: 'call non-deterministic built-ins during partial evaluation',
  },
  { name: 'optimize', short: 'O', type: 'int', usage: 'optimization level: 0, 1 or 2; optimizing changes no answer' },
  {
    name: 'optimize-store-for-read-speed',
    type: 'bool',
    usage: 'keep documents in the form that is read fastest',
    ignored: 'documents are always read as they are',
  },
  { name: 'package', type: 'string', usage: 'package that the query is evaluated in' },
  { name: 'partial', short: 'p', type: 'bool', usage: 'evaluate what is known and print the rest' },
  {
    name: 'plan-profile',
    type: ['text', 'json', 'speedscope', 'chrome', 'cpuprofile'],
    bare: 'text',
    usage: 'count and time the statements of the plan: for people, programs, or viewers of flame graphs (default text)',
  },
  { name: 'plan-profile-limit', type: 'int', usage: 'statements that a plan profile shows for people; 0 shows all', default: '20' },
  { name: 'plan-trace', type: 'bool', usage: 'show each statement of the plan as it runs, with its values' },
  { name: 'pretty-limit', type: 'int', usage: 'width at which -f pretty cuts values off (default: not at all)' },
  { name: 'profile', type: 'bool', usage: 'count and time the evaluations of each expression' },
  { name: 'profile-limit', type: 'int', usage: 'number of expressions that a profile shows', default: '10' },
  {
    name: 'profile-sort',
    type: 'string',
    repeated: true,
    usage: 'keys that sort a profile: total_time_ns, num_eval, num_redo, num_gen_expr, file or line',
  },
  { name: 'record', type: 'string', usage: 'file to record the evaluation in, for writ inspect --web: FILE.writtrace' },
  schemaFlag,
  { name: 'shallow-inlining', type: 'bool', usage: 'keep rules that depend on unknowns as rules' },
  { name: 'show-builtin-errors', type: 'bool', usage: 'print the errors of built-ins with the result' },
  { name: 'stdin', type: 'bool', usage: 'read the query from standard input' },
  { name: 'stdin-input', short: 'I', type: 'bool', usage: 'read the input document from standard input' },
  { name: 'strict', short: 'S', type: 'bool', usage: 'report unused variables and imports, and other doubtful code, as errors' },
  { name: 'strict-builtin-errors', type: 'bool', usage: 'end with the first error of a built-in' },
  {
    name: 'target',
    short: 't',
    type: ['rego', 'wasm'],
    usage: 'what evaluates; this release knows rego alone, its own virtual machine',
    default: 'rego',
  },
  { name: 'timeout', type: 'duration', usage: 'longest time that the evaluation may take; 0 is no limit' },
  {
    name: 'unknowns',
    short: 'u',
    type: 'string',
    repeated: true,
    usage: 'documents that partial evaluation does not know',
  },
  v0Flag,
  yamlFlag,
  { name: 'values', type: 'int', usage: 'with --plan-trace or --record: characters at which a value is cut; 0 is no limit' },
  { name: 'v1-compatible', type: 'bool', usage: 'read policies as Rego v1' },
  { name: 'why', type: 'bool', usage: 'explain the answer by the rules: what holds, and what fails first' },
  { name: 'why-depth', type: 'int', usage: 'with --why: levels of rules below the rules of the query', default: '1' },
  { name: 'why-size', type: 'int', usage: 'with --why: characters at which a value is cut off', default: '100' },
  { name: 'var-values', type: 'bool', usage: 'show values of variables in explanations' },
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
export function explainMode(flags: FlagValues): ExplainOptions['mode'] | undefined {
  const mode = flags.text('explain') ?? 'off';
  return mode === 'off' ? undefined : (mode as ExplainOptions['mode']);
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
export function whyLimits(flags: FlagValues): { readonly depth: number; readonly valueSize: number } {
  return { depth: flags.number('why-depth') ?? 1, valueSize: flags.number('why-size') ?? 100 };
}
