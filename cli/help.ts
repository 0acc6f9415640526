/** The text of `--help`, from a command's table of flags. */
import type { Command } from './command.js';
import type { Flag } from './flags.js';

function usageText(command: Command): string {
  const flags = [...command.flags, { name: 'help', short: 'h', type: 'bool', usage: `help for ${command.name}` } as const];
  return `Usage:\n  writ ${command.name}${command.use === '' ? '' : ` ${command.use}`} [flags]\n\nFlags:\n${flagLines(flags)}\n`;
}

/** The output of `writ COMMAND --help`. */
export function helpText(command: Command): string {
  return `${command.long}\n\n${usageText(command)}`;
}

function flagLines(flags: readonly Flag[]): string {
  const sorted = flags.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const heads = sorted.map((flag) => `${flag.short === undefined ? '    ' : `-${flag.short}, `}--${flag.name}${typeText(flag)}`);
  const width = Math.max(...heads.map((head) => head.length));
  return sorted.map((flag, i) => `  ${heads[i]!.padEnd(width)}   ${usageOf(flag)}`).join('\n');
}

function typeText({ type, ownWords = [], bare }: Flag): string {
  if (type === 'bool') return '';
  const text = typeof type === 'string' ? type : `{${[...type, ...ownWords].join(',')}}`;
  return bare === undefined ? ` ${text}` : `[=${text}]`;
}

function usageOf(flag: Flag): string {
  const parts = [flag.usage];
  if (flag.repeated !== undefined) parts.push('(repeatable)');
  if (flag.default !== undefined) parts.push(`(default ${flag.default})`);
  if (flag.ignored !== undefined) parts.push('(no effect here)');
  if (flag.refused !== undefined) parts.push('(not supported)');
  return parts.join(' ');
}

/** The output of `writ` and `writ --help`: commands by name with their descriptions. */
export function rootHelp(commands: Readonly<Record<string, string>>): string {
  return [
    'A policy engine for TypeScript and Node: compiles Rego to plans, runs them, tests policies.',
    '',
    'Usage:',
    '  writ [command]',
    '',
    'Available Commands:',
    ...commandLines({ ...commands, help: 'Show how a command is used' }),
    '',
    'Flags:',
    '  -h, --help   help for writ',
    '',
    '"writ [command] --help" explains a command and its flags.',
    '',
  ].join('\n');
}

/** The output of a group's name alone. */
export function groupHelp(name: string, short: string, commands: Readonly<Record<string, { readonly short: string }>>): string {
  return [
    short,
    '',
    'Usage:',
    `  writ ${name} [command]`,
    '',
    'Available Commands:',
    ...commandLines(Object.fromEntries(Object.entries(commands).map(([member, entry]) => [member, entry.short]))),
    '',
    'Flags:',
    `  -h, --help   help for ${name}`,
    '',
    `"writ ${name} [command] --help" explains a command and its flags.`,
    '',
  ].join('\n');
}

function commandLines(commands: Readonly<Record<string, string>>): string[] {
  const names = Object.keys(commands).sort();
  const width = Math.max(...names.map((name) => name.length)) + 2;
  return names.map((name) => `  ${name.padEnd(width)}${commands[name]!}`);
}
