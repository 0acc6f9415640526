/** Parses a command line into values of flags and positional arguments, by a command's table. */

import { parseArgs } from 'node:util';
import { editDistance } from '../values/index.js';
import { usageError } from './exit.js';
import { type Flag, type FlagValue, FlagValues, parseFlagValue } from './flags.js';
import { similarNames } from './similar-names.js';

export interface Arguments {
  readonly flags: FlagValues;
  readonly positionals: readonly string[];
  readonly help: boolean;
  /** The switch directly before a positional, by that positional's index. */
  readonly before: ReadonlyMap<number, string>;
}

const helpFlag: Flag = { name: 'help', short: 'h', type: 'bool', usage: 'help' };

/**
 * Parses a command's arguments, then the environment (`OPA_<COMMAND>_<FLAG>`) for flags without an
 * argument. Throws a CommandError in the reference's words for unknown flags and invalid values.
 */
export function parseArguments(
  command: string,
  table: readonly Flag[],
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Arguments {
  const known = [...table, helpFlag];
  const byName = new Map(known.map((flag) => [flag.name, flag]));
  const values = new Map<string, FlagValue[]>();
  const positionals: string[] = [];
  const before = new Map<number, string>();
  let last: string | undefined;
  for (const token of tokensOf(known, argv)) {
    if (token.kind === 'positional') {
      if (last !== undefined) before.set(positionals.length, last);
      positionals.push(token.value);
      last = undefined;
    } else if (token.kind === 'option') {
      const flag = byName.get(token.name);
      if (flag === undefined) throw unknownFlag(token.rawName, argv[token.index] ?? '', known);
      const isShort = token.rawName.length === 2;
      if (token.value === undefined && flag.type !== 'bool' && flag.bare === undefined)
        throw missingValue(flag, isShort);
      add(values, flag, isShort && token.value?.startsWith('=') ? token.value.slice(1) : (token.value ?? flag.bare));
      last = flag.type === 'bool' && token.value === undefined ? flag.name : undefined;
    } else last = undefined;
  }
  const help = values.get('help')?.at(-1) === true;
  if (!help) addEnvironment(command, table, values, env);
  return { flags: new FlagValues(values), positionals, help, before };
}

/** The tokens of a command line; unknown options are among them. */
function tokensOf(flags: readonly Flag[], argv: readonly string[]) {
  const options: Record<string, { readonly type: 'boolean' | 'string'; readonly short?: string }> = {};
  for (const { name, type, short, bare } of flags)
    options[name] = {
      type: type === 'bool' || bare !== undefined ? 'boolean' : 'string',
      ...(short !== undefined && { short }),
    };
  return parseArgs({ args: [...argv], options, strict: false, tokens: true, allowPositionals: true }).tokens;
}

function unknownFlag(rawName: string, given: string, known: readonly Flag[]): Error {
  if (rawName.length > 2) {
    const names = known.map(({ name }) => name);
    const typed = rawName.slice(2);
    const [meant] = similarNames(typed, names).toSorted((a, b) => editDistance(typed, a) - editDistance(typed, b));
    return usageError(`unknown flag: ${rawName}${meant === undefined ? '' : ` (did you mean --${meant}?)`}`);
  }
  return usageError(`unknown shorthand flag: '${rawName.slice(1)}' in ${given}`);
}

function missingValue({ name, short }: Flag, isShort: boolean): Error {
  return usageError(isShort ? `flag needs an argument: '${short}' in -${short}` : `flag needs an argument: --${name}`);
}

function add(values: Map<string, FlagValue[]>, flag: Flag, text: string | undefined): void {
  let parsed: readonly FlagValue[];
  try {
    parsed = text === undefined ? [true] : parseFlagValue(flag, text);
  } catch (error) {
    const shown = flag.short === undefined ? `--${flag.name}` : `-${flag.short}, --${flag.name}`;
    throw usageError(`invalid argument ${JSON.stringify(text)} for "${shown}" flag: ${(error as Error).message}`);
  }
  if (flag.refused !== undefined && parsed.at(-1) !== false)
    throw usageError(`--${flag.name} is not supported: ${flag.refused}`);
  const repeated = flag.repeated === true || flag.type === 'strings';
  values.set(flag.name, repeated ? [...(values.get(flag.name) ?? []), ...parsed] : [...parsed]);
}

function addEnvironment(
  command: string,
  table: readonly Flag[],
  values: Map<string, FlagValue[]>,
  env: Readonly<Record<string, string | undefined>>,
): void {
  const problems: string[] = [];
  // The reference reports problems in the order of the names.
  for (const flag of table.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const text = env[environmentName(command, flag)];
    if (text === undefined || text === '' || values.has(flag.name)) continue;
    try {
      add(values, flag, text);
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  if (problems.length > 0)
    throw usageError(`error mapping environment variables to command flags: ${problems.join('; ')}`);
}

/** `OPA_EVAL_STDIN_INPUT` for `--stdin-input` of `eval`; of a group's command the group counts. */
export function environmentName(command: string, flag: Flag): string {
  return `OPA_${command.split(' ')[0]}_${flag.name}`.replaceAll('-', '_').toUpperCase();
}
