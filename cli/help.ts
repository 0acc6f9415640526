/** The text of `--help`, from a command's table of flags. */
import type { Command } from './command.js';
import type { Flag } from './flags.js';

/** The text after an error in the command line. */
export function usageText(command: Command): string {
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

function typeText({ type }: Flag): string {
  if (type === 'bool') return '';
  return typeof type === 'string' ? ` ${type}` : ` {${type.join(',')}}`;
}

function usageOf(flag: Flag): string {
  const parts = [flag.usage];
  if (flag.repeated !== undefined) parts.push('(repeatable)');
  if (flag.default !== undefined) parts.push(`(default ${flag.default})`);
  if (flag.ignored !== undefined) parts.push('(no effect here)');
  if (flag.refused !== undefined) parts.push('(not supported)');
  return parts.join(' ');
}

/** The output of `writ` and `writ --help`. */
export function rootHelp(commands: Readonly<Record<string, { readonly short: string }>>): string {
  const names = Object.keys(commands).sort();
  const width = Math.max(...names.map((name) => name.length), 'help'.length) + 2;
  const lines = [...names.map((name) => [name, commands[name]!.short] as const), ['help', 'Show how a command is used'] as const];
  return [
    'A policy engine for TypeScript and Node: compiles Rego to plans, runs them, tests policies.',
    '',
    'Usage:',
    '  writ [command]',
    '',
    'Available Commands:',
    ...lines.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, short]) => `  ${name.padEnd(width)}${short}`),
    '',
    'Flags:',
    '  -h, --help   help for writ',
    '',
    '"writ [command] --help" explains a command and its flags.',
    '',
  ].join('\n');
}
