/** The texts of `--help`, from a command's table of flags. */
import { environmentName } from './args.js';
import type { Command, CommandExample } from './command.js';
import type { Flag } from './flags.js';

/** The width of texts where there is no terminal, and the longest lines that read well. */
const defaultColumns = 100;
const longestColumns = 120;

/** A longer name of a flag stands on a line of its own. */
const longestHead = 30;

const helpFlag: Flag = { name: 'help', short: 'h', type: 'bool', usage: 'show this help' };

/**
 * The output of `writ COMMAND --help`.
 * @param columns the width of the terminal
 * @param program what the command is called through
 */
export function helpText(command: Command, columns: number | undefined, program = 'writ'): string {
  const width = Math.min(columns ?? defaultColumns, longestColumns);
  const use = command.use === '' ? '' : ` ${command.use}`;
  return [
    paragraphs(command.long, width),
    `Usage:\n  ${program} ${command.name}${use} [flags]`,
    examplesText(command.examples),
    ...flagGroups(command, width),
    ...environmentNote(command, width),
  ]
    .map((part) => `${part}\n`)
    .join('\n');
}

function examplesText(examples: readonly CommandExample[]): string {
  return `Examples:\n${examples.map(([does, line]) => `  # ${does}\n  $ ${line}\n`).join('\n')}`.trimEnd();
}

/** The flags below their headings; those of a command with few flags have one. */
function flagGroups({ flags }: Command, width: number): string[] {
  const isGrouped = flags.some(({ group }) => group !== undefined);
  const groups = Map.groupBy([...flags, helpFlag], ({ group = isGrouped ? 'Other flags' : 'Flags' }) => group);
  const heads = [...flags, helpFlag].map((flag) => headOf(flag).length);
  const headWidth = Math.max(...heads.filter((length) => length <= longestHead));
  return [...groups].map(
    ([heading, members]) => `${heading}:\n${members.map((flag) => flagText(flag, headWidth, width)).join('\n')}`,
  );
}

function flagText(flag: Flag, headWidth: number, width: number): string {
  const head = headOf(flag);
  const indent = ' '.repeat(headWidth + 5);
  const usage = wrapped(usageOf(flag), width - indent.length).join(`\n${indent}`);
  return head.length > headWidth ? `  ${head}\n${indent}${usage}` : `  ${head.padEnd(headWidth)}   ${usage}`;
}

function headOf(flag: Flag): string {
  return `${flag.short === undefined ? '    ' : `-${flag.short}, `}--${flag.name}${typeText(flag)}`;
}

function typeText({ type, bare }: Flag): string {
  if (type === 'bool') return '';
  const text = typeof type === 'string' ? type : `{${type.join(',')}}`;
  return bare === undefined ? ` ${text}` : `[=${text}]`;
}

function usageOf(flag: Flag): string {
  const parts = [flag.usage];
  if (flag.ownWords !== undefined) parts.push(`(also ${flag.ownWords.join(', ')})`);
  if (flag.repeated !== undefined) parts.push('(repeatable)');
  if (flag.default !== undefined) parts.push(`(default ${flag.default})`);
  if (flag.ignored !== undefined) parts.push('(no effect here)');
  if (flag.refused !== undefined) parts.push('(not supported)');
  return parts.join(' ');
}

function environmentNote({ name, flags }: Command, width: number): string[] {
  const flag = flags.find((one) => one.name === 'format') ?? flags[0];
  if (flag === undefined) return [];
  return wrapped(`Flags can be set in the environment, too: ${environmentName(name, flag)} for --${flag.name}.`, width);
}

/** Paragraphs in lines of a width. Lines that begin with a space stay as they are. */
function paragraphs(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => (line.startsWith(' ') ? line : wrapped(line, width).join('\n')))
    .join('\n');
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let last = '';
  for (const word of text.split(' ')) {
    if (last !== '' && last.length + 1 + word.length > width) {
      lines.push(last);
      last = word;
    } else last = last === '' ? word : `${last} ${word}`;
  }
  return [...lines, last];
}

const about =
  'A policy engine for TypeScript and Node. Policies are written in Rego, the language of Open Policy Agent: ' +
  'writ checks and tests them, makes decisions, and serves them over the REST API of OPA.';

/** The output of `writ` and `writ --help`: commands by name with their descriptions. */
export function rootHelp(commands: Readonly<Record<string, string>>, columns: number | undefined): string {
  return [
    paragraphs(about, Math.min(columns ?? defaultColumns, longestColumns)),
    '',
    'Usage:',
    '  writ [command]',
    '',
    'Examples:',
    '  # Find errors in policies, and run their tests',
    '  $ writ check policies',
    '  $ writ test policies',
    '',
    '  # Make a decision, and say why',
    '  $ writ eval --why -d policies -i input.json data.authz.allow',
    '',
    '  # Serve decisions over HTTP',
    '  $ writ run --server policies',
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
export function groupHelp(
  name: string,
  short: string,
  commands: Readonly<Record<string, { readonly short: string }>>,
): string {
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
    `"writ ${name} [command] --help" explains a command, its flags, and shows examples.`,
    '',
  ].join('\n');
}

function commandLines(commands: Readonly<Record<string, string>>): string[] {
  const rows = Object.entries(commands).sort(([a], [b]) => (a < b ? -1 : 1));
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, usage]) => `  ${name.padEnd(width)}${usage}`);
}
