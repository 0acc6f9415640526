/** Commands and flags as the completion scripts need them. */
import type { CommandTable } from '../command.js';
import type { Flag } from '../flags.js';

export interface CompletedCommand {
  /** One word, or two for a command of a group. */
  readonly name: string;
  readonly flags: readonly CompletedFlag[];
  /** The only arguments; undefined: paths. */
  readonly arguments?: readonly string[];
}

export interface CompletedFlag {
  readonly name: string;
  readonly short: string | undefined;
  readonly usage: string;
  /** The value of the flag: none, one of some words, a path, or a text without completion. */
  readonly value: 'none' | 'path' | 'text' | readonly string[];
  readonly repeated: boolean;
}

export interface CompletionModel {
  /** The name of the command that the words stand behind. */
  readonly program: string;
  readonly commands: readonly CompletedCommand[];
  /** Words that stand first, with their descriptions. */
  readonly topLevel: Readonly<Record<string, string>>;
  /** Groups with the second words of their commands and the descriptions of these. */
  readonly groups: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Whether the scripts show descriptions. */
  readonly descriptions: boolean;
}

const help: CompletedFlag = {
  name: 'help',
  short: 'h',
  usage: 'show how the command is used',
  value: 'none',
  repeated: false,
};

export async function completionModel(
  table: CommandTable,
  program: string,
  descriptions: boolean,
): Promise<CompletionModel> {
  const loaded = await Promise.all(
    Object.entries(table.commands).map(async ([name, entry]): Promise<CompletedCommand> => {
      const command = await entry.load();
      const flags = [...command.flags.filter(({ refused }) => refused === undefined).map(completedFlag), help];
      return { name, flags, ...(command.arguments && { arguments: command.arguments }) };
    }),
  );
  const single = Object.entries(table.commands).filter(([name]) => !name.includes(' '));
  const shorts = Object.fromEntries(single.map(([name, { short }]) => [name, short]));
  const top = { ...shorts, ...table.groups, help: 'Show how a command is used' };
  return {
    program,
    commands: [...loaded, { name: 'help', flags: [], arguments: Object.keys(top) }],
    topLevel: top,
    groups: members(table),
    descriptions,
  };
}

function members({ commands, groups }: CommandTable): Record<string, Record<string, string>> {
  return Object.fromEntries(
    Object.keys(groups).map((group) => {
      const own = Object.entries(commands).filter(([name]) => name.startsWith(`${group} `));
      return [group, Object.fromEntries(own.map(([name, { short }]) => [name.slice(group.length + 1), short]))];
    }),
  );
}

function completedFlag({ name, short, type, usage, repeated, ownWords = [], bare }: Flag): CompletedFlag {
  return {
    name,
    short,
    usage,
    // A word after it would be an argument.
    value: bare === undefined ? valueKind(typeof type === 'string' ? type : [...type, ...ownWords]) : 'none',
    repeated: repeated === true || type === 'strings',
  };
}

function valueKind(type: Flag['type']): CompletedFlag['value'] {
  if (typeof type !== 'string') return type;
  if (type === 'bool') return 'none';
  return type === 'string' ? 'path' : 'text';
}

/** `--format` and, where there is one, `-f`. */
export function spellings({ name, short }: CompletedFlag): string[] {
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
}
